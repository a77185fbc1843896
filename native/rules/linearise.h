// Linearising dependency trees: each head and its children are sorted by the ranks of their slots.
//
// Four things need care. The words of one multiword token move together. Crossing arcs are lifted until none are left,
// before rules look at the tree. Punctuation marks are removed and put back at the border of the phrase that they open
// or close. A head with conjuncts is a coordination: its own phrase comes first, then the conjuncts in source order,
// and what comes after them belongs to the whole coordination. If every slot keeps the source order, so does the
// sentence.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::rules {

enum WordFlag : int32_t {
  kJoined = 1,  // belongs to the same token as the previous word
  kMark = 2,    // punctuation that moves to the border of a phrase, if nothing depends on it
  kOpens = 4,   // a bracket or quote; a mark that opens and closes only closes if one of its kind is open
  kCloses = 8,
  kConjunct = 16,  // a conjunct that follows its head
  kCoordinator = 32,
  kReversed = 64,       // its slot is read from right to left
  kHeadReversed = 128,  // the slot of the head in the rule of this word is read from right to left
  kBracketKind = 8,     // the kind of a bracket is stored in the bits from this one on
};

struct ParsedWords {
  const int32_t *heads;      // counted from 0, -1 for the root; the words of a token depend on one of them
  const int32_t *ranks;      // the rank of the word among the slots of the rule of its head
  const int32_t *own_ranks;  // the rank of the word as the head of its own rule
  const int32_t *flags;
  int32_t size;
};

class Lineariser {
 public:
  // Writes the heads of a tree without crossing arcs and returns how many words were lifted, or -1 if it is not a tree.
  int32_t project(const ParsedWords &words, int32_t *heads);
  // Writes the order: source positions in the order in which they are read. Returns false if the heads are not a tree
  // or arcs cross.
  bool run(const ParsedWords &words, int32_t *order);

 private:
  struct Block {
    int32_t begin, end;    // first and last node
    int32_t first, count;  // its items, in the order in which they are read
  };
  struct Item {
    int32_t rank, place, block;
  };

  bool find_nodes();
  bool walk();
  bool crosses();
  int32_t lift_crossing();
  int32_t phrase(int32_t begin, int32_t end);
  void build();
  void pair_brackets();
  void place_marks();
  int32_t emit(int32_t root, int32_t *order) const;

  ParsedWords w_{};
  int32_t root_ = -1;
  std::vector<int32_t> node_word_, node_end_, head_;  // by node: the word that has the head, the last word, the head
  std::vector<int32_t> node_begin_, walk_, below_, low_, high_;
  std::vector<std::vector<int32_t>> children_;
  std::vector<Block> blocks_;
  std::vector<int32_t> items_, top_;
  std::vector<Item> sorted_;
  std::vector<std::vector<int32_t>> ending_,
      starting_;  // blocks by their last and by their first node, small ones first
  std::vector<int32_t> marks_, partner_;
  std::vector<std::vector<int32_t>> before_, after_;  // marks by block
};

}  // namespace wordorder::rules
