// Conditional random fields over the binary trees of a sentence.
//
// Every edge (edges.h) has a score for each op. The score of a tree is the sum of the scores of its edges, and its
// probability is proportional to the exponential of its score. Several trees can read the same order. All of them
// count, unless `canonical` is set: then the right part of an edge never has the op of the edge at its top, so that
// every order has exactly one tree.
#pragma once

#include <vector>

#include "crf/edges.h"

namespace wordorder::crf {

// Inside values in log space, and what follows from them. The share of each edge in its span is stored, so posteriors
// are products down from the root and need no logarithms.
class Chart {
 public:
  // Computes inside values for scores plus, unless null, log weights. Both may be minus infinity. Returns log Z.
  template <class T>
  double inside(const T *scores, const T *weights, int32_t n, bool canonical);
  // Adds the posteriors of all edges, times `factor`, to `out`. Log Z must be finite.
  template <class T>
  void add_posteriors(double factor, T *out);

  // After `inside`: the table of pairwise precedence (order/precedence.h), and next[a * (n + 1) + b], the probability
  // that word b directly follows word a, where n stands for a sentence boundary.
  void tables(std::vector<double> &inverted, std::vector<double> &next);

  double log_z() const { return n_ < 2 ? 0 : at(any_, 0, n_); }

 private:
  double at(const std::vector<double> &table, int32_t i, int32_t j) const { return table[i * (n_ + 1) + j]; }
  void edge_posteriors(std::vector<double> &out);

  int32_t n_ = 0;
  bool canonical_ = false;
  std::vector<double> any_;       // log inside values of spans, [i][j]
  std::vector<double> right_[2];  // the same for the right part of an edge with this op, [j][i]
  std::vector<double> share_[2];  // the share of a span's value that has this op at the top, [i][j]
  std::vector<double> edge_;      // the share of each edge among the edges of its span and op
};

}  // namespace wordorder::crf
