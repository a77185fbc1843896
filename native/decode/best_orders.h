// Exact consensus decoding: how probable it is that one word comes before another, summed over all
// derivations of a sentence, and the orders with the least expected Kendall loss given that table.
#pragma once

#include <vector>

#include "grammar/chart.h"

namespace wordorder::decode {

// inverted[a * n + b] for a < b: the probability that word b comes before word a. The chart must have
// inside and outside values. Groups of operators with less than `negligible` expected uses are left out.
std::vector<double> inversions(grammar::Chart &chart);
constexpr double negligible = 1e-7;

// The same from its difference array of (n + 1) x (n + 1) corners, which is overwritten: what was added to the four
// corners of a rectangle of pairs stands in all of it.
std::vector<double> summed_corners(std::vector<double> &diff, int32_t n);

struct RankedOrder {
  double loss;  // expected number of pairs the wrong way round
  std::vector<int32_t> order;
};

// The k best of all orders that <1,2> and <2,1> can build, each once, by dynamic programming over spans;
// O(n^3) for the best one. Of orders with the same loss the one that turns fewer pairs round comes first, and
// which is the best does not depend on k.
std::vector<RankedOrder> best_orders(const std::vector<double> &inverted, int32_t n, int32_t k);

// Exchanges neighbouring blocks of words as long as that lowers the loss: reaches what longer operators build.
void improve(const std::vector<double> &inverted, int32_t n, RankedOrder &found);

// The k best orders; with `moves` the best one is improved, and stands before the others if it was.
std::vector<RankedOrder> ranked_orders(const std::vector<double> &inverted, int32_t n, int32_t k, bool moves);

}  // namespace wordorder::decode
