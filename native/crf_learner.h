// Learning the weights of features of trees (crf_features.h) with the loss of soft forests (crf.h): AdaGrad on
// small batches. Sentences of a batch are worked on by several threads and added up in their order, so the number
// of threads does not show.
#pragma once

#include <cstdint>
#include <vector>

#include "crf_features.h"

namespace wordorder {

// Sentences as the learner sees them: codes of sentence s at codes[layers * words[s]], as many rows of
// lengths[s] codes as there are layers; its edges' log weights at weights[edges[s]].
struct CodedBatch {
  const uint32_t *codes;
  const int32_t *lengths;
  const int64_t *words, *edges;
  int64_t size;
};

class CrfLearner {
 public:
  CrfLearner(FeatureTemplates templates, bool canonical);

  // Scores of all edges of a batch.
  void scores(const CodedBatch &batch, int threads, float *out) const;
  // The loss, summed, and its derivative by each weight that it depends on, in `touched`; for one update, and tests.
  double derivatives(const CodedBatch &batch, const float *log_weights, int threads);
  // One step of AdaGrad with L2 on the weights that a batch touches. Sentences whose weights leave no tree are
  // skipped. Returns the loss before it.
  double step(const CodedBatch &batch, const float *log_weights, double rate, double l2, int threads);
  // Adds the weights to their running sum; and makes them the mean of what was added.
  void remember();
  void average();

  FeatureTemplates templates;
  std::vector<float> weights, squares, gradient;
  std::vector<uint32_t> touched;

 private:
  bool canonical_;
  std::vector<uint8_t> is_touched_;
  std::vector<double> sum_;
  int64_t remembered_ = 0;
};

}  // namespace wordorder
