// A Reordering Grammar (Stanojević 2017, chapter 3) as arrays.
//
// An operator X has an arity, a number of states, and the place that each child moves to. Rules are factored: state
// X_a has the children X*1_a .. X*r_a, called slots, and each slot rewrites to a state of some operator or to a word.
// States are numbered operator by operator. Slots are numbered operator by operator, child by child, state by
// state, and ROOT is the last slot. rules[slot][state] and lexical[word][slot] hold the probabilities.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::grammar {

constexpr int32_t largest_arity = 5;
constexpr double log_two = 0.69314718055994530942;

struct Operator {
  int32_t arity, states;
  int32_t unaligned;  // the child that is a word without a counterpart in the target: 0, 1, or -1 for none
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
