// Weighted sums of rows of statistics, for corpora that are too large to be resampled as a whole.
//
// The weight of a segment in a sample depends on nothing but the seed and the numbers of the segment and the sample, and
// sums are exact. Parts of the corpus can therefore be summed anywhere, in any order, with the same result.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace wordorder::resample {

enum class Draw {
  all,      // every weight is 1
  poisson,  // how often a segment is drawn: Poisson with mean 1 (Hanley and MacGibbon 2006)
  half,     // 1 with probability 1/2, else 0
};

// A number as multiples of 2^26, of 2^-12 and of 2^-51. It is rounded to a multiple of the last, and below 2^63.
constexpr int parts = 3;
constexpr std::array<int, parts> exponents{26, -12, -51};
constexpr double too_large = 9223372036854775808.0;  // 2^63

// Rows of `columns` statistics, the first of which belongs to segment `first`.
struct Rows {
  const double *values;
  int64_t first, count, columns;
};

// Returns the parts of each sum, [samples][columns][parts], as integers. They are carried: all but the first are at most
// half a unit of the part before, so that the parts of a sum are unique.
std::vector<int64_t> weighted_sums(Draw draw, uint64_t seed, const Rows &rows, int64_t samples);

// Carries in place.
void carry(int64_t *sum);

// Fills `out` with the weights of segments first .. first + count - 1 in a sample.
void weights(Draw draw, uint64_t seed, int64_t first, int64_t count, int64_t sample, double *out);

}  // namespace wordorder::resample
