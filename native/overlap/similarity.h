// Similarities of texts, computed from counts of the pieces that they share.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::overlap {

// What is computed from precision p and recall r.
enum class Measure : int {
  precision,
  recall,
  lesser,         // of p and r
  greater,        // of p and r
  f,              // (1 + b^2) p r / (b^2 p + r)
  symmetric_f,    // the same of the lesser and the greater
  geometric,      // sqrt(p r)
  disbalance,     // no share: length of the longer text / length of the shorter one - 1
  too_short,      // no share: log(length of the reference / length of the hypothesis), 0 or more
  too_long,       // the reverse
  lost_neighbours,  // of words: how many of their pairs, of another kind, are fewer than expected; next to each other
  lost_order,       // the same, in the same order at any distance
};

struct Similarity {
  int32_t pieces;  // the kind of pieces
  int32_t pairs;   // another kind, of lost neighbours and lost order
  Measure measure;
  double beta;     // of f
  double copy;     // is subtracted: the value of a copy, or 0
};

// What replaces the counts of a kind of pieces where neither text has any.
constexpr int32_t kNothing = -2;  // nothing: they stay 0
constexpr int32_t kOne = -1;      // 1 on both sides, which is matched; numbers from 0 on are other kinds

// `counts` are [kinds][3][pairs]: matched, pieces of the hypothesis, of the reference. Kinds are replaced in their order.
// Values above `most` become `most`. Writes out[similarity][pair].
void similarities(const int64_t *counts, int64_t pairs, const std::vector<int32_t> &instead,
                  const std::vector<Similarity> &wanted, double most, double *out);

}  // namespace wordorder::overlap
