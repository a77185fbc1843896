#include "crf/layers.h"

#include <algorithm>

#include "crf/chart.h"
#include "base/dispatch.h"
#include "base/lanes.h"

namespace wordorder::crf {

using namespace base;

namespace {

// Rows of `size` floats, each filled up to whole lanes with zeros.
std::vector<float> widened(const float *rows, int64_t count, int32_t size, int32_t wide) {
  std::vector<float> out(count * wide, 0);
  for (int64_t r = 0; r < count; ++r) std::copy_n(rows + r * size, size, &out[r * wide]);
  return out;
}

WO_INLINE Lanes &lanes(float *at) { return *reinterpret_cast<Lanes *>(at); }
WO_INLINE const Lanes &lanes(const float *at) { return *reinterpret_cast<const Lanes *>(at); }

WO_INLINE Lanes positive(Lanes x) { return x > 0 ? x : Lanes{}; }

WO_INLINE float total(Lanes x) {
  float sum = 0;
  for (int32_t c = 0; c < lane_count; ++c) sum += x[c];
  return sum;
}

// Sums over all a < row and b < column of a table of pairs of words, [n + 1][n + 1].
std::vector<double> summed(const float *table, int64_t stride, int32_t n) {
  const int64_t m = n + 1;
  std::vector<double> out(m * m, 0);
  for (int64_t a = 0; a < n; ++a) {
    double along = 0;
    for (int64_t b = 0; b < n; ++b) {
      along += table[a * stride + b];
      out[(a + 1) * m + b + 1] = out[a * m + b + 1] + along;
    }
  }
  return out;
}

double rectangle(const std::vector<double> &sums, int64_t m, int64_t i, int64_t k, int64_t j) {
  return sums[k * m + j] - sums[i * m + j] - sums[k * m + k] + sums[i * m + k];
}

WO_CLONES void forward_edges(int32_t n, int32_t wide, const float *spans, const float *weight, const float *masks,
                             const Masks &choice, float *out) {
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      const float *whole = spans + (3 * span_number(n, i, j) + 2) * wide;
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        const float *left = spans + 3 * span_number(n, i, k) * wide;
        const float *right = spans + (3 * span_number(n, k, j) + 1) * wide;
        const float *mask = masks + choice.of(edge) * wide;
        Lanes straight{}, inverted{};
        for (int32_t c = 0; c < wide; c += lane_count) {
          const Lanes x = positive(lanes(left + c) + lanes(right + c) + lanes(whole + c)) * lanes(mask + c);
          straight += x * lanes(weight + c);
          inverted += x * lanes(weight + wide + c);
        }
        out[2 * edge] = total(straight);
        out[2 * edge + 1] = total(inverted);
      }
    }
  }
}

WO_CLONES void backward_edges(int32_t n, int32_t wide, const float *spans, const float *weight, const float *masks,
                              const Masks &choice, const float *by, float *spans_by, float *weight_by) {
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      const int64_t top = (3 * span_number(n, i, j) + 2) * wide;
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        const float straight = by[2 * edge], inverted = by[2 * edge + 1];
        if (straight == 0 && inverted == 0) continue;
        const int64_t left = 3 * span_number(n, i, k) * wide, right = (3 * span_number(n, k, j) + 1) * wide;
        const float *mask = masks + choice.of(edge) * wide;
        for (int32_t c = 0; c < wide; c += lane_count) {
          const Lanes x = lanes(spans + left + c) + lanes(spans + right + c) + lanes(spans + top + c);
          const Lanes factor = x > 0 ? lanes(mask + c) : Lanes{};
          const Lanes unit = x * factor;
          const Lanes g = (straight * lanes(weight + c) + inverted * lanes(weight + wide + c)) * factor;
          lanes(weight_by + c) += straight * unit;
          lanes(weight_by + wide + c) += inverted * unit;
          lanes(spans_by + left + c) += g;
          lanes(spans_by + right + c) += g;
          lanes(spans_by + top + c) += g;
        }
      }
    }
  }
}

}  // namespace

WO_CLONES void SpanLayer::forward(int32_t n, const Masks &masks, float *out) const {
  for (int64_t i = 0, s = 0; i < n; ++i) {
    for (int64_t j = i + 1; j <= n; ++j, ++s, out += size) {
      const float *a = left + i * size, *b = right + j * size, *w = width + bucket[j - i] * size;
      const float *mask = masks.rows + masks.of(s) * size;
      for (int32_t c = 0; c < size; ++c) {
        const float x = a[c] + b[c] + w[c];
        out[c] = (x > 0 ? x : 0) * mask[c];
      }
    }
  }
}

