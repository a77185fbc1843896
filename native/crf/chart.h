// Conditional random fields over binary trees of a sentence. Every edge (i, k, j, op), the words i .. j - 1
// cut before word k and read straight (op 0) or inverted (op 1), has a score; a tree's is the sum of its
// edges', and its probability proportional to the exponential. One number an edge, spans by rising length,
// then by start, then by cut, then straight before inverted:
//
//   scores[2 * (span_offset(n, i, j) + k - i - 1) + op]
//
// Several trees read one order. All of them count, unless `canonical` is set: then the right part of an edge
// never has its op, so that every order has one tree (a word has no op and stands anywhere).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::crf {

// Edges of n words: ways to choose i < k < j, each read two ways.
constexpr int64_t edge_count(int64_t n) { return n < 2 ? 0 : (n + 1) * n * (n - 1) / 6; }

// The number of the first edge of a span of two or more words: shorter spans and those further left are before it.
inline int64_t span_offset(int64_t n, int64_t i, int64_t j) {
  const int64_t d = j - i, m = d - 2;  // spans of 2 .. d - 1 words: sum of (n - c) * c for c = 1 .. m
  return n * m * (m + 1) / 2 - m * (m + 1) * (2 * m + 1) / 6 + i * (d - 1);
}

// Inside values in log space, and from them all that is asked of a sentence. An edge's share of its span is
// kept, so posteriors are products down from the root and need no logarithm.
class CrfChart {
 public:
  // Scores plus, if given, weights; either may hold minus infinity. Returns log Z.
  template <class T>
  double inside(const T *scores, const T *weights, int32_t n, bool canonical);
  // Posteriors of all edges times `by`, added to `out`. Log Z must be finite.
  template <class T>
  void add_posteriors(double by, T *out);

  // After inside: inverted[a * n + b] for a < b, the probability that word b comes before word a, and
  // next[a * (n + 1) + b], that word b directly follows word a; n stands for the sentence's boundaries.
  void tables(std::vector<double> &inverted, std::vector<double> &next);

  double log_z() const { return n_ < 2 ? 0 : at(any_, 0, n_); }

 private:
  double at(const std::vector<double> &table, int32_t i, int32_t j) const { return table[i * (n_ + 1) + j]; }
  void span_posteriors(std::vector<double> &out);

  int32_t n_ = 0;
  bool canonical_ = false;
  std::vector<double> any_;       // log inside of spans, [i][j]
  std::vector<double> right_[2];  // the same as the right part of an edge with that op, [j][i]
  std::vector<double> share_[2];  // of spans' values: what that op has on top, [i][j]
  std::vector<double> edge_;      // the edge's share of what its op has
};

// The best tree: cuts and ops in preorder, spans of two or more words; -1 and its score if there is none.
struct CrfNode {
  int32_t begin, cut, end, op;
};
template <class T>
double best_tree(const T *scores, int32_t n, bool canonical, std::vector<CrfNode> &tree);

// How many pairs of words each edge misorders, by first and last target position of words (-1: no link). Word a
// belongs before word b if neither of its positions is after b's; where that leaves no order there is nothing to
// misorder. Pairs of which one or both have no link are counted apart, in `moved`: those that an inverted edge turns; or,
// with `attach`, those in the wrong order if words without links stand where the next word with links does (the last
// such word, at the end), before it.
void misordered(const int32_t *first, const int32_t *last, int32_t n, bool attach, float *wrong, float *moved);

}  // namespace wordorder::crf
