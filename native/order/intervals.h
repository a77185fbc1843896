// The tree of strong intervals of a permutation, in linear time.
//
// An interval is a range of positions whose values also form a range. A strong interval does not properly overlap any
// other interval. The strong intervals form a tree. A node is *linear* if every run of its children is an interval (a
// monotone or an inverted chain), or *prime* if no proper run of two or more children is.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::order {

enum NodeKind : int32_t { inverted = -1, prime = 0, monotone = 1 };

// An internal node. Trees are lists of these in postorder; leaves are implied. The children of a node are the maximal
// nodes inside its span and the single positions between them. A node is four 32-bit integers, so that Python sees a
// vector of nodes as an (m, 4) array.
struct Node {
  int32_t begin, end;  // positions begin .. end - 1
  int32_t arity;
  NodeKind kind;
};

class TreeBuilder {
 public:
  // Appends the nodes of the tree of a permutation to `out`. There are none for n = 0 and n = 1.
  void build(const int32_t *p, int32_t n, std::vector<Node> &out);
  // The same with the algorithm for long permutations, for any n. For tests.
  void build_linear(const int32_t *p, int32_t n, std::vector<Node> &out);

 private:
  struct Item {         // a finished block of the pass from left to right
    int32_t low, high;  // the range of its values
    int32_t slot;       // its node in slots_, or -1 for a single word
    NodeKind kind;      // prime for a single word
    int32_t arity;
  };
  struct Range {
    int32_t from, to;
    // One comparison instead of two, because the branch predictor cannot guess on which side a value is.
    bool holds(int32_t v) const { return static_cast<uint32_t>(v - from) <= static_cast<uint32_t>(to - from); }
  };

  template <class Guard>
  bool assemble(const int32_t *p, int32_t n, Guard guard, std::vector<Node> &out);
  void ranges(const int32_t *p, int32_t n);
  void reserve(int32_t n);

  std::vector<Item> stack_;
  std::vector<Node> slots_;
  std::vector<uint8_t> live_;  // whether a slot is a node of the tree
  // For each position i, the widest range of values around p[i] whose positions are all at or after i, and the same for
  // positions at or before i.
  std::vector<Range> after_, before_;
  std::vector<Range> rising_, falling_;  // stacks of (position, value)
  std::vector<int32_t> where_, reach_, back_, open_;
};

// Counts for the scores over trees of one permutation.
struct TreeSummary {
  int64_t nodes = 0;        // number of operators if chains are binarised: a chain of m children has m - 1
  int64_t longest = 0;      // arity of the largest operator, 0 if there is none
  int64_t primes = 0;       // number of prime operators, which have four or more children
  int64_t prime_words = 0;  // the sum of their arities
};

TreeSummary summarise(const Node *first, const Node *last);
// The number of bracketings of a tree relative to the largest possible number for n words: (count - 1) / (Catalan(n -
// 1) - 1). Exact as long as the counts fit into a double, accurate to about n * 1e-16 beyond, and without overflow for
// any n.
double count_share(const Node *first, const Node *last, int32_t n);

}  // namespace wordorder::order