WO_CLONES void SpanLayer::backward(int32_t n, const Masks &masks, const float *by, float *left_by, float *right_by,
                                   float *width_by) const {
  std::vector<float> row(size);
  for (int64_t i = 0, s = 0; i < n; ++i) {
    for (int64_t j = i + 1; j <= n; ++j, ++s, by += size) {
      const float *a = left + i * size, *b = right + j * size, *w = width + bucket[j - i] * size;
      const float *mask = masks.rows + masks.of(s) * size;
      float *g = row.data(), *a_by = left_by + i * size, *b_by = right_by + j * size, *w_by = width_by + bucket[j - i] * size;
      for (int32_t c = 0; c < size; ++c) g[c] = a[c] + b[c] + w[c] > 0 ? by[c] * mask[c] : 0;
      for (int32_t c = 0; c < size; ++c) a_by[c] += g[c];
      for (int32_t c = 0; c < size; ++c) b_by[c] += g[c];
      for (int32_t c = 0; c < size; ++c) w_by[c] += g[c];
    }
  }
}

void EdgeLayer::forward(int32_t n, const Masks &masks, float *out) const {
  const int32_t wide = padded(size);
  const std::vector<float> given = widened(spans, 3 * span_count(n), size, wide), by = widened(weight, 2, size, wide);
  const std::vector<float> kept = widened(masks.rows, masks.count, size, wide);
  forward_edges(n, wide, given.data(), by.data(), kept.data(), masks, out);
  std::vector<double> sums;
  if (turned) sums = summed(turned, stride, n);
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      for (int32_t k = i + 1; k < i + d; ++k, ++edge) {
        out[2 * edge] += bias[0];
        out[2 * edge + 1] += bias[1];
        if (turned) out[2 * edge + 1] += static_cast<float>(rectangle(sums, n + 1, i, k, i + d));
      }
    }
  }
}

void EdgeLayer::backward(int32_t n, const Masks &masks, const float *by, float *spans_by, float *weight_by, float *bias_by,
                         float *turned_by) const {
  const int32_t wide = padded(size);
  const std::vector<float> given = widened(spans, 3 * span_count(n), size, wide);
  const std::vector<float> kept = widened(masks.rows, masks.count, size, wide);
  const std::vector<float> factors = widened(weight, 2, size, wide);
  std::vector<float> found(given.size(), 0), found_weight(2 * wide, 0);
  backward_edges(n, wide, given.data(), factors.data(), kept.data(), masks, by, found.data(), found_weight.data());
  for (int64_t r = 0; r < 3 * span_count(n); ++r) std::copy_n(&found[r * wide], size, spans_by + r * size);
  for (int32_t op = 0; op < 2; ++op) {
    for (int32_t c = 0; c < size; ++c) weight_by[op * size + c] += found_weight[op * wide + c];
  }
  // Each edge adds to the rectangle of rows i .. k - 1 and columns k .. j - 1: a difference array of four corners.
  const int64_t m = n + 1;
  std::vector<double> corners(turned_by ? m * m : 0, 0);
  double sums[2] = {0, 0};
  int64_t edge = 0;
  for (int64_t d = 2; d <= n; ++d) {
    for (int64_t i = 0; i + d <= n; ++i) {
      for (int64_t k = i + 1, j = i + d; k < j; ++k, ++edge) {
        sums[0] += by[2 * edge];
        const double g = by[2 * edge + 1];
        sums[1] += g;
        if (!turned_by) continue;
        corners[i * m + k] += g, corners[k * m + k] -= g;
        corners[i * m + j] -= g, corners[k * m + j] += g;
      }
    }
  }
  for (int op = 0; op < 2; ++op) bias_by[op] += static_cast<float>(sums[op]);
  if (!turned_by) return;
  for (int64_t a = 0; a < n; ++a) {
    double along = 0;
    for (int64_t b = 0; b < n; ++b) {
      along += corners[a * m + b];
      corners[a * m + b] = along + (a ? corners[(a - 1) * m + b] : 0);
      turned_by[a * stride + b] += static_cast<float>(corners[a * m + b]);
    }
  }
}

void pair_weights(const float *leave, const float *turn, int64_t stride, int32_t n, float *out) {
  const std::vector<double> straight = summed(leave, stride, n), inverted = summed(turn, stride, n);
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      for (int32_t k = i + 1; k < i + d; ++k) {
        *out++ = -static_cast<float>(rectangle(straight, n + 1, i, k, i + d));
        *out++ = -static_cast<float>(rectangle(inverted, n + 1, i, k, i + d));
      }
    }
  }
}

}  // namespace wordorder::crf
