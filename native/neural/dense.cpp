#include "neural/dense.h"

#include "base/dispatch.h"
#include "base/lanes.h"

namespace wordorder::neural {

using namespace base;

std::vector<float> pack(const float *weights, int32_t outputs, int32_t inputs) {
  std::vector<float> packed(in_panels(outputs) * inputs, 0);
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i) {
      packed[(o / panel * inputs + i) * panel + o % panel] = weights[o * inputs + i];
    }
  }
  return packed;
}

namespace {

WO_CLONES void multiply_panels(const float *x, int64_t rows, const PackedWeights &weights, float *out, bool add) {
  const int64_t width = in_panels(weights.outputs), inputs = weights.inputs;
  static_assert(panel == 2 * lane_count);
  for (int64_t at = 0; at < width; at += panel) {
    const float *own = weights.data + at * inputs;
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
      product_tile<false, 4, 2>(x + r * inputs, inputs, 1, own, panel, weights.inputs, out + r * width + at, width,
                                add);
    }
    for (; r < rows; ++r) {
      product_tile<false, 1, 2>(x + r * inputs, inputs, 1, own, panel, weights.inputs, out + r * width + at, width,
                                add);
    }
  }
}

}  // namespace

void multiply(const float *x, int64_t rows, const PackedWeights &weights, float *out, bool add) {
  multiply_panels(x, rows, weights, out, add);
}

}  // namespace wordorder::neural
