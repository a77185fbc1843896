// Conditional random fields over binary trees whose nodes have hidden states.
//
// The label of a node is its op (edges.h) and one of S states: label = 2 * state + op. The score of a tree with states
// is the sum of the scores of its edges, which depend on the state of the node, and of one transition for every node
// that is a part of another: transitions[(parent label * 2 S + child label) * 2 + side], side 0 for left parts and 1
// for right parts. Words have no state. A tree without states has the sum over all states of its nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::crf {

class StateChart {
 public:
  explicit StateChart(int32_t states) : labels_(2 * states) {}

  // Computes inside values for scores[state][2 * edge + op], plus log weights of edges unless null. Returns log Z,
  // which is minus infinity if the weights leave no tree.
  double inside(const float *scores, const float *weights, const float *transitions, int32_t n);
  // Adds the posteriors of all edges and transitions, times `factor`, to arrays in the layout of `inside`. Log Z must
  // be finite.
  void add_posteriors(float factor, float *edges, float *transitions) const;
  // Writes the log probability of each edge given its span, one pair of numbers per edge. As scores without states they
  // define the distribution over trees in which spans are independent of what is above them, and which has the
  // posteriors of this one. It has the least divergence from this one among all distributions of that form.
  void project(float *out) const;

 private:
  template <class Visit>
  void descend(float factor, float *transitions, Visit visit) const;
  size_t cell(int32_t i, int32_t j) const { return (static_cast<size_t>(i) * (n_ + 1) + j) * labels_; }

  int32_t labels_, n_ = 0;
  const float *transitions_ = nullptr;
  double log_z_ = 0;
  std::vector<double> value_;    // log inside values by label, [i][j][label]
  std::vector<double> part_[2];  // those of left and right parts by the label of the parent, [i][j][label]
  std::vector<double> edge_;     // the share of each edge among those of its span and label, [edge][label]
};

}  // namespace wordorder::crf
