// The order that is best for a mixture of two scores: pairs of words in the right order, and neighbours kept together.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::decode {

// The best of all orders that <1,2> and <2,1> can build and in which words move only within `widest` neighbouring words
// (narrow_spans.h; 0: no limit). It maximises (1 - share) times the expected share of pairs in order plus share times
// the expected share of correct steps between neighbours, boundaries included. If values are equal, the order inverts
// as few pairs as possible. `inverted` is a table of pairwise precedence (order/precedence.h);
// next[a * (n + 1) + b] is the probability that word b directly follows word a, where n stands for a sentence boundary.
//
// Exact for up to `widest` words. There are O(n^6) ways to join two spans with given first and last words, but bounds
// rule out almost all of them if the tables come from a trained model: 100 words take about ten milliseconds. For more
// words, time grows linearly with n; the search keeps few values of each span and may miss the best order.
std::vector<int32_t> mixed_order(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n,
                                 double share, int32_t widest);

}  // namespace wordorder::decode
