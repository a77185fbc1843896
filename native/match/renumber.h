// Alignments as permutations.
#pragma once

#include <vector>

#include "base/batch.h"

namespace wordorder::match {

// Turns reference positions, in hypothesis order, into permutations: drops words without a position and renumbers
// the others. If two words have the same position (possible in RIBES), the later one gets the smaller number.
void renumber(const base::Batch &positions, std::vector<int32_t> &values, std::vector<int64_t> &ends);

}  // namespace wordorder::match
