#include "crf/learner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "crf/best_tree.h"
#include "crf/chart.h"
#include "crf/edges.h"
#include "crf/state_chart.h"

namespace wordorder::crf {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double dear = 1e6;  // costs times this outweigh any scores

double forest_loss(const std::vector<float> &scores, const float *log_weights, int32_t n, bool canonical,
                   std::vector<float> &gradient) {
  Chart weighted, all;
  const double wanted = weighted.inside<float>(scores.data(), log_weights, n, canonical);
  if (wanted == never) return -1;
  const double loss = all.inside<float>(scores.data(), nullptr, n, canonical) - wanted;
  all.add_posteriors<float>(1, gradient.data());
  weighted.add_posteriors<float>(-1, gradient.data());
  return std::max(loss, 0.0);
}

double state_loss(const std::vector<float> &scores, const float *log_weights, int32_t n, int32_t states,
                  const std::vector<float> &transitions, std::vector<float> &gradient,
                  std::vector<float> &transition_gradient) {
  StateChart weighted(states), all(states);
  const double wanted = weighted.inside(scores.data(), log_weights, transitions.data(), n);
  if (wanted == never) return -1;
  const double loss = all.inside(scores.data(), nullptr, transitions.data(), n) - wanted;
  all.add_posteriors(1, gradient.data(), transition_gradient.data());
  weighted.add_posteriors(-1, gradient.data(), transition_gradient.data());
  return std::max(loss, 0.0);
}

double margin_loss(const std::vector<float> &scores, const float *log_weights, int32_t n, bool canonical,
                   std::vector<float> &gradient) {
  std::vector<double> adjusted(scores.size());
  double loss = 0;
  for (const double factor : {1.0, -1.0}) {  // the violator, then the best tree of the least cost
    for (size_t e = 0; e < scores.size(); ++e) {
      const auto weight = static_cast<double>(log_weights[e]);
      adjusted[e] = static_cast<double>(scores[e]) + (factor > 0 ? -weight : dear * weight);
    }
    std::vector<TreeNode> tree;
    best_tree<double>(adjusted.data(), n, canonical, tree);
    for (const TreeNode &node : tree) {
      const int64_t e = 2 * edge_number(n, node.begin, node.cut, node.end) + node.op;
      gradient[e] += static_cast<float>(factor);
      loss += factor * (static_cast<double>(scores[e]) - static_cast<double>(log_weights[e]));
    }
  }
  return std::max(loss, 0.0);
}

}  // namespace

Learner::Learner(LearnerSettings settings)
    : settings_(std::move(settings)), state_templates_(settings_.templates), plain_(size(), 0) {
  state_templates_.edges = settings_.state_templates;
  state_templates_.pairs.clear();
  state_templates_.trees.clear();
}

Learner::Weights Learner::current() const {
  if (cells_.empty()) return {plain_.data(), 2};
  return {cells_[0].weight, sizeof(Cell) / sizeof(float)};
}

std::vector<EdgeFeatures> Learner::make_features() const {
  std::vector<EdgeFeatures> features;
  features.emplace_back(settings_.templates);
  for (size_t b = 1; b < blocks(); ++b) features.emplace_back(state_templates_);
  return features;
}

std::vector<float> Learner::transition_weights() const {
  const auto [weights, stride] = current();
  std::vector<float> out(2 * transitions());
  for (size_t t = 0; t < out.size(); ++t) out[t] = weights[(blocks() * block() + t / 2) * stride + t % 2];
  return out;
}

std::vector<float> Learner::state_scores(std::vector<EdgeFeatures> &features, const uint32_t *codes, int32_t n,
                                         bool keep) const {
  const auto [weights, stride] = current();
  const size_t edges = 2 * edge_count(n);
  std::vector<float> shared(edges), out(edges * settings_.states);
  features[0].score(codes, n, weights, stride, keep, shared.data());
  if (settings_.states == 1) return shared;
  for (size_t b = 1; b < blocks(); ++b) {
    float *own = out.data() + (b - 1) * edges;
    features[b].score(codes, n, weights + b * block() * stride, stride, keep, own);
    for (size_t e = 0; e < edges; ++e) own[e] += shared[e];
  }
  return out;
}

double Learner::loss(const std::vector<float> &scores, const float *log_weights, int32_t n,
                     std::vector<float> &gradient, std::vector<float> &transition_gradient) const {
  if (settings_.objective == Objective::margin) {
    return margin_loss(scores, log_weights, n, settings_.canonical, gradient);
  }
  if (settings_.states == 1) return forest_loss(scores, log_weights, n, settings_.canonical, gradient);
  return state_loss(scores, log_weights, n, settings_.states, transition_weights(), gradient, transition_gradient);
}

void Learner::make_cells() {
  if (!cells_.empty()) return;
  cells_.resize(size() / 2);
  for (size_t w = 0; w < size(); ++w) cells_[w / 2].weight[w % 2] = plain_[w];
}

std::vector<float> Learner::weights() const {
  std::vector<float> out = plain_;
  for (size_t w = 0; w < 2 * cells_.size(); ++w) out[w] = cells_[w / 2].weight[w % 2];
  return out;
}

std::vector<float> Learner::gradient() const {
  std::vector<float> out(size(), 0);
  for (size_t w = 0; w < 2 * cells_.size(); ++w) out[w] = cells_[w / 2].gradient[w % 2];
  return out;
}

