// Learning the weights of features of edges (features.h) with AdaGrad on small batches. The sentences of a batch are
// processed by several threads and their gradients are added in order, so the result does not depend on the number of
// threads.
#pragma once

#include <cstdint>
#include <vector>

#include "crf/features.h"

namespace wordorder::crf {

// Encoded sentences. Sentence s has rows of lengths[s] codes from codes[rows * words[s]] on; the log
// weights of its edges begin at weights[edges[s]].
struct CodedBatch {
  const uint32_t *codes;
  const int32_t *lengths;
  const int64_t *words, *edges;
  int64_t size;
};

enum class Objective {
  forest,  // log Z of all trees minus log Z of the weighted trees (chart.h)
  margin   // the best tree, where log weights are costs, against the best of the trees with the least cost
};

struct LearnerSettings {
  FeatureTemplates templates;
  bool canonical = false;
  Objective objective = Objective::forest;
  // Hidden states of nodes (state_chart.h). With several states, the score of an edge in a state is the sum of all
  // templates and of `state_templates`, whose weights differ between states.
  int32_t states = 1;
  std::vector<EdgeTemplate> state_templates = {};
};

class Learner {
 public:
  explicit Learner(LearnerSettings settings);

  // Scores of all edges of a batch; with states, those of the projection onto trees without states.
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

  // Two numbers per feature, straight and inverted. With several states, the features of each state follow those that
  // they share, and then the transitions, two numbers for each label of a parent and of a child.
  std::vector<float> weights() const;
  std::vector<float> gradient() const;
  void set_weights(const float *weights);
  // What the next step needs besides the weights: the sums of squares and the running sum of weights, if there is one.
  std::vector<float> squares() const;
  const std::vector<double> &sums() const { return sum_; }
  int64_t remembered() const { return remembered_; }
  void set_state(const float *weights, const float *squares, std::vector<double> sums, int64_t remembered);
  size_t size() const { return 2 * (blocks() * block() + transitions()); }
  int32_t rows() const { return settings_.templates.rows(); }

 private:
  // The number of sets of features, the number of features in each of them, and that of pairs of labels.
  size_t blocks() const { return settings_.states > 1 ? settings_.states + 1 : 1; }
  size_t block() const { return size_t{1} << settings_.templates.bits; }
  size_t transitions() const { return settings_.states > 1 ? size_t{4} * settings_.states * settings_.states : 0; }

  // All numbers of a feature are neighbours in memory, because looking them up takes most of the time.
  struct Cell {
    float weight[2], gradient[2], squares[2];
    uint32_t touched, unused;
  };
  // The weights where they are now, and the distance between those of two features.
  struct Weights {
    const float *data;
    size_t stride;
  };
  Weights current() const;
  void make_cells();
  std::vector<EdgeFeatures> make_features() const;
  std::vector<float> transition_weights() const;
  // Scores of all edges of a sentence, by state.
  std::vector<float> state_scores(std::vector<EdgeFeatures> &features, const uint32_t *codes, int32_t n,
                                  bool keep) const;
  // The loss of a sentence; its derivatives are added. Negative if the weights leave no tree.
  double loss(const std::vector<float> &scores, const float *log_weights, int32_t n, std::vector<float> &gradient,
              std::vector<float> &transition_gradient) const;

  LearnerSettings settings_;
  FeatureTemplates state_templates_;
  std::vector<float> plain_;  // the weights until learning starts
  std::vector<Cell> cells_;   // used once it has started
  std::vector<uint32_t> touched_;
  std::vector<double> sum_;
  int64_t remembered_ = 0;
};

}  // namespace wordorder::crf
