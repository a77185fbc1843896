// The rules of a grammar in the order in which the chart (chart.h) stores its values.
//
// All operators of one arity form a group, except P01 and P10, which have an unaligned word as one child. The states
// of a group are neighbours in memory ("lanes") and are padded to a multiple of eight.
#pragma once

#include <vector>

#include "grammar/grammar.h"

namespace wordorder::grammar {

class ChartRules {
 public:
  explicit ChartRules(const Grammar &grammar);

  struct Member {  // an operator in its group
    int32_t op, first_lane;
  };
  struct Group {
    int32_t arity, width;       // width: number of lanes, padded
    int32_t pack, state, slot;  // first index in rows, in states, in slots
    std::vector<Member> members;
  };
  struct Joiner {  // P01 or P10
    int32_t op, width, state, slot;
    int32_t alone;    // first index in the values of the unaligned word
    bool word_first;  // P01
  };

  // What a state number stands for. Padding has neither a group nor a joiner.
  struct State {
    const Group *group;
    const Joiner *joiner;
    int32_t lane;
    int32_t op, state;
  };
  State describe(int32_t state) const;

  std::vector<Group> groups;
  std::vector<Joiner> joiners;
  int32_t row, states, slots, alone;  // sizes
  std::vector<float> up;              // [state][slot]
  std::vector<float> down;            // [slot][state]
  std::vector<float> root;            // [state]
  int32_t glue_slot[2], glue_state;   // the first state of <1,2>; -1 if the grammar has no such operator

  const Grammar &grammar() const { return grammar_; }
  // Writes the probabilities of a word in each slot and as an unaligned word. Returns its probability as a
  // whole sentence.
  float word(int32_t w, float *by_slot, float *unaligned) const;
  // The grammar's own number of each state and slot; -1 for padding.
  const std::vector<int32_t> &plain_state() const { return plain_state_; }
  const std::vector<int32_t> &plain_slot() const { return plain_slot_; }

 private:
  Grammar grammar_;
  std::vector<int32_t> plain_state_, plain_slot_, plain_alone_;
};

}  // namespace wordorder::grammar
