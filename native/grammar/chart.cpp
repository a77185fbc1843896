#include "grammar/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.h"
#include "base/lanes.h"

namespace wordorder::grammar {

using namespace base;

namespace {

// Computes the results of a span: the products of left and right values and a factor, summed over the split points, or
// the largest of them.
template <bool Max, int W>
WO_INLINE void sum_splits(const float *left, const float *right, int64_t step, const float *factors, int32_t count,
                          float *out) {
  Lanes sum[W] = {};
  for (int32_t k = 0; k < count; ++k, left += step, right += step) {
    const float f = factors[k];
    const Lanes factor = {f, f, f, f, f, f, f, f};
    for (int w = 0; w < W; ++w) {
      join<Max>(sum[w], *reinterpret_cast<const Lanes *>(left + w * lane_count) *
                            *reinterpret_cast<const Lanes *>(right + w * lane_count) * factor);
    }
  }
  for (int w = 0; w < W; ++w) *reinterpret_cast<Lanes *>(out + w * lane_count) = sum[w];
}

template <bool Max>
WO_INLINE void all_splits(const float *left, const float *right, int32_t row, const float *factors, int32_t count,
                          float *out) {
  int32_t at = 0;
  for (; at + 8 * lane_count <= row; at += 8 * lane_count) {
    sum_splits<Max, 8>(left + at, right + at, row, factors, count, out + at);
  }
  for (; at + 2 * lane_count <= row; at += 2 * lane_count) {
    sum_splits<Max, 2>(left + at, right + at, row, factors, count, out + at);
  }
  if (at < row) sum_splits<Max, 1>(left + at, right + at, row, factors, count, out + at);
}

template <int W>
WO_INLINE void push_splits(const float *result, const float *left, const float *right, float *out_left,
                           float *out_right, int64_t step, const float *factors, int32_t count) {
  Lanes o[W];
  for (int w = 0; w < W; ++w) o[w] = *reinterpret_cast<const Lanes *>(result + w * lane_count);
  for (int32_t k = 0; k < count; ++k, left += step, right += step, out_left += step, out_right += step) {
    const float f = factors[k];
    const Lanes factor = {f, f, f, f, f, f, f, f};
    for (int w = 0; w < W; ++w) {
      const Lanes scaled = o[w] * factor;
      *reinterpret_cast<Lanes *>(out_left + w * lane_count) +=
          scaled * *reinterpret_cast<const Lanes *>(right + w * lane_count);
      *reinterpret_cast<Lanes *>(out_right + w * lane_count) +=
          scaled * *reinterpret_cast<const Lanes *>(left + w * lane_count);
    }
  }
}

// Computes the states of all spans of length d from the finished shorter spans, and writes partial items into left
// rows.
template <bool Max>
WO_INLINE void diagonal_states(Chart &c, int32_t d, std::vector<float> &results, std::vector<float> &factors,
                               const std::vector<int32_t> &phrase_exponent) {
  const ChartRules &rules = c.rules;
  factors.resize(c.n);
  results.resize(rules.row + 1);
  for (int32_t i = 0; i + d <= c.n; ++i) {
    const int32_t j = i + d;
    int32_t most = std::numeric_limits<int32_t>::min();
    for (int32_t k = i + 1; k < j; ++k) most = std::max(most, c.exponent(i, k) + c.exponent(k, j));
    for (int32_t k = i + 1; k < j; ++k) {
      factors[k - i - 1] = power_of_two(c.exponent(i, k) + c.exponent(k, j) - most);
    }
    all_splits<Max>(c.left(i, i + 1), c.right(i + 1, j), rules.row, factors.data(), d - 1, results.data());
    float *states = c.states(i, j);
    for (const ChartRules::Group &group : rules.groups) {
      std::copy_n(&results[group.pack + (group.arity - 2) * group.width], group.width, states + group.state);
    }
    for (const ChartRules::Joiner &join : rules.joiners) {
      const float *word = c.unaligned(join.word_first ? i : j - 1) + join.alone;
      const float *rest = (join.word_first ? c.slots(i + 1, j) : c.slots(i, j - 1)) + join.slot;
      const float f = factors[join.word_first ? 0 : d - 2];
      for (int32_t a = 0; a < join.width; ++a) states[join.state + a] = word[a] * rest[a] * f;
    }
    const float top = std::max(largest(states, rules.states), largest(results.data(), rules.row));
    int32_t e = top > 0 ? exponent_of(top) + most : most;
    const int32_t at_phrase = phrase_exponent[c.span(i, j)];
    if (at_phrase > std::numeric_limits<int32_t>::min()) e = top > 0 ? std::max(e, at_phrase) : at_phrase;
    const float by = power_of_two(most - e);
    c.exponent(i, j) = e;
    for (int32_t a = 0; a < rules.states; ++a) states[a] *= by;
    float *left = c.left(i, j);
    for (const ChartRules::Group &group : rules.groups) {
      const float *from = &results[group.pack];
      float *to = left + group.pack + group.width;
      for (int32_t a = 0; a < (group.arity - 2) * group.width; ++a) to[a] = from[a] * by;
    }
  }
}

WO_CLONES void sum_states(Chart &c, int32_t d, std::vector<float> &results, std::vector<float> &factors,
                          const std::vector<int32_t> &phrase_exponent) {
  diagonal_states<false>(c, d, results, factors, phrase_exponent);
}
WO_CLONES void best_states(Chart &c, int32_t d, std::vector<float> &results, std::vector<float> &factors,
                           const std::vector<int32_t> &phrase_exponent) {
  diagonal_states<true>(c, d, results, factors, phrase_exponent);
}
WO_CLONES void sum_product(const float *a, int32_t rows, const float *b, int32_t k, float *c, int32_t columns) {
  multiply<false>(a, k, 1, rows, b, columns, k, c, columns, columns, false);
}
WO_CLONES void best_product(const float *a, int32_t rows, const float *b, int32_t k, float *c, int32_t columns) {
  multiply<true>(a, k, 1, rows, b, columns, k, c, columns, columns, false);
}

// Adds the outside values of a span's results to the rows of its parts.
WO_CLONES void push_span(Chart &c, int32_t i, int32_t j, const float *result) {
  const ChartRules &rules = c.rules;
  float *factors = c.factors(i, j);
  for (int32_t k = i + 1; k < j; ++k) factors[k - i - 1] = c.factor(i, k, j);
  const int32_t count = j - i - 1;
  const float *left = c.left(i, i + 1), *right = c.right(i + 1, j);
  float *out_left = c.out_left(i, i + 1), *out_right = c.out_right(i + 1, j);
  int32_t at = 0;
  for (; at + 4 * lane_count <= rules.row; at += 4 * lane_count) {
    push_splits<4>(result + at, left + at, right + at, out_left + at, out_right + at, rules.row, factors, count);
  }
  for (; at < rules.row; at += lane_count) {
    push_splits<1>(result + at, left + at, right + at, out_left + at, out_right + at, rules.row, factors, count);
  }
}

}  // namespace

float Chart::factor(int32_t i, int32_t k, int32_t j) {
  return power_of_two(exponent(i, k) + exponent(k, j) - exponent(i, j));
}

void Chart::allocate() {
  const size_t spans = static_cast<size_t>(n) * (n + 1) / 2, square = static_cast<size_t>(n + 1) * (n + 1) * rules.row;
  exponents_.assign(spans, 0);
  left_.assign(square, 0);
  right_.assign(square, 0);
  states_.assign(spans * rules.states, 0);
  slots_.assign(spans * rules.slots, 0);
  alone_.assign(static_cast<size_t>(n) * rules.alone, 0);
}

// Copies the slots of a span into its rows, where sums over split points read them.
void Chart::finish(int32_t i, int32_t j, const float *from) {
  float *to_left = left(i, j), *to_right = right(i, j);
  for (const ChartRules::Group &group : rules.groups) {
    std::copy_n(from + group.slot, group.width, to_left + group.pack);
    std::copy_n(from + group.slot + group.width, (group.arity - 1) * group.width, to_right + group.pack);
  }
}

void Chart::inside(const int32_t *first, int32_t size, const std::vector<Phrase> &known_phrases, bool best) {
  const FlushSmall flush;
  n = size;
  words.assign(first, first + size);
  phrases = known_phrases;
  std::vector<float> results, factors, by_slot(rules.slots), alone(std::max(rules.alone, 1));
  for (int attempt = 0; attempt < 2; ++attempt) {
    glued = attempt == 1;
    allocate();
    const float price = glue_price();
    std::vector<int32_t> phrase_exponent(exponents_.size(), std::numeric_limits<int32_t>::min());
    whole_root = 0;
    for (int32_t i = 0; i < n; ++i) {
      float *to = slots(i, i + 1);
      const float as_root = rules.word(words[i], to, unaligned(i));
      const float top = std::max({largest(to, rules.slots), largest(unaligned(i), rules.alone), as_root});
      const int32_t e = exponent_of(top);
      const float by = power_of_two(-e);
      for (int32_t t = 0; t < rules.slots; ++t) to[t] *= by;
      for (int32_t t = 0; t < rules.alone; ++t) unaligned(i)[t] *= by;
      exponent(i, i + 1) = e;
      if (n == 1) whole_root = as_root * by;
      if (price > 0) {
        to[rules.glue_slot[0]] += price;
        to[rules.glue_slot[1]] += price;
      }
      finish(i, i + 1, to);
    }
    for (const Phrase &phrase : phrases) {
      const float as_root = rules.word(phrase.word, by_slot.data(), alone.data());
      const float top = std::max(largest(by_slot.data(), rules.slots), as_root);
      if (top > 0) phrase_exponent[span(phrase.begin, phrase.end)] = exponent_of(top);
    }
    for (int32_t d = 2; d <= n; ++d) {
      (best ? best_states : sum_states)(*this, d, results, factors, phrase_exponent);
      const int32_t count = n - d + 1;
      float *to = slots(0, d);
      (best ? best_product : sum_product)(states(0, d), count, rules.up.data(), rules.states, to, rules.slots);
      for (const Phrase &phrase : phrases) {
        if (phrase.end - phrase.begin != d) continue;
        const float as_root = rules.word(phrase.word, by_slot.data(), alone.data());
        const float by = power_of_two(-exponent(phrase.begin, phrase.end));
        float *row = slots(phrase.begin, phrase.end);
        for (int32_t t = 0; t < rules.slots; ++t) {
          row[t] = best ? std::max(row[t], by_slot[t] * by) : row[t] + by_slot[t] * by;
        }
        if (d == n) whole_root = as_root * by;
      }
      for (int32_t i = 0; i < count; ++i) {
        float *row = slots(i, i + d);
        if (price > 0) {
          const float mass = largest(states(i, i + d), rules.states) * price;
          row[rules.glue_slot[0]] += mass;
          row[rules.glue_slot[1]] += mass;
        }
        finish(i, i + d, row);
      }
    }
    z = whole_root;
    if (n > 1) {
      const float *top = states(0, n);
      for (int32_t s = 0; s < rules.states; ++s) {
        const double weight = rules.root[s] + (s == rules.glue_state ? price : 0);
        z = best ? std::max(z, weight * top[s]) : z + weight * top[s];
      }
    }
    if (z > 0) return;
  }
}

double Chart::log_probability() const {
  if (!(z > 0)) return -std::numeric_limits<double>::infinity();
  return std::log(z) + exponents_.back() * log_two;
}

void Chart::outside() {
  const FlushSmall flush;
  out_left_.assign(left_.size(), 0);
  out_right_.assign(right_.size(), 0);
  out_states_.assign(states_.size(), 0);
  if (!(z > 0) || n < 2) return;
  const float price = glue_price();
  factor_base_.assign(n + 2, 0);
  for (int64_t d = 1; d <= n; ++d) factor_base_[d + 1] = factor_base_[d] + (n - d + 1) * (d - 1);
  factors_.assign(factor_base_[n + 1] + 1, 0);
  std::vector<float> results(rules.row);
  out_slots_.assign(slots_.size(), 0);
  for (int32_t d = n; d >= 2; --d) {
    const int32_t count = n - d + 1;
    if (d == n) {
      float *top = out_states(0, n);
      for (int32_t s = 0; s < rules.states; ++s) {
        top[s] = static_cast<float>((rules.root[s] + (s == rules.glue_state ? price : 0)) / z);
      }
    } else {
      for (int32_t i = 0; i < count; ++i) {
        float *row = out_slots_.data() + span(i, i + d) * rules.slots;
        const float *from_left = out_left(i, i + d), *from_right = out_right(i, i + d);
        for (const ChartRules::Group &group : rules.groups) {
          std::copy_n(from_left + group.pack, group.width, row + group.slot);
          std::copy_n(from_right + group.pack, (group.arity - 1) * group.width, row + group.slot + group.width);
        }
      }
      sum_product(out_slots_.data() + span(0, d) * rules.slots, count, rules.down.data(), rules.slots, out_states(0, d),
                  rules.states);
      if (price > 0) {
        for (int32_t i = 0; i < count; ++i) {  // glue uses the most probable state of a span
          const float *row = out_slots_.data() + span(i, i + d) * rules.slots, *inside = states(i, i + d);
          const auto at = std::max_element(inside, inside + rules.states) - inside;
          out_states(i, i + d)[at] += price * (row[rules.glue_slot[0]] + row[rules.glue_slot[1]]);
        }
      }
    }
    for (int32_t i = 0; i < count; ++i) {
      const int32_t j = i + d;
      const float *out = out_states(i, j), *from_left = out_left(i, j);
      for (const ChartRules::Group &group : rules.groups) {
        const int32_t dotted = (group.arity - 2) * group.width;
        std::copy_n(from_left + group.pack + group.width, dotted, &results[group.pack]);
        std::copy_n(out + group.state, group.width, &results[group.pack + dotted]);
      }
      push_span(*this, i, j, results.data());
      for (const ChartRules::Joiner &join : rules.joiners) {
        const int32_t k = join.word_first ? i + 1 : j - 1;
        const float *word = unaligned(join.word_first ? i : j - 1) + join.alone;
        float *to = out_slots_.data() + (join.word_first ? span(i + 1, j) : span(i, j - 1)) * rules.slots + join.slot;
        const float f = factor(i, k, j);
        for (int32_t a = 0; a < join.width; ++a) to[a] += out[join.state + a] * word[a] * f;
      }
    }
  }
}

}  // namespace wordorder::grammar
