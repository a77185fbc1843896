// Lists of candidate translations with sparse features, as tuners see them.
#pragma once

#include <cstdint>

namespace wordorder::tune {

// The candidates of sentence s are starts[s] .. starts[s + 1] - 1. The features of candidate c are the numbers
// names[k] with values[k] for k in rows[c] .. rows[c + 1] - 1, sorted by name and without repetitions.
struct Candidates {
  const int64_t *starts;
  int64_t sentences;
  const int64_t *rows;
  const int32_t *names;
  const double *values;

  double score(int64_t candidate, const double *weights) const {
    double sum = 0;
    for (int64_t k = rows[candidate]; k < rows[candidate + 1]; ++k) sum += values[k] * weights[names[k]];
    return sum;
  }
};

}  // namespace wordorder::tune
