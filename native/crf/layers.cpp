#include "crf/layers.h"

#include <algorithm>
#include <vector>

#include "base/dispatch.h"
#include "base/lanes.h"
#include "base/rectangles.h"
#include "crf/edges.h"

namespace wordorder::crf {

using namespace base;

namespace {

WO_CLONES void forward_spans(const SpanLayer &layer, int32_t n, const Masks &masks, float *out) {
  const int32_t size = layer.size;
  for (int64_t i = 0, s = 0; i < n; ++i) {
    for (int64_t j = i + 1; j <= n; ++j, ++s, out += size) {
      const float *a = layer.left + i * size, *b = layer.right + j * size,
                  *w = layer.width + layer.bucket[j - i] * size;
      const float *mask = masks.rows + masks.choose(s) * size;
      for (int32_t c = 0; c < size; ++c) {
        const float x = a[c] + b[c] + w[c];
        out[c] = (x > 0 ? x : 0) * mask[c];
      }
    }
  }
}

WO_CLONES void backward_spans(const SpanLayer &layer, int32_t n, const Masks &masks, const float *gradient,
                              float *left_gradient, float *right_gradient, float *width_gradient) {
  const int32_t size = layer.size;
  std::vector<float> row(size);
  for (int64_t i = 0, s = 0; i < n; ++i) {
    for (int64_t j = i + 1; j <= n; ++j, ++s, gradient += size) {
      const int64_t at_left = i * size, at_right = j * size,
                    at_width = static_cast<int64_t>(layer.bucket[j - i]) * size;
      const float *a = layer.left + at_left, *b = layer.right + at_right, *w = layer.width + at_width;
      const float *mask = masks.rows + masks.choose(s) * size;
      float *g = row.data();
      for (int32_t c = 0; c < size; ++c) g[c] = a[c] + b[c] + w[c] > 0 ? gradient[c] * mask[c] : 0;
      for (int32_t c = 0; c < size; ++c) left_gradient[at_left + c] += g[c];
      for (int32_t c = 0; c < size; ++c) right_gradient[at_right + c] += g[c];
      for (int32_t c = 0; c < size; ++c) width_gradient[at_width + c] += g[c];
    }
  }
}

// Rows of `size` floats, padded with zeros to whole lanes.
std::vector<float> padded_rows(const float *rows, int64_t count, int32_t size) {
  const int32_t width = padded(size);
  std::vector<float> out(count * width, 0);
  for (int64_t r = 0; r < count; ++r) std::copy_n(rows + r * size, size, &out[r * width]);
  return out;
}

WO_INLINE Lanes &lanes(float *at) { return *reinterpret_cast<Lanes *>(at); }
WO_INLINE const Lanes &lanes(const float *at) { return *reinterpret_cast<const Lanes *>(at); }

WO_INLINE float total(const Lanes &x) {
  float sum = 0;
  for (int32_t c = 0; c < lane_count; ++c) sum += x[c];
  return sum;
}

// Hidden units of an edge from the rows of its three spans: `unit` is the rectified and masked sum, `factor` its
// derivative.
WO_INLINE void hidden_units(const float *left, const float *right, const float *whole, const float *mask, Lanes &unit,
                            Lanes &factor) {
  const Lanes x = lanes(left) + lanes(right) + lanes(whole);
  factor = x > 0 ? lanes(mask) : Lanes{};
  unit = x * factor;
}

// An edge layer with padded rows.
struct PaddedLayer {
  PaddedLayer(const EdgeLayer &layer, int32_t n, const Masks &choice)
      : n(n),
        width(padded(layer.size)),
        masks(choice),
        spans(padded_rows(layer.spans, 3 * span_count(n), layer.size)),
        weight(padded_rows(layer.weight, 2, layer.size)),
        factors(padded_rows(choice.rows, choice.count, layer.size)) {}

  // Where the row of a span in a role begins.
  int64_t row(int32_t i, int32_t j, int role) const { return (3 * span_number(n, i, j) + role) * width; }
  const float *mask(int64_t edge) const { return factors.data() + masks.choose(edge) * width; }

  int32_t n, width;
  const Masks &masks;
  std::vector<float> spans, weight, factors;
};

WO_CLONES void forward_edges(const PaddedLayer &layer, float *out) {
  const float *const spans = layer.spans.data(), *const weight = layer.weight.data();
  const int32_t n = layer.n, width = layer.width;
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      const float *whole = spans + layer.row(i, j, 2);
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        const float *left = spans + layer.row(i, k, 0), *right = spans + layer.row(k, j, 1), *mask = layer.mask(edge);
        Lanes straight{}, inverted{}, unit, factor;
        for (int32_t c = 0; c < width; c += lane_count) {
          hidden_units(left + c, right + c, whole + c, mask + c, unit, factor);
          straight += unit * lanes(weight + c);
          inverted += unit * lanes(weight + width + c);
        }
        out[2 * edge] = total(straight);
        out[2 * edge + 1] = total(inverted);
      }
    }
  }
}

