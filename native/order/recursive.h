// Recursive scores over the trees of a permutation (Stanojević and Sima'an 2014, figure 6;
// thesis, figure 4.4) and the functions that the released BEER 1.1 program computes instead.
#pragma once

#include <vector>

#include "order/intervals.h"

namespace wordorder::order {

// How the values of a node's children are put together.
enum class Family : int {
  paper,   // mean over the children of more than one word; a node of words only is its operator's score
  beer11,  // mean over all children weighted by their length, words count 1; rescaled at the end
};

// Which bracketings of a chain of k children count.
enum class Trees : int {
  left,        // the canonical left-branching tree
  right,       // its mirror image
  flat,        // the chain as one node
  best,        // the bracketing with the highest score
  inferences,  // all: at each span, the mean over its split points
  all,         // all: the mean over trees
};

// Score of a prime operator; <1,2> is 1 and <2,1> is gamma whatever this is.
enum class OpScore : int { monotone, kendall, spearman, footrule, hamming, ulam, fuzzy };

struct RecursiveSettings {
  Family family;
  Trees trees;
  OpScore op;
  double beta, gamma;
};

// out[s] = score of permutation s. Permutations of one word score 1, of none 1 (paper) or 0 (beer11).
void recursive_scores(const base::Batch &batch, const RecursiveSettings &settings, double *out);

}  // namespace wordorder::order
