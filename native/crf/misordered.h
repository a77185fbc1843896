// How many pairs of words each edge puts into the wrong order.
#pragma once

#include <cstdint>

namespace wordorder::crf {

// `first` and `last` are the first and last target positions that each word is linked to, or -1 for a word without
// links. Word a belongs before word b if neither of its positions is after the corresponding position of b, and they
// are not all equal; pairs with no such order are never wrong. `wrong` and `moved` get two entries per edge (edges.h).
// Pairs in which one or both words have no link are counted separately in `moved`: by default, those that an inverted
// edge inverts. With `attach`, those in the wrong order if each word without links stands directly before the next word
// with links (or, at the end of the sentence, where the last word with links stands).
void misordered(const int32_t *first, const int32_t *last, int32_t n, bool attach, float *wrong, float *moved);

}  // namespace wordorder::crf
