// Batch MIRA over lists of candidates (Cherry and Foster 2012).
#pragma once

#include <cstdint>

#include "tune/candidates.h"

namespace wordorder::tune {

// Weights during training, and what is needed for their average over all steps.
struct MiraState {
  double *weights;
  double *correction;  // the average is weights - correction / steps
  int64_t steps;
};

// One pass over the sentences in the given order. For each sentence, the weights are moved so that the hope candidate
// (model score plus gain is largest) is above the fear candidate (model score minus gain is largest) by the difference
// of their gains, but by at most `most` times the difference of their features. Of equal candidates the first counts.
void mira_pass(const Candidates &candidates, const double *gains, const int64_t *order, double most, MiraState &state);

}  // namespace wordorder::tune