void Learner::set_weights(const float *weights) {
  plain_.assign(weights, weights + size());
  cells_.clear();
  cells_.shrink_to_fit();
  touched_.clear();
}

std::vector<float> Learner::squares() const {
  std::vector<float> out(size(), 0);
  for (size_t w = 0; w < 2 * cells_.size(); ++w) out[w] = cells_[w / 2].squares[w % 2];
  return out;
}

void Learner::set_state(const float *weights, const float *squares, std::vector<double> sums, int64_t remembered) {
  set_weights(weights);
  make_cells();
  for (size_t w = 0; w < size(); ++w) cells_[w / 2].squares[w % 2] = squares[w];
  sum_ = std::move(sums);
  remembered_ = remembered;
}

void Learner::scores(const CodedBatch &batch, int threads, float *out) const {
  base::parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    std::vector<EdgeFeatures> features = make_features();
    StateChart chart(settings_.states);
    const std::vector<float> transitions = transition_weights();
    for (int64_t s = first; s < last; ++s) {
      const int32_t n = batch.lengths[s];
      const std::vector<float> scores = state_scores(features, batch.codes + rows() * batch.words[s], n, false);
      if (settings_.states == 1) {
        std::copy(scores.begin(), scores.end(), out + batch.edges[s]);
      } else {
        chart.inside(scores.data(), nullptr, transitions.data(), n);
        chart.project(out + batch.edges[s]);
      }
    }
  });
}

double Learner::derivatives(const CodedBatch &batch, const float *log_weights, int threads) {
  make_cells();
  for (const uint32_t f : touched_) cells_[f].gradient[0] = cells_[f].gradient[1] = 0, cells_[f].touched = 0;
  touched_.clear();
  struct Sentence {
    std::vector<EdgeFeatures> features;  // empty if there is nothing to learn
    std::vector<float> transitions;
    double loss = 0;
  };
  std::vector<Sentence> sentences(batch.size);
  base::parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    for (int64_t s = first; s < last; ++s) {
      const int32_t n = batch.lengths[s];
      if (n < 2) continue;
      Sentence &at = sentences[s];
      std::vector<EdgeFeatures> features = make_features();
      const std::vector<float> scores = state_scores(features, batch.codes + rows() * batch.words[s], n, true);
      std::vector<float> gradient(scores.size(), 0);
      at.transitions.assign(2 * transitions(), 0);
      at.loss = loss(scores, log_weights + batch.edges[s], n, gradient, at.transitions);
      if (at.loss < 0) {
        at.loss = 0;
        continue;
      }
      if (settings_.states > 1) {  // every state adds to the features that are shared
        const size_t edges = 2 * edge_count(n);
        std::vector<float> sum(edges, 0);
        for (size_t e = 0; e < gradient.size(); ++e) sum[e % edges] += gradient[e];
        for (size_t b = 1; b < blocks(); ++b) features[b].spread(gradient.data() + (b - 1) * edges);
        features[0].spread(sum.data());
      } else {
        features[0].spread(gradient.data());
      }
      at.features = std::move(features);
    }
  });
  double loss = 0;
  const auto add = [&](uint32_t cell_number, float straight, float inverted) {
    Cell &cell = cells_[cell_number];
    cell.gradient[0] += straight;
    cell.gradient[1] += inverted;
    if (!cell.touched) touched_.push_back(cell_number);
    cell.touched = 1;
  };
  for (const Sentence &sentence : sentences) {
    loss += sentence.loss;
    if (sentence.features.empty()) continue;
    for (size_t b = 0; b < blocks(); ++b) {
      const auto begin = static_cast<uint32_t>(b * block());
      sentence.features[b].each(
          [&](uint32_t feature, float straight, float inverted) { add(begin + feature, straight, inverted); });
    }
    for (size_t t = 0; t < transitions(); ++t) {
      add(static_cast<uint32_t>(blocks() * block() + t), sentence.transitions[2 * t], sentence.transitions[2 * t + 1]);
    }
  }
  return loss;
}

double Learner::step(const CodedBatch &batch, const float *log_weights, double rate, double l2, double ease,
                     int threads) {
  const double loss = derivatives(batch, log_weights, threads);
  const auto shrink = static_cast<float>(l2 * static_cast<double>(batch.size)), speed = static_cast<float>(rate),
             least = static_cast<float>(ease);
  for (const uint32_t f : touched_) {
    Cell &cell = cells_[f];
    for (int op = 0; op < 2; ++op) {
      const float g = cell.gradient[op] + shrink * cell.weight[op];
      cell.squares[op] += g * g;
      if (cell.squares[op] > 0) cell.weight[op] -= speed * g / std::sqrt(cell.squares[op] + least);
    }
  }
  return loss;
}

void Learner::remember() {
  make_cells();
  sum_.resize(size(), 0);
  for (size_t w = 0; w < size(); ++w) sum_[w] += cells_[w / 2].weight[w % 2];
  ++remembered_;
}

void Learner::average() {
  if (!remembered_) return;
  std::vector<float> mean(size());
  for (size_t w = 0; w < size(); ++w) mean[w] = static_cast<float>(sum_[w] / static_cast<double>(remembered_));
  set_weights(mean.data());
}

}  // namespace wordorder::crf
