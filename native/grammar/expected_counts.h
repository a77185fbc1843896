// Expected counts of a grammar's rules over the forests of a treebank: the E-step of training.
//
// A span of a forest has one operator, so its inside values are one short vector. Values are floats with a
// power of two kept apart for each span; outside values are stored times that power and divided by the
// probability of the sentence, so that inside times outside is a posterior. Sentences are taken in blocks
// whose counts are added in a fixed order: the result does not depend on the number of threads.
#pragma once

#include <vector>

#include "base/batch.h"
#include "base/lanes.h"
#include "grammar/latent_forest.h"
#include "grammar/grammar.h"

namespace wordorder::grammar {

struct Treebank {
  base::Batch tokens;  // word numbers
  const ForestNode *nodes;
  const int64_t *node_ends;  // nodes up to each sentence; one more than sentences
};

// The rules as the E-step reads them: a padded matrix for each slot and operator, both ways, and words scaled.
class ForestRules {
 public:
  ForestRules(const Grammar &grammar, int threads);

  int32_t width(int32_t op) const { return width_[op]; }  // states, padded
  int32_t slot(int32_t op, int32_t child) const { return slot_[op] + child * width_[op]; }
  int32_t state(int32_t op) const { return state_[op]; }
  // [child state][slot state] and its transpose.
  const float *up(int32_t op, int32_t child, int32_t below) const { return &up_[block(op, child, below)]; }
  const float *down(int32_t op, int32_t child, int32_t below) const { return &down_[block(op, child, below)]; }
  const float *word(int32_t w) const { return &lexical_[static_cast<int64_t>(w) * slots_]; }
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

struct ForestCounts {
  std::vector<double> rules;    // (slots + 1, states)
  std::vector<double> lexical;  // (words, slots + 1)
  std::vector<double> log_likelihood;  // of each sentence; minus infinity if the grammar has no tree for it
};

// Sentences first .. last - 1; without `counts` only their likelihoods.
ForestCounts expected_counts(const Grammar &grammar, const Treebank &treebank, int64_t first, int64_t last, bool counts,
                             int threads);

}  // namespace wordorder::grammar
