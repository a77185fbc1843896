// The edges of all binary trees over a sentence, and their numbers.
//
// An edge (i, k, j) joins the words i .. k - 1 with the words k .. j - 1. Edges are numbered by the length of the span,
// then by its start, then by the split. An array of scores has two entries per edge, straight (op 0) before inverted
// (op 1): scores[2 * edge + op].
#pragma once

#include <cstdint>

namespace wordorder::crf {

// The number of edges of n words: the number of ways to choose i < k < j.
constexpr int64_t edge_count(int64_t n) { return n < 2 ? 0 : (n + 1) * n * (n - 1) / 6; }

// The number of edge (i, k, j).
inline int64_t edge_number(int64_t n, int64_t i, int64_t k, int64_t j) {
  const int64_t d = j - i, m = d - 2;  // shorter spans have the sum of (n - c) * c edges, for c = 1 .. m
  return n * m * (m + 1) / 2 - m * (m + 1) * (2 * m + 1) / 6 + i * (d - 1) + k - i - 1;
}

// Calls visit(edge, i, k, j) for all edges in the order of their numbers.
template <class Visit>
void each_edge(int32_t n, Visit visit) {
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      for (int32_t k = i + 1; k < i + d; ++k, ++edge) visit(edge, i, k, i + d);
    }
  }
}

// The number of spans of n words, and the number of one of them: by start, then by end.
constexpr int64_t span_count(int64_t n) { return n * (n + 1) / 2; }
inline int64_t span_number(int64_t n, int64_t i, int64_t j) { return i * n - i * (i - 1) / 2 + j - i - 1; }

}  // namespace wordorder::crf
