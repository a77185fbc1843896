// Counts from which the flat scores are computed, for permutations of 0 .. n - 1.
#pragma once

#include "base/batch.h"

namespace wordorder::order {

enum class Flat : int { inversions, squares, footrule, fixed, rising, adjacent, words, pairs };

// Writes the count of every permutation of the batch to out[s]:
//   inversions  pairs that are out of order                       O(n) for n <= 64, else O(n log n)
//   squares     sum of (p[i] - i)^2, as used by Spearman
//   footrule    sum of |p[i] - i|
//   fixed       positions with p[i] == i
//   rising      length of the longest increasing subsequence      O(n log n)
//   adjacent    positions with p[i + 1] == p[i] + 1
//   words       n
//   pairs       n (n - 1) / 2
void flat_counts(const base::Batch &batch, Flat what, int64_t *out);

// Counts positions t with p[t] >= t + k.
void anticipated(const base::Batch &batch, int32_t k, int64_t *out);

// One of the counts above for a single permutation.
int64_t flat_count(const int32_t *p, int32_t n, Flat what);

}  // namespace wordorder::order
