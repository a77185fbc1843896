// Word alignment of two languages by IBM model 1 (Brown et al. 1993) and the HMM model (hmm.h). Both directions are
// trained together by expectation maximisation with smoothed word probabilities. They can be made to agree (Liang,
// Taskar and Klein 2006): then the expected count of a link is the product of its posteriors in the two directions.
//
// Direction 0, forward, is p(target word | source word): each target word chooses one source word or none. Direction 1
// is the reverse.
#pragma once

#include <array>
#include <vector>

#include "align/hmm.h"
#include "align/pair_table.h"
#include "align/symmetrise.h"
#include "align/word_facts.h"

namespace wordorder::align {

// Settings of one iteration of EM.
struct Learning {
  bool hmm;           // the HMM, or model 1
  bool agree;         // multiply the posteriors of the two directions
  double alpha;       // pseudo-count of every pair of words, and of every word with null
  double null;        // probability of null in the HMM
  double jump_prior;  // pseudo-count of steps in each class of widths
};

struct Links {
  std::vector<int32_t> pairs;    // source, target, source, target, ...; sorted within a sentence
  std::vector<float> scores;     // one per link: the geometric mean of its posteriors
  std::vector<int64_t> ends{0};  // number of links up to each sentence
};

// Settings for turning posteriors into links.
struct Decoding {
  bool hmm;
  double null;
  Symmetry symmetry;
  float threshold;  // the least score, for Symmetry::posterior
};

// The learned probabilities, which are all that is needed to align.
struct Parameters {
  std::vector<float> lexical;                      // p of each cell, forward and reverse
  std::array<std::vector<float>, 2> unseen;        // p of a pair that is not a cell, by the conditioning word
  std::array<std::vector<float>, 2> null_lexical;  // p(word | null), by target word and by source word
  std::array<float, 2> null_unseen{0, 0};
  std::array<Jumps, 2> jumps;
};

using Sums = std::vector<int64_t>;  // fixed point (base/fixed_point.h)

// Expected counts. They are integers, so that those of parts of a corpus add up to those of the whole.
struct Counts {
  Sums cells;                 // forward and reverse of each cell
  std::array<Sums, 2> nulls;  // by target word and by source word
  std::array<JumpCounts, 2> steps;
  std::array<double, 2> likelihood{0, 0};  // logarithms, of both directions
};

// The posteriors of a sentence pair. Target word j sees width[0] source positions from begin[0][j] on, with the
// posteriors link[0][j * width[0] + k]; the same holds for source words in direction 1.
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
  static constexpr int32_t longest = 256;            // words per side; longer pairs are not used for training ...
  static constexpr int32_t window = 256;             // ... and are aligned within a window around the diagonal
  static constexpr int64_t room = int64_t{1} << 29;  // the most cells of sentences to store: 2 GB

  void start(const base::Batch &source, const base::Batch &target, int32_t source_words, int32_t target_words,
             int threads);
  // Starts from the prior, which is uniform except for the word facts.
  void set_prior(const Vocabularies &words, double alpha, int32_t prefix, double spelling, double classes, int threads);

  // Starts from the pairs of words of a corpus that is elsewhere.
  void start(std::vector<int64_t> rows, std::vector<int32_t> columns, int32_t target_words, int threads);

  // The two steps of an iteration of EM. Expects counts of the corpus passed to `start`; updates the parameters.
  Counts expect(const base::Batch &source, const base::Batch &target, const Learning &how, int threads) const;
  void update(const Counts &counts, const Learning &how, int threads);

  // Aligns text. Set `trained` if it is the corpus passed to `start`, whose cells are stored.
  Links align(const base::Batch &source, const base::Batch &target, const Decoding &how, bool trained,
              int threads) const;

  PairTable table;
  Parameters parameters;

 private:
  void estimate_evenly(double alpha, int threads);
  void estimate(const Sums &counts, const std::array<Sums, 2> &null_counts, double alpha, int threads);

  WordFacts facts_;
};

}  // namespace wordorder::align
