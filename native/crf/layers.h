// The last layers of the network that scores edges (edges.h).
//
// A hidden layer for each span reads its two borders and its length. A hidden layer for each edge reads its left part,
// its right part and the whole span. Both are sums of rows that are computed beforehand, followed by a rectifier. The
// hidden units of edges are never stored; the backward pass computes them again.
//
// Dropout uses masks, which are rows of factors: a span or an edge chooses one of them at random, the same in both
// passes. Without dropout there is one mask of ones.
#pragma once

#include <cstdint>

namespace wordorder::crf {

// Rows of factors, and the random seed with which the items of one sentence choose among them.
struct Masks {
  const float *rows;
  uint32_t count;
  uint64_t seed;

  // The number of the row that an item uses.
  int64_t choose(int64_t item) const {
    if (count == 1) return 0;
    uint64_t x = seed + static_cast<uint64_t>(item) * 0x9E3779B97F4A7C15u;  // SplitMix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<int64_t>((x ^ (x >> 31)) % count);
  }
};

// Hidden units of spans, [span][size]. Each border has a row as a start (`left`) and a row as an end (`right`); each
// length has a row of `width`, whose number is given by `bucket`.
struct SpanLayer {
  int32_t size;
  const float *left, *right, *width;
  const int32_t *bucket;

  void forward(int32_t n, const Masks &masks, float *out) const;
  // Adds to the derivatives of the inputs, given the derivatives of the units.
  void backward(int32_t n, const Masks &masks, const float *gradient, float *left_gradient, float *right_gradient,
                float *width_gradient) const;
};

// Scores of edges, two per edge. The input is one row per span and role, [span][3][size]: left part, right part, whole.
// `weight` is [2][size]. Unless `turned` is null, the score of an inverted edge includes the sum of `turned`, a table
// with rows of length `stride`, over the pairs of words that the edge inverts.
struct EdgeLayer {
  int32_t size;
  const float *spans, *weight, *bias, *turned;
  int64_t stride;

  void forward(int32_t n, const Masks &masks, float *out) const;
  // Writes the derivatives of spans; adds to those of weight, bias and, unless null, turned.
  void backward(int32_t n, const Masks &masks, const float *gradient, float *spans_gradient, float *weight_gradient,
                float *bias_gradient, float *turned_gradient) const;
};

// Writes the log weights of edges, two per edge: minus the costs of the pairs that a straight edge keeps in order
// (`keep`) and of those that an inverted edge inverts (`invert`).
void pair_weights(const float *keep, const float *invert, int64_t stride, int32_t n, float *out);

}  // namespace wordorder::crf
