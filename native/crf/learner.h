// Learning the weights of features of edges (features.h) for the soft-forest loss (chart.h), with AdaGrad on small
// batches. The sentences of a batch are processed by several threads and their gradients are added in order, so the
// result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "crf/features.h"

namespace wordorder::crf {

// Encoded sentences. Sentence s has one row of lengths[s] codes per layer, from codes[layers * words[s]] on; the log
// weights of its edges begin at weights[edges[s]].
struct CodedBatch {
  const uint32_t *codes;
  const int32_t *lengths;
  const int64_t *words, *edges;
  int64_t size;
};

class Learner {
 public:
  Learner(FeatureTemplates templates, bool canonical);

  // Scores of all edges of a batch.
  void scores(const CodedBatch &batch, int threads, float *out) const;
  // The summed loss of a batch. Its derivative with respect to each weight is stored. Sentences whose weights leave no
  // tree are skipped.
  double derivatives(const CodedBatch &batch, const float *log_weights, int threads);
  // Makes one AdaGrad step with L2 regularisation on the features of a batch and returns the loss before it. `ease` is
  // added to the sums of squares, so that the first steps are not too large.
  double step(const CodedBatch &batch, const float *log_weights, double rate, double l2, double ease, int threads);
  // Adds the weights to their running sum; `average` replaces them by the mean of all weights that were added.
  void remember();
  void average();

  // Two numbers per feature, straight and inverted.
  std::vector<float> weights() const;
  std::vector<float> gradient() const;
  void set_weights(const float *weights);
  // What the next step needs besides the weights: the sums of squares and the running sum of weights, if there is one.
  std::vector<float> squares() const;
  const std::vector<double> &sums() const { return sum_; }
  int64_t remembered() const { return remembered_; }
  void set_state(const float *weights, const float *squares, std::vector<double> sums, int64_t remembered);
  size_t size() const { return size_t{2} << templates.bits; }

  const FeatureTemplates templates;

 private:
  // All numbers of a feature are neighbours in memory, because looking them up takes most of the time.
  struct Cell {
    float weight[2], gradient[2], squares[2];
    uint32_t touched, unused;
  };
  void make_cells();

  bool canonical_;
  std::vector<float> plain_;  // the weights until learning starts
  std::vector<Cell> cells_;   // used once it has started
  std::vector<uint32_t> touched_;
  std::vector<double> sum_;
  int64_t remembered_ = 0;
};

}  // namespace wordorder::crf
