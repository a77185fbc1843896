// The probability that one word comes before another, summed over all derivations of a sentence.
#pragma once

#include <vector>

#include "grammar/chart.h"

namespace wordorder::grammar {

// The table of pairwise precedence (order/precedence.h). The chart must have inside and outside values.
std::vector<double> precedence(Chart &chart);

}  // namespace wordorder::grammar
