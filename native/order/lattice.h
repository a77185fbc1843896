// The smallest acyclic automaton that accepts a set of orders of the same words.
//
// The orders are sorted. States that the next order does not share with the previous one are finished, and a finished
// state that is equivalent to a known one is replaced by it (Daciuk et al. 2000).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::order {

struct LatticeArc {
  int32_t from, to, label;
};

// The arcs sorted by state. States are numbered breadth first from 0; the last one is final. Orders are rows of n
// numbers; they need not be sorted and may be repeated.
std::vector<LatticeArc> minimal_lattice(const int32_t *orders, int64_t size, int32_t n);

// For each arc, the sum of table[w * n + u] over the words u that are read after its word w. This is well defined,
// because all paths into a state have read the same words.
std::vector<double> lattice_gains(const std::vector<LatticeArc> &arcs, const double *table, int32_t n);

}  // namespace wordorder::order
