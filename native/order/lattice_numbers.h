// Numbers for the states of a lattice, such that arcs advance by few states.
//
// Decoders number the states of a lattice, and limit by how much the number may rise along an arc. The numbering with
// the smallest rise is hard to find (it is the bandwidth problem), so this is a search that starts from two good ones.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::order {

struct LatticeArc {
  int32_t from, to, label;
};

// The largest difference between the numbers of the two states of an arc.
int32_t largest_jump(const std::vector<LatticeArc> &arcs, const std::vector<int32_t> &number);

// A new number for each state, with which every arc still leads to a larger number; the first and the last state keep
// theirs. The arcs must be sorted by state and lead to larger numbers already, only state 0 may have no arc into it,
// and only the last state none out of it. The largest jump is never larger than before, and if no shorter one is found
// the states keep their numbers.
std::vector<int32_t> short_jump_numbers(const std::vector<LatticeArc> &arcs);

}  // namespace wordorder::order
