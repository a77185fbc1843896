// The smallest acyclic automaton that accepts a set of orders of the same words.
//
// Orders are taken in alphabetical order; whatever the next one does not share with the one before is
// finished, and a finished state that is like a known one is replaced by it (Daciuk et al. 2000).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::order {

struct LatticeArc {
  int32_t from, to, label;
};

// Arcs by state, states numbered breadth first from 0; the last one is final. Orders are rows of n numbers and
// need not be sorted; the same one may stand there twice.
std::vector<LatticeArc> minimal_lattice(const int32_t *orders, int64_t size, int32_t n);

// For each arc, the sum of table[w * n + u] over the words u that are still to come after its word w.
// All paths into a state have read the same words, for those out of it read the others.
std::vector<double> lattice_gains(const std::vector<LatticeArc> &arcs, const double *table, int32_t n);

}  // namespace wordorder::order
