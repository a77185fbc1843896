#include "decode/mixed_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.h"

namespace wordorder::decode {

namespace {

// Sums stay below 2^60 for tables of numbers up to 1000. The lowest 13 bits count inverted pairs.
constexpr double unit = int64_t{1} << 36;
constexpr int64_t scale = int64_t{1} << 13;

constexpr int64_t lowest = std::numeric_limits<int64_t>::min() / 4;  // less than any sum, which can be added to it

int64_t integer(double value) { return std::llround(value * unit) * scale; }

// The greatest of bound[c] + left[c] + right[c].
WO_CLONES int64_t greatest(const int64_t *bound, const int64_t *left, const int64_t *right, int32_t size) {
  int64_t most = lowest;
  for (int32_t c = 0; c < size; ++c) {
    const int64_t value = bound[c] + left[c] + right[c];
    most = value > most ? value : most;
  }
  return most;
}

// Raises the bounds outside the parts of a span: to[c] becomes at least bound[c] + other[c] + by.
WO_CLONES void raise(const int64_t *bound, const int64_t *other, int64_t by, int32_t size, int64_t *to) {
  for (int32_t c = 0; c < size; ++c) {
    const int64_t value = bound[c] + other[c] + by;
    to[c] = value > to[c] ? value : to[c];
  }
}

}  // namespace

MixedValues::MixedValues(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n, double share)
    : n_(n), steps_(next.size()), inverted_(n) {
  const double pair = (1 - share) / std::max(1.0, n * (n - 1) / 2.0), step = share / (n + 1);
  pair_ = 2 * integer(pair / 2);  // so that either order of a pair is worth the same if both are equally probable
  for (size_t c = 0; c < next.size(); ++c) steps_[c] = integer(step * next[c]);
  inverted_.set([&](int64_t a, int64_t b) { return a < b ? integer(inverted[a * n + b] * pair) : 0; });
}

MixedBounds::MixedBounds(const MixedValues &values, const NarrowSpans &spans) : values_(values), spans_(spans) {
  const int32_t n = spans.words();
  rows_.assign(spans.size(), 0);
  size_t size = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i < spans.count(d); ++i) {
      rows_[spans.at(i, i + d)] = size;
      size += i + d - spans.first_cut(i, i + d);
    }
  }
  for (auto &nodes : nodes_) nodes.assign(size, lowest);
  inside_.assign(spans.size(), 0);
  inside_by_end_.assign(spans.size_by_end(), 0);
  outside_.assign(spans.size(), lowest);
  outside_by_end_.assign(spans.size_by_end(), lowest);
  fill_steps();
  fill_inside();
  fill_outside();
}

// The best step of a node is that of the same cut in the span without the last word, or one from or to that word.
void MixedBounds::fill_steps() {
  for (int32_t d = 2; d <= spans_.words(); ++d) {
    for (int32_t i = 0; i < spans_.count(d); ++i) {
      const int32_t j = i + d, first = spans_.first_cut(i, j);
      for (int op = 0; op < spans_.ops(i, j); ++op) {
        int64_t *const to = nodes_[op].data() + row(i, j);
        const int64_t *const shorter = nodes_[op].data() + row(i, j - 1) + first - spans_.first_cut(i, j - 1);
        int64_t most = lowest;
        for (int32_t a = i; a < j - 1; ++a) {
          most = std::max(most, op ? values_.step(j - 1, a) : values_.step(a, j - 1));
          const int32_t cut = a + 1 - first;
          if (cut >= 0) to[cut] = a + 1 < j - 1 ? std::max(most, shorter[cut]) : most;
        }
      }
    }
  }
}

void MixedBounds::fill_inside() {
  for (int32_t d = 2; d <= spans_.words(); ++d) {
    for (int32_t i = 0; i < spans_.count(d); ++i) {
      const int32_t j = i + d, first = spans_.first_cut(i, j);
      const int64_t *const left = &inside_[spans_.at(i, first)];
      const int64_t *const right = &inside_by_end_[spans_.by_end(first, j)];
      int64_t most = lowest;
      for (int op = 0; op < spans_.ops(i, j); ++op) {
        int64_t *const bound = nodes_[op].data() + row(i, j);
        for (int32_t k = first; k < j; ++k) bound[k - first] += values_.pairs(i, k, j, op);
        most = std::max(most, greatest(bound, left, right, j - first));
      }
      inside_[spans_.at(i, j)] = most;
      if (spans_.ops(i, j) == 2) inside_by_end_[spans_.by_end(i, j)] = most;
    }
  }
}

void MixedBounds::fill_outside() {
  const int32_t n = spans_.words();
  int64_t start = lowest, stop = lowest;
  for (int32_t a = 0; a < n; ++a) {
    start = std::max(start, values_.step(n, a));
    stop = std::max(stop, values_.step(a, n));
  }
  outside_[spans_.at(0, n)] = start + stop;
  for (int32_t d = n; d >= 2; --d) {
    for (int32_t i = 0; i < spans_.count(d); ++i) {
      const int32_t j = i + d, first = spans_.first_cut(i, j);
      int64_t &around = outside_[spans_.at(i, j)];
      if (spans_.ops(i, j) == 2) around = std::max(around, outside_by_end_[spans_.by_end(i, j)]);
      for (int op = 0; op < spans_.ops(i, j); ++op) {
        const int64_t *const bound = nodes_[op].data() + row(i, j);
        const size_t left = spans_.at(i, first), right = spans_.by_end(first, j);
        raise(bound, &inside_by_end_[right], around, j - first, &outside_[left]);
        raise(bound, &inside_[left], around, j - first, &outside_by_end_[right]);
      }
    }
  }
}

MixedBounds::Part MixedBounds::best_part(int32_t i, int32_t j) const {
  if (j - i == 1) return {0, i, i};
  const int32_t first = spans_.first_cut(i, j);
  for (int32_t k = first; k < j; ++k) {
    for (int op = 0; op < spans_.ops(i, j); ++op) {
      if (nodes_[op][row(i, j) + k - first] + inside(i, k) + inside(k, j) != inside(i, j)) continue;
      Part head = best_part(i, k), tail = best_part(k, j);
      if (op) std::swap(head, tail);
      const int64_t node = values_.pairs(i, k, j, op) + values_.step(head.last, tail.first);
      return {head.value + tail.value + node, head.first, tail.last};
    }
  }
  return {};  // not reached: some node has the bound of its span
}

int64_t MixedBounds::attained() const {
  const int32_t n = spans_.words();
  const Part all = best_part(0, n);
  return values_.step(n, all.first) + all.value + values_.step(all.last, n);
}

}  // namespace wordorder::decode
