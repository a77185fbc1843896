// A Reordering Grammar (Stanojevic 2017, chapter 3) as arrays.
//
// An operator X has an arity, states, and the place that each child goes to. With the unary trick X_a has
// children X*1_a .. X*r_a, called slots, and each slot rewrites to a state of some operator or to a word.
// States are numbered operator by operator; slots operator by operator, child by child, state by state,
// and ROOT is the last slot. rules[slot][state] and lexical[word][slot] are their probabilities.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::grammar {

constexpr int32_t largest_arity = 5;

struct Operator {
  int32_t arity, states;
  int32_t unaligned;  // the child that has no counterpart in the target and is a word: 0, 1, or -1 for none
  int32_t places[largest_arity];
  int32_t first_state, first_slot;

  int32_t slot(int32_t child) const { return first_slot + child * states; }
};

struct Grammar {
  std::vector<Operator> operators;
  int32_t states, slots;  // slots without ROOT
  int32_t words;
  const float *rules;    // (slots + 1, states)
  const float *lexical;  // (words, slots + 1)

  const float *rule(int32_t slot) const { return rules + static_cast<int64_t>(slot) * states; }
  const float *word(int32_t w) const { return lexical + static_cast<int64_t>(w) * (slots + 1); }
};

}  // namespace wordorder::grammar
