// Expected counts of a grammar's rules over the forests of a treebank: the E-step of training.
//
// Sentences are processed in blocks whose counts are added in a fixed order, so the result does not depend on the
// number of threads.
#pragma once

#include <vector>

#include "base/batch.h"
#include "grammar/grammar.h"
#include "grammar/latent_forest.h"

namespace wordorder::grammar {

struct Treebank {
  base::Batch tokens;  // word numbers
  const ForestNode *nodes;
  const int64_t *node_ends;  // nodes up to each sentence; one entry more than sentences
};

struct ForestCounts {
  std::vector<double> rules;           // (slots + 1, states)
  std::vector<double> lexical;         // (words, slots + 1)
  std::vector<double> log_likelihood;  // by sentence; minus infinity if the grammar has no tree for it
};

// Processes sentences first .. last - 1. Without `counts`, only the likelihoods are computed.
ForestCounts expected_counts(const Grammar &grammar, const Treebank &treebank, int64_t first, int64_t last, bool counts,
                             int threads);

}  // namespace wordorder::grammar
