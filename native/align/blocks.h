// Blocks of an alignment: the finest division of the linked words into pairs of ranges such that no link leaves its
// block and no two blocks overlap on either side (minimal phrase pairs).
#pragma once

#include <vector>

#include "align/symmetrise.h"

namespace wordorder::align {

struct Block {  // source and target positions from .. to, inclusive
  int32_t source_from, source_to, target_from, target_to;
};

// The blocks of the links of one sentence, in source order. The links must be sorted.
std::vector<Block> blocks_of(const Link *first, const Link *last);

}  // namespace wordorder::align
