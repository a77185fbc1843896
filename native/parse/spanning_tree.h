// Dependency trees of the highest score: the heads of words that form a tree with exactly one word below the root.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::parse {

// scores[d * (n + 1) + h] is the score of head h for word d + 1, where h = 0 is the root; minus infinity forbids it.
struct ArcScores {
  const double *scores;
  int32_t words;
};

struct ScoredTree {
  double score;
  std::vector<int32_t> heads;  // of each word; 0 is the root, 1 the first word
};

// The best tree (Chu and Liu 1965; Edmonds 1967). A penalty on arcs from the root makes the root have one dependent
// (Stanojevic and Cohen 2021). An empty list of heads if there is no tree.
ScoredTree best_tree(const ArcScores &arcs);

// The k best different trees, the best first: after each tree, the remaining ones are divided by the first word whose
// head differs from it (Lawler 1972).
std::vector<ScoredTree> best_trees(const ArcScores &arcs, int32_t k);

}  // namespace wordorder::parse
