#include "crf/learner.h"

#include <cmath>
#include <limits>
#include <memory>

#include "base/parallel.h"
#include "crf/chart.h"

namespace wordorder::crf {

Learner::Learner(FeatureTemplates t, bool canonical)
    : templates(std::move(t)), canonical_(canonical), plain_(size(), 0) {}

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
  const bool plain = cells_.empty();
  const float *weights = plain ? plain_.data() : cells_[0].weight;
  base::parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    EdgeFeatures features(templates);
    for (int64_t s = first; s < last; ++s) {
      features.score(batch.codes + templates.layers * batch.words[s], batch.lengths[s], weights,
                     plain ? 2 : sizeof(Cell) / sizeof(float), false, out + batch.edges[s]);
    }
  });
}

double Learner::derivatives(const CodedBatch &batch, const float *log_weights, int threads) {
  make_cells();
  for (const uint32_t f : touched_) cells_[f].gradient[0] = cells_[f].gradient[1] = 0, cells_[f].touched = 0;
  touched_.clear();
  std::vector<std::unique_ptr<EdgeFeatures>> spread(batch.size);
  std::vector<double> losses(batch.size, 0);
  base::parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    Chart weighted, all;
    for (int64_t s = first; s < last; ++s) {
      const int32_t n = batch.lengths[s];
      if (n < 2) continue;
      auto features = std::make_unique<EdgeFeatures>(templates);
      std::vector<float> scores(2 * edge_count(n)), gradient(2 * edge_count(n), 0);
      features->score(batch.codes + templates.layers * batch.words[s], n, cells_[0].weight,
                      sizeof(Cell) / sizeof(float), true, scores.data());
      const double wanted = weighted.inside<float>(scores.data(), log_weights + batch.edges[s], n, canonical_);
      if (wanted == -std::numeric_limits<double>::infinity()) continue;
      losses[s] = all.inside<float>(scores.data(), nullptr, n, canonical_) - wanted;
      all.add_posteriors<float>(1, gradient.data());
      weighted.add_posteriors<float>(-1, gradient.data());
      features->spread(gradient.data());
      spread[s] = std::move(features);
    }
  });
  double loss = 0;
  for (int64_t s = 0; s < batch.size; ++s) {
    loss += losses[s];
    if (!spread[s]) continue;
    spread[s]->each([&](uint32_t feature, float straight, float inverted) {
      Cell &cell = cells_[feature];
      cell.gradient[0] += straight;
      cell.gradient[1] += inverted;
      if (!cell.touched) touched_.push_back(feature);
      cell.touched = 1;
    });
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
