// Learning the weights of features of trees (crf_features.h) with the loss of soft forests (crf.h): AdaGrad on
// small batches. Sentences of a batch are worked on by several threads and added up in their order, so the number
// of threads does not show.
#pragma once

#include <cstdint>
#include <vector>

#include "crf/features.h"

namespace wordorder::crf {

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
  // The loss, summed; its derivative by each weight is kept.
  double derivatives(const CodedBatch &batch, const float *log_weights, int threads);
  // One step of AdaGrad with L2 on the features that a batch has; `ease` is added to the sum of squares, so that the
  // first steps are not too large. Sentences whose weights leave no tree are
  // skipped. Returns the loss before it.
  double step(const CodedBatch &batch, const float *log_weights, double rate, double l2, double ease, int threads);
  // Adds the weights to their running sum; and makes them the mean of what was added.
  void remember();
  void average();

  // Two numbers a feature, straight and inverted.
  std::vector<float> weights() const;
  std::vector<float> gradient() const;
  void set_weights(const float *weights);
  // All that the next step needs beside the weights: sums of squares, and the running sum of weights, if there is one.
  std::vector<float> squares() const;
  const std::vector<double> &sums() const { return sum_; }
  int64_t remembered() const { return remembered_; }
  void set_state(const float *weights, const float *squares, std::vector<double> sums, int64_t remembered);
  size_t size() const { return size_t{2} << templates.bits; }

  const FeatureTemplates templates;

 private:
  // All that belongs to a feature lies together: looking it up is what takes the time.
  struct Cell {
    float weight[2], gradient[2], squares[2];
    uint32_t touched, unused;
  };
  void make_cells();

  bool canonical_;
  std::vector<float> plain_;  // weights while nothing is learned
  std::vector<Cell> cells_;   // once something is
  std::vector<uint32_t> touched_;
  std::vector<double> sum_;
  int64_t remembered_ = 0;
};

}  // namespace wordorder::crf
