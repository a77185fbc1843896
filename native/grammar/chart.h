// The full chart of a sentence under a Reordering Grammar: inside and outside values of all spans.
//
// A span has a left row that holds, for each group of r-ary operators (chart_rules.h), slot 1 and the partial items
// that cover 2 .. r - 1 children, and a right row with slots 2 .. r. Multiplying the left row of (i, k) and the right
// row of (k, j) lane by lane and summing over k gives the results of (i, j): partial items and complete states. One
// matrix product then turns the states of all spans of one length into slots. P01 and P10 have a single word as one
// child, so they need no sum.
//
// Every span is scaled by its own power of two. Outside values are stored times that power and divided by the
// probability of the sentence, so that inside times outside is a posterior.
#pragma once

#include <vector>

#include "grammar/chart_rules.h"

namespace wordorder::grammar {

struct Phrase {  // words begin .. end - 1 as one word of the grammar
  int32_t begin, end, word;
};

class Chart {
 public:
  explicit Chart(const ChartRules &rules) : rules(rules) {}

  // Computes inside values: sums over derivations, or with `best` the probability of the best derivation. If the
  // sentence has no derivation, any two neighbouring spans may be joined in order at a high cost, and `glued` is set.
  void inside(const int32_t *words, int32_t n, const std::vector<Phrase> &phrases, bool best);
  void outside();
  double log_probability() const;

  int64_t span(int32_t i, int32_t j) const {  // spans are numbered by length, then by start
    const int64_t d = j - i - 1;
    return d * n - d * (d - 1) / 2 + i;
  }
  int32_t &exponent(int32_t i, int32_t j) { return exponents_[span(i, j)]; }
  float *left(int32_t i, int32_t j) { return left_.data() + by_start(i, j); }
  float *right(int32_t i, int32_t j) { return right_.data() + by_start(j, i); }
  float *out_left(int32_t i, int32_t j) { return out_left_.data() + by_start(i, j); }
  float *out_right(int32_t i, int32_t j) { return out_right_.data() + by_start(j, i); }
  float *states(int32_t i, int32_t j) { return states_.data() + span(i, j) * rules.states; }
  float *out_states(int32_t i, int32_t j) { return out_states_.data() + span(i, j) * rules.states; }
  float *slots(int32_t i, int32_t j) { return slots_.data() + span(i, j) * rules.slots; }
  float *unaligned(int32_t i) { return alone_.data() + static_cast<int64_t>(i) * rules.alone; }
  // The factors of (i, k, j) for k = i + 1 .. j - 1, as stored by `outside`.
  float *factors(int32_t i, int32_t j) {
    return factors_.data() + factor_base_[j - i] + static_cast<int64_t>(i) * (j - i - 1);
  }
  // 2^(e(i, k) + e(k, j) - e(i, j)), which brings the product of two spans to the scale of the whole.
  float factor(int32_t i, int32_t k, int32_t j);
  // The cost of glue: zero unless the sentence needs it.
  float glue_price() const { return glued && rules.glue_state >= 0 ? 1e-9f : 0.0f; }

  const ChartRules &rules;
  int32_t n = 0;
  bool glued = false;
  double z = 0;          // probability of the sentence, at the scale of the whole span
  float whole_root = 0;  // probability of the sentence as one phrase, at the same scale
  std::vector<Phrase> phrases;
  std::vector<int32_t> words;

 private:
  void allocate();
  void finish(int32_t i, int32_t j, const float *slots);
  int64_t by_start(int64_t x, int64_t y) const { return (x * (n + 1) + y) * rules.row; }

  std::vector<int32_t> exponents_;
  std::vector<int64_t> factor_base_;  // by length of the span
  std::vector<float> factors_;
  std::vector<float> left_, right_, out_left_, out_right_, states_, out_states_, slots_, alone_, out_slots_;
};

}  // namespace wordorder::grammar
