// The full chart of a sentence under a Reordering Grammar: inside and outside values of all spans.
//
// Operators of one arity r > 2 are a group, and so are <1,2> and <2,1>; their states lie side by side in
// `lanes`. A span has a left row with, for each group, slot 1 and the dotted items of 2 .. r - 1 children, and
// a right row with slots 2 .. r. The product of the left row of (i, k) and the right row of (k, j), lane
// by lane and summed over k, is the row of results of (i, j): dotted items and states. Then one matrix
// product turns the states of a whole diagonal into slots. P01 and P10 have a word on one side and need no sum.
//
// Every span has a power of two of its own. Outside values are stored times that power and divided by the
// probability of the sentence, so that inside times outside is a posterior.
#pragma once

#include <vector>

#include "grammar/grammar.h"

namespace wordorder::grammar {

// The rules in the chart's order.
class ChartRules {
 public:
  explicit ChartRules(const Grammar &grammar);

  struct Member {  // an operator in its group
    int32_t op, first_lane;
  };
  struct Group {
    int32_t arity, width;      // lanes, padded
    int32_t pack, state, slot; // where it begins in rows, states, slots
    std::vector<Member> members;
  };
  struct Joiner {  // P01 or P10
    int32_t op, width, state, slot;
    int32_t alone;    // where the unaligned word's values begin
    bool word_first;  // P01
  };

  std::vector<Group> groups;
  std::vector<Joiner> joiners;
  int32_t row, states, slots, alone;  // sizes
  std::vector<float> up;    // [state][slot]
  std::vector<float> down;  // [slot][state]
  std::vector<float> root;  // [state]
  int32_t glue_slot[2], glue_state;  // the first state of the first binary operator; -1 without one

  const Grammar &grammar() const { return grammar_; }
  // A word's probabilities by slot and as unaligned word; returns that as a whole sentence.
  float word(int32_t w, float *by_slot, float *unaligned) const;
  // The plain number of each state and slot, -1 for padding.
  const std::vector<int32_t> &plain_state() const { return plain_state_; }
  const std::vector<int32_t> &plain_slot() const { return plain_slot_; }

 private:
  Grammar grammar_;
  std::vector<int32_t> plain_state_, plain_slot_, plain_alone_;
};

struct Phrase {  // words begin .. end - 1 as one word of the grammar
  int32_t begin, end, word;
};

class Chart {
 public:
  explicit Chart(const ChartRules &rules) : r(rules) {}

  // Fills the chart; `best` with the probabilities of best derivations instead of sums. If nothing parses,
  // any two neighbours are joined in order at a low price, and `glued` is set.
  void inside(const int32_t *words, int32_t n, const std::vector<Phrase> &phrases, bool best);
  void outside();
  double log_probability() const;

  int64_t span(int32_t i, int32_t j) const {  // diagonal by diagonal
    const int64_t d = j - i - 1;
    return d * n - d * (d - 1) / 2 + i;
  }
  int32_t &exponent(int32_t i, int32_t j) { return exponents_[span(i, j)]; }
  float *left(int32_t i, int32_t j) { return &left_[(static_cast<int64_t>(i) * (n + 1) + j) * r.row]; }
  float *right(int32_t i, int32_t j) { return &right_[(static_cast<int64_t>(j) * (n + 1) + i) * r.row]; }
  float *out_left(int32_t i, int32_t j) { return &out_left_[(static_cast<int64_t>(i) * (n + 1) + j) * r.row]; }
  float *out_right(int32_t i, int32_t j) { return &out_right_[(static_cast<int64_t>(j) * (n + 1) + i) * r.row]; }
  float *states(int32_t i, int32_t j) { return &states_[span(i, j) * r.states]; }
  float *out_states(int32_t i, int32_t j) { return &out_states_[span(i, j) * r.states]; }
  float *slots(int32_t i, int32_t j) { return &slots_[span(i, j) * r.slots]; }
  float *unaligned(int32_t i) { return &alone_[static_cast<int64_t>(i) * r.alone]; }
  // 2^(e(i,k) + e(k,j) - e(i,j)) for k = i + 1 ..; kept by `outside`.
  float *factors(int32_t i, int32_t j) { return &factors_[factor_base_[j - i] + static_cast<int64_t>(i) * (j - i - 1)]; }
  float factor(int32_t i, int32_t k, int32_t j);

  const ChartRules &r;
  int32_t n = 0;
  bool glued = false;
  double z = 0;           // probability of the sentence, scaled as the whole span is
  float whole_root = 0;   // that of the sentence as one phrase
  std::vector<Phrase> phrases;
  std::vector<int32_t> words;

 private:
  void allocate();
  void finish(int32_t i, int32_t j, const float *slots);

  std::vector<int32_t> exponents_;
  std::vector<int64_t> factor_base_;  // of each length
  std::vector<float> factors_;
  std::vector<float> left_, right_, out_left_, out_right_, states_, out_states_, slots_, alone_, out_slots_;
};

constexpr float glue_price = 1e-9f;

}  // namespace wordorder::grammar
