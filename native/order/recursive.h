// Recursive scores over the trees of a permutation (Stanojević and Sima'an 2014, figure 6;
// thesis, figure 4.4), and the variants that the released BEER 1.1 program computes instead.
#pragma once

#include "base/batch.h"

namespace wordorder::order {

// How the values of the children of a node are combined.
enum class Family : int {
  paper,  // mean over the children with more than one word; a node with only single words has the score of its operator
  beer11,  // mean over all children weighted by their length, where words have value 1; rescaled at the end
};

// Which bracketings of a chain of k children count.
enum class Trees : int {
  left,        // the canonical left-branching tree
  right,       // its mirror image
  flat,        // the chain as one node
  best,        // the bracketing with the highest score
  inferences,  // all bracketings: at each span, the mean over its split points
  all,         // all bracketings: the mean over trees
};

// The score of a prime operator; <1,2> always has score 1 and <2,1> gamma.
enum class OpScore : int { monotone, kendall, spearman, footrule, hamming, ulam, fuzzy };

struct RecursiveSettings {
  Family family;
  Trees trees;
  OpScore op;
  double beta, gamma;
};

// Writes the score of permutation s to out[s]. A permutation of one word scores 1, an empty one 1 (paper) or 0
// (beer11).
void recursive_scores(const base::Batch &batch, const RecursiveSettings &settings, double *out);

}  // namespace wordorder::order
