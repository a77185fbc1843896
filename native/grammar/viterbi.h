// The most probable tree of each forest of a treebank, with the states of its nodes (Viterbi). Hard EM counts the rules
// of these trees.
#pragma once

#include <cstddef>
#include <vector>

#include "grammar/derivation.h"
#include "grammar/latent_forest.h"

namespace wordorder::grammar {

class ViterbiTree {
 public:
  explicit ViterbiTree(const Grammar &grammar);
  // Writes the best tree over the tokens in preorder and returns its log-probability. The tree is empty if there is
  // none.
  double run(const int32_t *words, const ForestNode *first, const ForestNode *last, Derivation &tree);

 private:
  struct Row {  // a score for each state of an operator
    std::vector<double> score;
    std::vector<int32_t> split;  // the split that gives the score, for a run in a chain
  };
  struct Part {
    int32_t begin, end, op, word;
    std::vector<int32_t> children;
    bool all;
    std::vector<Row> runs;  // for a chain, children a .. b - 1 at a * (m + 1) + b; otherwise one row
  };

  const double *rule(int32_t slot) const { return log_rules_.data() + static_cast<size_t>(slot) * g_.states; }
  // Writes the scores of a child as a slot, and the state of the child that gives each score.
  void as_slot(int32_t op, int32_t child, int32_t below, int32_t word, const std::vector<double> &score,
               std::vector<double> &out, std::vector<int32_t> &state) const;
  void child_slot(const Part &part, int32_t a, int32_t b, int32_t child, std::vector<double> &out,
                  std::vector<int32_t> &state) const;
  void write_part(int32_t part, int32_t state, Derivation &tree) const;
  void write_run(const Part &part, int32_t a, int32_t b, int32_t state, Derivation &tree) const;
  const Row &whole(const Part &part) const;

  const Grammar &g_;
  std::vector<double> log_rules_;
  std::vector<Part> parts_;
};

}  // namespace wordorder::grammar
