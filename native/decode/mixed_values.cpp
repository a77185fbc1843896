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

int64_t integer(double value) { return std::llround(value * unit) * scale; }

// The greatest of bound[c] + left[c] + right[c].
WO_CLONES int64_t greatest(const int64_t *bound, const int64_t *left, const int64_t *right, int32_t size) {
  int64_t most = std::numeric_limits<int64_t>::min();
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

MixedBounds::MixedBounds(const MixedValues &values) : n_(values.words()) {
  const size_t cells = static_cast<size_t>(n_ + 1) * (n_ + 1);
  rows_.assign(cells, 0);
  size_t size = 0;
  for (int32_t d = 2; d <= n_; ++d) {
    for (int32_t i = 0; i + d <= n_; ++i) {
      rows_[cell(i, i + d)] = size;
      size += d - 1;
    }
  }
  for (auto &nodes : nodes_) nodes.resize(size);
  inside_.assign(cells, 0);
  outside_.assign(cells, std::numeric_limits<int64_t>::min());
  fill_inside(values);
  fill_outside(values);
}

void MixedBounds::fill_inside(const MixedValues &values) {
  // `nodes_` holds the best steps first. The words between which a node of (i, j) steps are those of the same cut in
  // (i + 1, j) or in (i, j - 1), or they are the outermost ones.
  for (int32_t d = 2; d <= n_; ++d) {
    for (int32_t i = 0; i + d <= n_; ++i) {
      const int32_t j = i + d;
      for (int op = 0; op < 2; ++op) {
        int64_t *const steps = nodes_[op].data();
        int64_t *const to = steps + row(i, j);
        std::fill_n(to, d - 1, op ? values.step(j - 1, i) : values.step(i, j - 1));
        if (d == 2) continue;
        const int64_t *const later = steps + row(i + 1, j), *const sooner = steps + row(i, j - 1);
        for (int32_t c = 0; c < d - 2; ++c) {
          to[c] = std::max(to[c], sooner[c]);
          to[c + 1] = std::max(to[c + 1], later[c]);
        }
      }
    }
  }
  for (int32_t d = 2; d <= n_; ++d) {
    for (int32_t i = 0; i + d <= n_; ++i) {
      const int32_t j = i + d;
      int64_t most = std::numeric_limits<int64_t>::min();
      for (int op = 0; op < 2; ++op) {
        int64_t *const bound = nodes_[op].data() + row(i, j);
        for (int32_t k = i + 1; k < j; ++k) bound[k - i - 1] += values.pairs(i, k, j, op);
        most = std::max(most, greatest(bound, &inside_[cell(i, i + 1)], &inside_[cell(j, i + 1)], d - 1));
      }
      inside_[cell(i, j)] = inside_[cell(j, i)] = most;  // by start and by end, so that both are read in a row
    }
  }
}

void MixedBounds::fill_outside(const MixedValues &values) {
  int64_t start = std::numeric_limits<int64_t>::min(), stop = start;
  for (int32_t a = 0; a < n_; ++a) {
    start = std::max(start, values.step(n_, a));
    stop = std::max(stop, values.step(a, n_));
  }
  outside_[cell(0, n_)] = outside_[cell(n_, 0)] = start + stop;
  for (int32_t d = n_; d >= 2; --d) {
    for (int32_t i = 0; i + d <= n_; ++i) {
      // A span gets bounds as a left part in (i, j) and as a right part in (j, i).
      const int32_t j = i + d;
      const int64_t by = std::max(outside_[cell(i, j)], outside_[cell(j, i)]);
      outside_[cell(i, j)] = by;
      for (int op = 0; op < 2; ++op) {
        const int64_t *const bound = nodes_[op].data() + row(i, j);
        raise(bound, &inside_[cell(j, i + 1)], by, d - 1, &outside_[cell(i, i + 1)]);
        raise(bound, &inside_[cell(i, i + 1)], by, d - 1, &outside_[cell(j, i + 1)]);
      }
    }
  }
}

MixedBounds::Part MixedBounds::best_part(const MixedValues &values, int32_t i, int32_t j) const {
  if (j - i == 1) return {0, i, i};
  for (int32_t k = i + 1; k < j; ++k) {
    for (int op = 0; op < 2; ++op) {
      if (nodes_[op][row(i, j) + k - i - 1] + inside(i, k) + inside(k, j) != inside(i, j)) continue;
      Part head = best_part(values, i, k), tail = best_part(values, k, j);
      if (op) std::swap(head, tail);
      const int64_t node = values.pairs(i, k, j, op) + values.step(head.last, tail.first);
      return {head.value + tail.value + node, head.first, tail.last};
    }
  }
  return {};  // not reached: some node has the bound of its span
}

int64_t MixedBounds::attained(const MixedValues &values) const {
  const Part all = best_part(values, 0, n_);
  return values.step(n_, all.first) + all.value + values.step(all.last, n_);
}

}  // namespace wordorder::decode
