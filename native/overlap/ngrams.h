// Numbers of n-grams, from those of shorter ones, and how many n-grams pairs of texts share.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.h"
#include "base/numbers.h"

namespace wordorder::overlap {

// Numbers the n-grams of some texts, one size after the other. An n-gram is the pair of the number of its first n - 1
// symbols and its last symbol, so numbers are exact.
class NgramNumbers {
 public:
  // Symbols are numbers below `symbols`; n-grams of size 1 are the symbols themselves.
  NgramNumbers(const base::Batch &texts, int64_t symbols);
  void lengthen();
  int64_t size() const { return size_; }
  int64_t distinct() const { return distinct_; }
  // The n-gram at every position of a text; it has meaning at positions where the text is long enough.
  const int32_t *of(int64_t text) const { return number_.data() + texts_.offsets[text]; }

 private:
  base::Batch texts_;
  int64_t symbols_, size_ = 1;
  int64_t distinct_;
  std::vector<int32_t> number_;
  base::Numbers numbers_;
};

// For each order n from 1 on and each pair p, out[(n - 1) * pairs + p] is the number of n-grams that text first[p] and
// text second[p] share; a repeated n-gram counts as often as in the text with fewer repetitions.
void shared_ngrams(const base::Batch &texts, int32_t order, const int64_t *first, const int64_t *second, int64_t pairs,
                   int threads, int64_t *out);

// Lists of texts: list l has the texts starts[l] .. starts[l + 1], with weights. The expected count of an n-gram is the
// weighted sum of its counts in the texts of the list. For each order n and each text t, out[(n - 1) * texts + t] is
// the number of n-grams that the text shares with these expected counts.
void expected_ngrams(const base::Batch &texts, int32_t order, const int64_t *starts, int64_t lists,
                     const double *weights, double *out);

}  // namespace wordorder::overlap
