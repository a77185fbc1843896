// A layer of a bidirectional LSTM (Hochreiter and Schmidhuber 1997), with the gates of torch: input, forget, cell,
// output.
#pragma once

#include <cstdint>

#include "neural/dense.h"

namespace wordorder::neural {

struct LstmDirection {
  PackedWeights inputs, states;  // [4 units, inputs], [4 units, units]
  const float *bias;             // 4 units
};

struct LstmLayer {
  LstmDirection forward, backward;
  int32_t units;
};

// Reads sentences one after another in `x` ([words, inputs]) and writes the states of each word in both directions to
// `out` ([words, 2 units]).
void run_lstm(const LstmLayer &layer, const float *x, const int32_t *lengths, int64_t sentences, float *out);

}  // namespace wordorder::neural
