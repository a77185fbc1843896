// Products of inputs and weight matrices, for networks that are applied without a library of linear algebra: the same
// bits on every CPU, whatever the number of threads and the sentences of a batch.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::neural {

constexpr int32_t panel = 16;  // outputs that are computed together

inline int64_t in_panels(int64_t outputs) { return (outputs + panel - 1) / panel * panel; }

// A weight matrix in panels: weight [o, i] is `data[(o / panel * inputs + i) * panel + o % panel]`; outputs are padded
// with zeros to whole panels, so that the weights of a panel lie in one piece of memory.
struct PackedWeights {
  const float *data;
  int32_t inputs, outputs;
};

// Packs a matrix [outputs, inputs].
std::vector<float> pack(const float *weights, int32_t outputs, int32_t inputs);

// out[r] = weights x[r], added to what is there with `add`. Rows of x are `inputs` apart, rows of out
// `in_panels(outputs)`.
void multiply(const float *x, int64_t rows, const PackedWeights &weights, float *out, bool add);

}  // namespace wordorder::neural
