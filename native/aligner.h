// Word alignment of two languages: IBM model 1 (Brown et al. 1993) and the HMM model, trained in
// both directions at once by expectation maximisation with a sparse Dirichlet prior (variational
// Bayes), optionally made to agree (Liang, Taskar and Klein 2006).
//
// Forward means p(target word | source word): each target word chooses one source word or none.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "hmm.h"
#include "pair_table.h"
#include "symmetrise.h"

namespace wordorder {

struct Learning {
  bool hmm;             // the HMM, or model 1
  bool agree;           // multiply the posteriors of the two directions
  double alpha;         // Dirichlet prior of a pair of words
  bool exclude;
  double alpha_null;    // the same for null
  double null;          // probability of null in the HMM
  double jump_prior;    // imaginary steps per class of widths
  double base;          // strength of the back-off to word classes; 0: none
  int mode;
};

struct Links {
  std::vector<int32_t> pairs;    // source, target, source, target, ...
  std::vector<float> scores;     // one a link
  std::vector<int64_t> ends{0};  // links up to each sentence
};

class Aligner {
 public:
  static constexpr int32_t longest = 256;  // words of a side; longer pairs are not trained on ...
  static constexpr int32_t window = 256;   // ... and aligned within a window about the diagonal

  void start(const Batch &source, const Batch &target, int32_t source_words, int32_t target_words, int threads);

  // One iteration of EM over the corpus given to `start`; returns the log-likelihoods of both
  // directions, under the parameters before the iteration.
  std::array<double, 2> iterate(const Batch &source, const Batch &target, const Learning &how, int threads);

  // Posteriors of a sentence pair: forward[j * I + i], reverse[i * J + j] and those of null.
  struct Posteriors {
    std::vector<float> forward, reverse, null_forward, null_reverse;
    std::array<double, 2> likelihood;
  };

  Links align(const Batch &source, const Batch &target, Symmetry symmetry, float threshold, bool hmm, double null, bool trained,
              int threads) const;

  PairTable table;
  std::vector<float> counts;                      // forward, reverse of each cell
  std::array<std::vector<float>, 2> null_counts;  // by target word; by source word
  std::array<std::vector<float>, 2> totals;  // by source word, by target word
  std::array<float, 2> null_totals;
  std::array<double,2> prior, prior_null;
  bool exclude=false;
  std::vector<uint16_t> own;
  std::array<std::vector<float>, 2> own_null;
  std::array<Jumps, 2> jumps;
  std::vector<int32_t> class_of_cell;              // for the back-off

 private:
  struct Worker;
  void maximise_jumps(const JumpCounts &counts, double prior, Jumps &jumps) const;
};

}  // namespace wordorder
