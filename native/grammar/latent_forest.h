// The latent treebank: for a permutation of aligned tokens, and unaligned ones among them, the forest of
// permutation trees that a grammar learns from.
#pragma once

#include <vector>

#include "order/intervals.h"

namespace wordorder::grammar {

// A node over tokens begin .. end - 1. Children are the maximal nodes inside and, between them, tokens.
// `all` is 1 if the node stands for every way of bracketing its children with a binary operator.
struct ForestNode {
  int32_t begin, end, op, all;
};

struct ForestShape {
  enum Trees : int32_t { forest = 0, left = 1, right = 2 };
  Trees trees;
  int32_t max_arity;
  bool attach_right, attach_high;
};

class ForestBuilder {
 public:
  // Numbers of operators: 0 <1,2>, 1 <2,1>, 2 P01, 3 P10, then primes in the order given (places, 0-based).
  explicit ForestBuilder(std::vector<std::vector<int32_t>> primes) : primes_(std::move(primes)) {}

  // rank[t] is the place of token t among the aligned ones, -1 if it is not aligned. Appends the nodes in
  // postorder and returns true; returns false, and appends nothing, if an operator is too long.
  bool build(const int32_t *rank, int32_t n, const ForestShape &shape, std::vector<ForestNode> &out);

 private:
  struct Part {
    int32_t begin, end;  // tokens
    int32_t first;       // aligned tokens: the first
  };
  // Wraps a finished part in the unaligned tokens that are joined to it.
  void wrap(Part &part, int32_t before, int32_t after, std::vector<ForestNode> &out);

  std::vector<std::vector<int32_t>> primes_;
  order::TreeBuilder trees_;
  std::vector<order::Node> nodes_;
  std::vector<int32_t> where_, values_, before_, after_, highest_;
  std::vector<Part> stack_;
};

}  // namespace wordorder::grammar
