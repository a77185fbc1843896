// Consensus decoding for two scores at once: pairs of words in the right order, and neighbours that stay neighbours.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::decode {

// The best of all orders that <1,2> and <2,1> can build: the most of (1 - share) times the expected share of pairs in
// order plus share times the expected share of steps, from boundary to boundary, that are made. `inverted` and `next`
// as in crf.h. Exact; O(n^6) with a small factor, a millisecond at 25 words.
std::vector<int32_t> mixed_order(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n,
                                 double share);

}  // namespace wordorder::decode
