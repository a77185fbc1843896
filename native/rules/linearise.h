// Words of dependency trees in a new order: each head and its children are sorted by the ranks of their slots.
//
// Four things stand between a parse and its order. Words of one multiword token move as one. Arcs that cross are
// lifted until none do, before rules look at the tree. Marks of punctuation are taken out and put back at the
// border of the phrase that they close or open. A head with conjuncts is a coordination: its own phrase, then the conjuncts as they
// stand, and what comes after them belongs to the whole. If every slot keeps the source order, so does the sentence.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::rules {

enum WordFlag : int32_t {
  kJoined = 1,         // is of one token with the word before it
  kMark = 2,           // punctuation that goes to the border of a phrase, if nothing depends on it
  kOpens = 4,          // a bracket or quote; one that does both opens unless one of its kind is open
  kCloses = 8,
  kConjunct = 16,      // a conjunct that follows its head
  kCoordinator = 32,
  kReversed = 64,      // its slot is read from right to left
  kHeadReversed = 128, // the slot of the head, in the rule of this word, is
  kBracketKind = 8,    // the kind of a bracket is above this bit
};

struct ParsedWords {
  const int32_t *heads;      // from 0, -1 for the root; words of one token hang on one of them
  const int32_t *ranks;      // of the word among the slots of its head's rule
  const int32_t *own_ranks;  // of the word as the head of its own rule
  const int32_t *flags;
  int32_t size;
};

class Lineariser {
 public:
  // Writes heads of a tree without crossing arcs, and returns how many words were lifted; -1 if it is no tree.
  int32_t project(const ParsedWords &words, int32_t *heads);
  // Writes the order: positions as they are read. False if the heads are no tree, or arcs cross.
  bool run(const ParsedWords &words, int32_t *order);

 private:
  struct Block {
    int32_t begin, end;  // nodes, both included
    int32_t first, count;  // items, in the order in which they are read
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
  std::vector<int32_t> node_word_, node_end_, head_;  // per node: its word that has the head, its last word, its head
  std::vector<int32_t> node_begin_, walk_, below_, low_, high_;
  std::vector<std::vector<int32_t>> children_;
  std::vector<Block> blocks_;
  std::vector<int32_t> items_, top_;
  std::vector<Item> sorted_;
  std::vector<std::vector<int32_t>> ending_, starting_;  // blocks by their last and first node, the small ones first
  std::vector<int32_t> marks_, partner_;
  std::vector<std::vector<int32_t>> before_, after_;  // marks by block
};

}  // namespace wordorder::rules
