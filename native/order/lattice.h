// The smallest acyclic automaton that accepts a set of orders of the same words.
//
// The orders are sorted. States that the next order does not share with the previous one are finished, and a finished
// state that is equivalent to a known one is replaced by it (Daciuk et al. 2000).
#pragma once

#include <cstdint>
#include <vector>

#include "order/lattice_numbers.h"

namespace wordorder::order {

struct WeightedArcs {
  std::vector<LatticeArc> arcs;
  std::vector<double> log_probs;  // of each arc
};

// The arcs sorted by state. States are numbered from 0 such that arcs advance by few states; the last one is final.
// Orders are rows of n numbers; they need not be sorted and may be repeated. If log_probs is given, the weights along a path add up to the
// logarithm of the probability of its order, and only states whose arcs have the same weights, to six digits, are
// equivalent: the weight of an arc is the probability of its orders given those of its state, and the arcs that leave
// the first state also carry the probability of all orders. Otherwise weights are 0. All log_probs must be finite.
WeightedArcs minimal_lattice(const int32_t *orders, int64_t size, int32_t n, const double *log_probs);

// For each arc, the sum of table[w * n + u] over the words u that are read after its word w. This is well defined,
// because all paths into a state have read the same words.
std::vector<double> lattice_gains(const std::vector<LatticeArc> &arcs, const double *table, int32_t n);

}  // namespace wordorder::order
