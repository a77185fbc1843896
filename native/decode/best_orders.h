// The orders with the least expected Kendall distance, given a table of pairwise precedence (order/precedence.h).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::decode {

struct RankedOrder {
  double loss;  // expected number of pairs in the wrong order
  std::vector<int32_t> order;
};

// The k best orders that <1,2> and <2,1> can build and in which words move only within `widest` neighbouring words
// (narrow_spans.h; 0: no limit), without repetition, by dynamic programming over spans;
// O(n * widest^2) for k = 1. If losses are equal, the order that inverts fewer pairs comes first. The best order does
// not depend on k.
std::vector<RankedOrder> best_orders(const std::vector<double> &inverted, int32_t n, int32_t k, int32_t widest);

// Exchanges neighbouring blocks of words as long as that lowers the loss. This reaches orders that need longer
// operators.
void improve(const std::vector<double> &inverted, int32_t n, RankedOrder &ranked);

// The k best orders. With `moves` the best one is improved, and if it changes, the new order comes first.
std::vector<RankedOrder> ranked_orders(const std::vector<double> &inverted, int32_t n, int32_t k, bool moves,
                                       int32_t widest);

}  // namespace wordorder::decode
