// The tree of strong intervals of a permutation, in linear time.
//
// An interval is a range of positions whose values are a range too. A strong interval
// overlaps no other interval: each other one is inside it, around it, or apart. The strong
// intervals form a tree; a node is *linear* (any run of its children is an interval: a
// monotone or an inverted chain) or *prime* (no proper run of two or more is).
#pragma once

#include <vector>

#include "base/batch.h"

namespace wordorder::order {

enum Kind : int32_t { inverted = -1, prime = 0, monotone = 1 };

// Internal nodes in postorder; leaves are implied. Children of a node are the maximal
// nodes inside its span and, between them, single positions. Four 32-bit integers, so that
// a vector of nodes is an (m, 4) array to Python.
struct Node {
  int32_t begin, end;  // positions begin .. end - 1
  int32_t arity;
  Kind kind;
};

class TreeBuilder {
 public:
  // Appends the nodes of the permutation's tree to `out`. n = 0 and n = 1 have none.
  void build(const int32_t *p, int32_t n, std::vector<Node> &out);
  // The same by the algorithm for long permutations, whatever n is: for tests.
  void build_linear(const int32_t *p, int32_t n, std::vector<Node> &out);

 private:
  struct Item {  // a finished block of the left-to-right pass
    int32_t low, high;  // its values; it has as many positions
    int32_t slot;       // its node in slots_, or -1 for a single word
    Kind kind;          // prime for a single word
    int32_t arity;
  };
  struct Range {
    int32_t from, to;
    // One comparison, not two: which side a value is on cannot be predicted.
    bool holds(int32_t v) const { return static_cast<uint32_t>(v - from) <= static_cast<uint32_t>(to - from); }
  };

  template <class Guard>
  bool assemble(const int32_t *p, int32_t n, Guard guard, std::vector<Node> &out);
  void ranges(const int32_t *p, int32_t n);
  void reserve(int32_t n);

  std::vector<Item> stack_;
  std::vector<Node> slots_;
  std::vector<uint8_t> live_;  // whether a slot is a node of the tree
  // For position i, the widest range of values around p[i] whose positions are all at or
  // after i, and all at or before i.
  std::vector<Range> after_, before_;
  std::vector<Range> rising_, falling_;  // stacks of (position, value)
  std::vector<int32_t> where_, reach_, back_, open_;
};

// What the scores over trees count, per permutation.
struct TreeSummary {
  int64_t nodes = 0;        // operators of any of its binary trees: a chain of m children has m - 1
  int64_t longest = 0;      // length of the longest operator, 0 if there is none
  int64_t primes = 0;       // operators of length four and more
  int64_t prime_words = 0;  // the sum of their lengths
};

// Counts of the tree with these nodes, and its number of bracketings as a share of all that
// n words could have: (count - 1) / (Catalan(n - 1) - 1). Exact to the last bit while the
// counts fit in a double, to about n * 1e-16 beyond; in range for any n.
TreeSummary summarise(const Node *first, const Node *last);
double count_share(const Node *first, const Node *last, int32_t n);

}  // namespace wordorder::order