WO_CLONES void backward_edges(const PaddedLayer &layer, const float *gradient, float *spans_gradient,
                              float *weight_gradient) {
  const float *const spans = layer.spans.data(), *const weight = layer.weight.data();
  const int32_t n = layer.n, width = layer.width;
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      const int64_t whole = layer.row(i, j, 2);
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        const float straight = gradient[2 * edge], inverted = gradient[2 * edge + 1];
        if (straight == 0 && inverted == 0) continue;
        const int64_t left = layer.row(i, k, 0), right = layer.row(k, j, 1);
        const float *mask = layer.mask(edge);
        Lanes unit, factor;
        for (int32_t c = 0; c < width; c += lane_count) {
          hidden_units(spans + left + c, spans + right + c, spans + whole + c, mask + c, unit, factor);
          const Lanes g = (straight * lanes(weight + c) + inverted * lanes(weight + width + c)) * factor;
          lanes(weight_gradient + c) += straight * unit;
          lanes(weight_gradient + width + c) += inverted * unit;
          lanes(spans_gradient + left + c) += g;
          lanes(spans_gradient + right + c) += g;
          lanes(spans_gradient + whole + c) += g;
        }
      }
    }
  }
}

// Sums over rectangles of a table of pairs of words.
RectangleSums<double> pair_sums(const float *table, int64_t stride, int32_t n) {
  RectangleSums<double> sums(n);
  sums.set([&](int64_t a, int64_t b) { return table[a * stride + b]; });
  return sums;
}

}  // namespace

void SpanLayer::forward(int32_t n, const Masks &masks, float *out) const { forward_spans(*this, n, masks, out); }

void SpanLayer::backward(int32_t n, const Masks &masks, const float *gradient, float *left_gradient,
                         float *right_gradient, float *width_gradient) const {
  backward_spans(*this, n, masks, gradient, left_gradient, right_gradient, width_gradient);
}

void EdgeLayer::forward(int32_t n, const Masks &masks, float *out) const {
  forward_edges(PaddedLayer(*this, n, masks), out);
  const RectangleSums<double> sums = turned ? pair_sums(turned, stride, n) : RectangleSums<double>(0);
  each_edge(n, [&](int64_t edge, int32_t i, int32_t k, int32_t j) {
    out[2 * edge] += bias[0];
    out[2 * edge + 1] += bias[1];
    if (turned) out[2 * edge + 1] += static_cast<float>(sums(i, k, j));
  });
}

void EdgeLayer::backward(int32_t n, const Masks &masks, const float *gradient, float *spans_gradient,
                         float *weight_gradient, float *bias_gradient, float *turned_gradient) const {
  const PaddedLayer layer(*this, n, masks);
  std::vector<float> padded_spans(layer.spans.size(), 0), padded_weight(2 * layer.width, 0);
  backward_edges(layer, gradient, padded_spans.data(), padded_weight.data());
  for (int64_t r = 0; r < 3 * span_count(n); ++r) {
    std::copy_n(&padded_spans[r * layer.width], size, spans_gradient + r * size);
  }
  for (int32_t op = 0; op < 2; ++op) {
    for (int32_t c = 0; c < size; ++c) weight_gradient[op * size + c] += padded_weight[op * layer.width + c];
  }
  RectangleAdditions<double> pairs(turned_gradient ? n : 0);
  double sums[2] = {0, 0};
  each_edge(n, [&](int64_t edge, int32_t i, int32_t k, int32_t j) {
    for (int op = 0; op < 2; ++op) sums[op] += gradient[2 * edge + op];
    if (turned_gradient) pairs.add(i, k, j, gradient[2 * edge + 1]);
  });
  for (int op = 0; op < 2; ++op) bias_gradient[op] += static_cast<float>(sums[op]);
  if (!turned_gradient) return;
  pairs.sum();
  for (int64_t a = 0; a < n; ++a) {
    for (int64_t b = 0; b < n; ++b) turned_gradient[a * stride + b] += static_cast<float>(pairs.cell(a, b));
  }
}

void pair_weights(const float *keep, const float *invert, int64_t stride, int32_t n, float *out) {
  const RectangleSums<double> straight = pair_sums(keep, stride, n), inverted = pair_sums(invert, stride, n);
  each_edge(n, [&](int64_t edge, int32_t i, int32_t k, int32_t j) {
    out[2 * edge] = -static_cast<float>(straight(i, k, j));
    out[2 * edge + 1] = -static_cast<float>(inverted(i, k, j));
  });
}

}  // namespace wordorder::crf
