// How many n-grams pairs of texts share, for texts that take part in many pairs.
#pragma once

#include <cstdint>

#include "base/batch.h"

namespace wordorder::overlap {

constexpr int32_t largest_order = 6;
constexpr int32_t symbol_bits = 21;  // enough for any character; six symbols fit 128 bits

// For each pair p and each order n from 1 on, out[p * order + n - 1] is the number of n-grams that text first[p] and
// text second[p] share; a repeated n-gram counts as often as in the text with fewer repetitions.
void shared_ngrams(const base::Batch &texts, int32_t order, const int64_t *first, const int64_t *second, int64_t pairs,
                   int threads, int64_t *out);

}  // namespace wordorder::overlap
