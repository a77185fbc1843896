// The latent treebank: the forest of permutation trees of a sentence, from which a grammar is learned. Tokens may
// be unaligned.
#pragma once

#include <vector>

#include "order/intervals.h"

namespace wordorder::grammar {

// A node over tokens begin .. end - 1. Its children are the maximal nodes inside it and the tokens between them.
// `all` is 1 if the node stands for every way to bracket its children with a binary operator.
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
  // Operators are numbered 0 <1,2>, 1 <2,1>, 2 P01, 3 P10, then the prime operators in the given order (0-based
  // places).
  explicit ForestBuilder(std::vector<std::vector<int32_t>> primes) : primes_(std::move(primes)) {}

  // rank[t] is the place of token t among the aligned tokens, or -1 if it is not aligned. Appends the nodes in
  // postorder and returns true. Returns false, and appends nothing, if an operator has too many children.
  bool build(const int32_t *rank, int32_t n, const ForestShape &shape, std::vector<ForestNode> &out);

 private:
  struct Part {
    int32_t begin, end;  // tokens
    int32_t first;       // the first aligned token
  };
  // Adds nodes that join a finished part with the unaligned tokens attached to it.
  void wrap(Part &part, int32_t before, int32_t after, std::vector<ForestNode> &out);

  std::vector<std::vector<int32_t>> primes_;
  order::TreeBuilder trees_;
  std::vector<order::Node> nodes_;
  std::vector<int32_t> where_, values_, before_, after_;
  std::vector<Part> stack_;
};

}  // namespace wordorder::grammar
