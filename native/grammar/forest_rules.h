// The rules of a grammar in the layout that computations over forests need: for each slot and operator one padded
// matrix and its transpose, and word probabilities scaled by a power of two.
#pragma once

#include <vector>

#include "base/lanes.h"
#include "grammar/grammar.h"

namespace wordorder::grammar {

class ForestRules {
 public:
  ForestRules(const Grammar &grammar, int threads);

  int32_t width(int32_t op) const { return width_[op]; }  // number of states, padded
  int32_t slot(int32_t op, int32_t child) const { return slot_[op] + child * width_[op]; }
  int32_t state(int32_t op) const { return state_[op]; }
  // [child state][slot state], and its transpose.
  const float *up(int32_t op, int32_t child, int32_t below) const { return up_.data() + block(op, child, below); }
  const float *down(int32_t op, int32_t child, int32_t below) const { return down_.data() + block(op, child, below); }
  const float *word(int32_t w) const { return lexical_.data() + static_cast<int64_t>(w) * slots_; }
  int32_t exponent(int32_t w) const { return exponent_[w]; }
  int32_t root_slot() const { return slots_ - base::lane_count; }
  int32_t slots() const { return slots_; }
  const float *root() const { return root_.data(); }
  size_t block(int32_t op, int32_t child, int32_t below) const {
    return block_[op] + static_cast<size_t>(child) * width_[op] * states_ +
           static_cast<size_t>(width_[op]) * state_[below];
  }
  size_t size() const { return up_.size(); }
  int32_t states() const { return states_; }
  const Grammar &grammar() const { return grammar_; }

 private:
  Grammar grammar_;
  std::vector<int32_t> width_, slot_, state_, exponent_;
  std::vector<size_t> block_;
  int32_t slots_, states_;
  std::vector<float> up_, down_, lexical_, root_;
};

}  // namespace wordorder::grammar
