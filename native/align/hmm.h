// One sentence pair under the HMM alignment model (Vogel, Ney and Tillmann 1996; Och and Ney
// 2003): each target word comes from one source word or from none, and the positions of the
// source words form a chain whose steps depend on their width only.
//
// A word that comes from nothing (null) stays where the chain is, so the chain has I positions
// and a start, each entered "by a word" or "by null". From position i' a word goes to i with
// (1 - null) * w(i - i') / Z(i'), Z(i') being the sum of w over the positions of the sentence.
#pragma once

#include <vector>

#include "base/batch.h"

namespace wordorder::align {

// Widths of steps: exact up to 8 words, then in ever wider classes whose members share a weight.
class Jumps {
 public:
  static constexpr int32_t reach = 1024;  // the widest step; wider ones count as this one
  static constexpr int32_t classes = 33;

  Jumps();
  static int32_t class_of(int32_t width);
  static int32_t class_size(int32_t k);
  void set(const double *weights);  // one for each class: the mass of the class
  const std::vector<double> &weights() const { return weights_; }

  float of(int32_t width) const { return table_[reach + width]; }
  const float *at(int32_t width) const { return table_.data() + reach + width; }
  const float *mirrored(int32_t width) const { return mirror_.data() + reach + width; }  // of(-width)
  // The sum over widths low .. high - 1.
  double between(int32_t low, int32_t high) const { return sums_[reach + high] - sums_[reach + low]; }

 private:
  std::vector<double> weights_;
  std::vector<float> table_, mirror_;
  std::vector<double> sums_;
};

// What the E-step learns about steps. Widths w(d) that share a normaliser Z are not estimated by
// their frequency; w(d) = count(d) / exposure(d), where exposure sums visits(i') / Z(i') over the
// positions from which d stays in the sentence, never lowers the likelihood (Hunter 2004).
// Sums are integers (see fixed_point.h), so that the order of sentences does not matter.
struct JumpCounts {
  std::vector<int64_t> count, exposure_change;  // by width + reach; exposure as differences
  JumpCounts() : count(2 * Jumps::reach + 2), exposure_change(2 * Jumps::reach + 2) {}
  void add(const JumpCounts &other);
};

class Hmm {
 public:
  // Transitions whose share is below `prune` are skipped; 0 computes everything.
  float prune = 1e-7f;

  // Posteriors of J target words over a window of W source positions: word j sees positions
  // begin[j] .. begin[j] + W - 1, begin not falling. lexical[j * W + k] = p(target word j | source
  // word begin[j] + k), null_lexical[j] = p(target word j | nothing). Fills posterior (same shape) and
  // null_posterior; adds to `counts` if given. Returns the log-likelihood.
  // O(J * W * W), less with pruning.
  double run(int32_t J, int32_t I, int32_t W, const int32_t *begin, const float *lexical,
             const float *null_lexical, float null, const Jumps &jumps, float *posterior, float *null_posterior,
             JumpCounts *counts);

 private:
  std::vector<float> words_, nulls_, mass_, step_, back_, ahead_, value_, inverse_, pairs_;
  std::vector<float> start_, scale_;
  std::vector<double> exposure_;
};

}  // namespace wordorder::align
