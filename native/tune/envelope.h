// The exact line search of minimum error rate training (Och 2003): which candidate is best at each point of a line.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::tune {

// At the point `at`, the best candidate of a sentence changes from `before` to `after`.
struct Change {
  double at;
  int64_t before, after;
};

// The upper envelope of the lines offset[c] + t * slope[c] for first <= c < last. Appends the changes in the order of t
// and returns the best candidate before the first change. Of equal lines the first candidate counts.
int64_t upper_envelope(const double *offset, const double *slope, int64_t first, int64_t last,
                       std::vector<Change> &changes);

}  // namespace wordorder::tune
