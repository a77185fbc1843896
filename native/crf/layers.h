// The last layers of the network that scores edges (crf.h): a hidden layer for each span, over its two borders and its
// width, and one for each edge, over its left part, its right part and the whole. Both are sums of rows that were computed
// before, cut at zero, and never stored for edges: what the derivatives need is computed again.
//
// Spans (i, j) of a sentence stand by start, then by end. Units are dropped in training by masks, rows of factors: a span
// or an edge takes one of them by chance, the same in both directions.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::crf {

constexpr int64_t span_count(int64_t n) { return n * (n + 1) / 2; }
inline int64_t span_number(int64_t n, int64_t i, int64_t j) { return i * n - i * (i - 1) / 2 + j - i - 1; }

// Rows of `size` factors, and the seed of the choice among them for one sentence.
struct Masks {
  const float *rows;
  uint32_t count;
  uint64_t seed;

  // The number of an item's row.
  int64_t of(int64_t item) const {
    if (count == 1) return 0;
    uint64_t x = seed + static_cast<uint64_t>(item) * 0x9E3779B97F4A7C15u;  // SplitMix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<int64_t>((x ^ (x >> 31)) % count);
  }
};

// Hidden units of spans, [span][size], from rows for each border as a start (`left`) and as an end (`right`) and for each
// width (`width` is a table of rows, `bucket` says which of them).
struct SpanLayer {
  int32_t size;
  const float *left, *right, *width;
  const int32_t *bucket;

  void forward(int32_t n, const Masks &masks, float *out) const;
  // Adds to the derivatives of what it was made from, given those of the units.
  void backward(int32_t n, const Masks &masks, const float *by, float *left_by, float *right_by, float *width_by) const;
};

// Scores of edges, two each, from rows of spans in three roles, [span][3][size]: left part, right part, whole. `weight` is
// [2][size]. Inverted edges also have the sum of `turned` (rows of `stride`) over the pairs that they turn, unless it
// is null.
struct EdgeLayer {
  int32_t size;
  const float *spans, *weight, *bias, *turned;
  int64_t stride;

  void forward(int32_t n, const Masks &masks, float *out) const;
  // Writes derivatives by spans and adds those by weight, bias and turned.
  void backward(int32_t n, const Masks &masks, const float *by, float *spans_by, float *weight_by, float *bias_by,
                float *turned_by) const;
};

// The log weights of edges, two each: less the sum of the costs of what pairs they leave and of what they turn.
void pair_weights(const float *leave, const float *turn, int64_t stride, int32_t n, float *out);

}  // namespace wordorder::crf
