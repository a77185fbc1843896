// Tables of pairwise precedence: table[a * n + b], for a < b, is the probability that word b comes before word a.
// All other cells are zero.
#pragma once

#include <vector>

#include "base/rectangles.h"

namespace wordorder::order {

// The table from the probabilities that were added to rectangles of inverted pairs. Rounding may take sums
// slightly out of range, so they are clipped.
std::vector<double> precedence_table(base::RectangleAdditions<double> &inverted);

}  // namespace wordorder::order
