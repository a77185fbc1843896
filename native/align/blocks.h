// Blocks of an alignment: the finest cut of the linked words into pairs of ranges such that no link
// leaves its block and no two blocks overlap on either side (minimal phrase pairs).
#pragma once

#include <vector>

#include "align/symmetrise.h"

namespace wordorder::align {

struct Span {  // a block: source and target positions from .. to, both included
  int32_t source_from, source_to, target_from, target_to;
};

// The blocks of one sentence's links, which must be sorted, in source order.
std::vector<Span> blocks_of(const Link *first, const Link *last);

}  // namespace wordorder::align
