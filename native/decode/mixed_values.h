// What an order is worth for a mixture of two scores, and upper bounds of it.
//
// Orders are those that <1,2> (op 0) and <2,1> (op 1) can build. A node of a tree joins the words i .. k - 1 with the
// words k .. j - 1. Its value is that of the pairs of words that it puts in order, plus that of the one step that it
// makes, from the last word of the part that is read first to the first word of the other part.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rectangles.h"
#include "decode/narrow_spans.h"

namespace wordorder::decode {

// Values are integers, so that sums are exact and equal values compare equal in whatever order they were added. Each
// inverted pair costs one unit, which is far less than the precision of the tables: of orders with equal values, the
// one that inverts fewer pairs is worth more.
class MixedValues {
 public:
  MixedValues(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n, double share);

  int32_t words() const { return n_; }
  // The value of the pairs of words of a node.
  int64_t pairs(int32_t i, int32_t k, int32_t j, int op) const {
    const int64_t count = static_cast<int64_t>(k - i) * (j - k), inverted = inverted_(i, k, j);
    return op ? inverted - count : pair_ * count - inverted;
  }
  // The value of a step from word a to word b; the number of words stands for a sentence boundary.
  int64_t step(int32_t a, int32_t b) const { return steps_[static_cast<size_t>(a) * (n_ + 1) + b]; }

 private:
  int32_t n_;
  std::vector<int64_t> steps_;
  int64_t pair_;  // what one pair in order is worth
  base::RectangleSums<int64_t> inverted_;
};

// Bounds from a chart in which the step of a node is the best one between any two words of its parts. The time is
// linear in the number of cuts.
class MixedBounds {
 public:
  MixedBounds(const MixedValues &values, const NarrowSpans &spans);

  // What a span, and what the rest of an order around it, is worth at most.
  int64_t inside(int32_t i, int32_t j) const { return inside_[spans_.at(i, j)]; }
  int64_t outside(int32_t i, int32_t j) const { return outside_[spans_.at(i, j)]; }
  // What a whole order with this node is worth at most.
  int64_t node(int32_t i, int32_t k, int32_t j, int op) const {
    return nodes_[op][row(i, j) + k - spans_.first_cut(i, j)] + inside(i, k) + inside(k, j) + outside(i, j);
  }
  // What the order of the tree with the greatest bound is worth: the best order is worth no less.
  int64_t attained() const;

 private:
  struct Part {
    int64_t value = 0;
    int32_t first = 0, last = 0;
  };
  size_t row(int32_t i, int32_t j) const { return rows_[spans_.at(i, j)]; }
  void fill_steps();
  void fill_inside();
  void fill_outside();
  Part best_part(int32_t i, int32_t j) const;

  const MixedValues &values_;
  const NarrowSpans &spans_;
  std::vector<size_t> rows_;       // where the nodes of a span begin in `nodes_`
  std::vector<int64_t> nodes_[2];  // the bound of each node without its parts: by op, span and cut
  std::vector<int64_t> inside_, inside_by_end_;
  std::vector<int64_t> outside_, outside_by_end_;  // while they are filled: as a left part, and as a right part
};

}  // namespace wordorder::decode
