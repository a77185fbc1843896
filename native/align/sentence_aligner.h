// Computes the posteriors of sentence pairs; each thread uses its own.
#pragma once

#include "align/aligner.h"

namespace wordorder::align {

class SentenceAligner {
 public:
  SentenceAligner(const PairTable &table, const Parameters &parameters) : table_(table), parameters_(parameters) {}

  // Computes `out` for a sentence pair with words on both sides. `cells` are its stored cells, or null to look them up.
  // With `count`, the HMM adds to `steps`.
  void run(const int32_t *source, int32_t I, const int32_t *target, int32_t J, const uint32_t *cells, bool hmm,
           double null, bool count);

  Posteriors out;
  std::array<JumpCounts, 2> steps;

 private:
  float probability(int64_t cell, int32_t condition, int direction) const;
  float null_probability(int32_t word, int direction) const;
  static double model1(int32_t rows, int32_t width, const float *lexical, const float *null, float *posterior,
                       float *null_posterior);

  const PairTable &table_;
  const Parameters &parameters_;
  Hmm hmm_;
  std::array<std::vector<float>, 2> lexical_, null_;
};

}  // namespace wordorder::align
