// Word alignment of two languages: IBM model 1 (Brown et al. 1993) and the HMM model (hmm.h),
// trained in both directions at once by expectation maximisation with smoothed word probabilities,
// and optionally made to agree (Liang, Taskar and Klein 2006): the expected count of a link is the
// product of its posteriors in the two directions.
//
// Direction 0, forward, is p(target word | source word): each target word chooses one source word
// or none. Direction 1 is the reverse.
#pragma once

#include <array>
#include <vector>

#include "align/word_facts.h"
#include "align/hmm.h"
#include "align/pair_table.h"
#include "align/symmetrise.h"

namespace wordorder::align {

struct Learning {
  bool hmm;           // the HMM, or model 1
  bool agree;         // multiply the posteriors of the two directions
  double alpha;       // imaginary count of every pair of words, and of every word with null
  double null;        // probability of null in the HMM
  double jump_prior;  // imaginary steps of each class of widths
};

struct Links {
  std::vector<int32_t> pairs;    // source, target, source, target, ...; sorted within a sentence
  std::vector<float> scores;     // one a link: the geometric mean of its posteriors
  std::vector<int64_t> ends{0};  // links up to each sentence
};

// How posteriors become links.
struct Decoding {
  bool hmm;
  double null;
  Symmetry symmetry;
  float threshold;  // of the score, for Symmetry::posterior
};

// Learned probabilities: all that aligning needs.
struct Parameters {
  std::vector<float> lexical;                      // p of each cell, forward and reverse
  std::array<std::vector<float>, 2> unseen;        // p of a pair that is no cell, by the word given
  std::array<std::vector<float>, 2> null_lexical;  // p(word | null), by target word; by source word
  std::array<float, 2> null_unseen{0, 0};
  std::array<Jumps, 2> jumps;
};

// Posteriors of a sentence pair. Target word j sees `width[0]` source positions from begin[0][j] on:
// link[0][j * width[0] + k]; the same for source words in direction 1.
struct Posteriors {
  std::array<std::vector<float>, 2> link, null;
  std::array<std::vector<int32_t>, 2> begin;
  std::array<int32_t, 2> width;
  std::array<double, 2> likelihood;

  float at(int direction, int32_t row, int32_t column) const {
    const int32_t k = column - begin[direction][row];
    const bool inside = k >= 0 && k < width[direction];
    return inside ? link[direction][static_cast<size_t>(row) * width[direction] + k] : 0.0f;
  }
};

class Aligner {
 public:
  static constexpr int32_t longest = 256;  // words of a side; longer pairs are not trained on ...
  static constexpr int32_t window = 256;   // ... and aligned within a window about the diagonal
  static constexpr int64_t room = int64_t{1} << 29;  // stored cells of sentences: 2 GB

  void start(const base::Batch &source, const base::Batch &target, int32_t source_words, int32_t target_words, int threads);
  // Starts from the prior: even, but for what the back-off knows.
  void set_prior(const Lexicon &words, double alpha, int32_t prefix, double spelling, double classes, int threads);

  // One iteration of EM over the corpus given to `start`; returns the log-likelihoods of both
  // directions under the parameters before the iteration.
  std::array<double, 2> iterate(const base::Batch &source, const base::Batch &target, const Learning &how, int threads);

  // Aligns text; `trained` says that it is the corpus given to `start`, whose cells are at hand.
  Links align(const base::Batch &source, const base::Batch &target, const Decoding &how, bool trained, int threads) const;

  PairTable table;
  Parameters parameters;

 private:
  using Sums = std::vector<int64_t>;  // fixed point
  void estimate(const Sums &counts, const std::array<Sums, 2> &null_counts, double alpha, int threads);

  BackOff back_off_;
};

}  // namespace wordorder::align
