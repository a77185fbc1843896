#include "crf_learner.h"

#include <cmath>
#include <limits>
#include <memory>

#include "crf.h"
#include "parallel.h"

namespace wordorder {

CrfLearner::CrfLearner(FeatureTemplates t, bool canonical)
    : templates(std::move(t)), weights(size_t{2} << templates.bits, 0), canonical_(canonical) {}

void CrfLearner::scores(const CodedBatch &batch, int threads, float *out) const {
  parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    EdgeFeatures features(templates);
    for (int64_t s = first; s < last; ++s) {
      features.score(batch.codes + templates.layers * batch.words[s], batch.lengths[s], weights.data(), false,
                     out + batch.edges[s]);
    }
  });
}

double CrfLearner::derivatives(const CodedBatch &batch, const float *log_weights, int threads) {
  if (gradient.empty()) {
    gradient.assign(weights.size(), 0);
    squares.assign(weights.size(), 0);
    is_touched_.assign(weights.size(), 0);
  }
  for (const uint32_t w : touched) gradient[w] = 0, is_touched_[w] = 0;
  touched.clear();
  std::vector<std::unique_ptr<EdgeFeatures>> found(batch.size);
  std::vector<double> losses(batch.size, 0);
  parallel_blocks(batch.size, 1, threads, [&](int64_t first, int64_t last, int) {
    CrfChart some, all;
    for (int64_t s = first; s < last; ++s) {
      const int32_t n = batch.lengths[s];
      if (n < 2) continue;
      auto features = std::make_unique<EdgeFeatures>(templates);
      std::vector<float> scores(2 * edge_count(n)), by(2 * edge_count(n), 0);
      features->score(batch.codes + templates.layers * batch.words[s], n, weights.data(), true, scores.data());
      const double wanted = some.inside<float>(scores.data(), log_weights + batch.edges[s], n, canonical_);
      if (wanted == -std::numeric_limits<double>::infinity()) continue;
      losses[s] = all.inside<float>(scores.data(), nullptr, n, canonical_) - wanted;
      all.add_posteriors<float>(1, by.data());
      some.add_posteriors<float>(-1, by.data());
      features->spread(by.data());
      found[s] = std::move(features);
    }
  });
  double loss = 0;
  for (int64_t s = 0; s < batch.size; ++s) {
    loss += losses[s];
    if (!found[s]) continue;
    found[s]->each([&](size_t weight, float by) {
      if (!is_touched_[weight]) touched.push_back(static_cast<uint32_t>(weight));
      is_touched_[weight] = 1;
      gradient[weight] += by;
    });
  }
  return loss;
}

double CrfLearner::step(const CodedBatch &batch, const float *log_weights, double rate, double l2, int threads) {
  const double loss = derivatives(batch, log_weights, threads);
  const auto shrink = static_cast<float>(l2 * static_cast<double>(batch.size)), by = static_cast<float>(rate);
  for (const uint32_t w : touched) {
    const float g = gradient[w] + shrink * weights[w];
    squares[w] += g * g;
    if (squares[w] > 0) weights[w] -= by * g / std::sqrt(squares[w]);
  }
  return loss;
}

void CrfLearner::remember() {
  if (sum_.empty()) sum_.assign(weights.size(), 0);
  for (size_t w = 0; w < weights.size(); ++w) sum_[w] += weights[w];
  ++remembered_;
}

void CrfLearner::average() {
  if (!remembered_) return;
  for (size_t w = 0; w < weights.size(); ++w) {
    weights[w] = static_cast<float>(sum_[w] / static_cast<double>(remembered_));
  }
}

}  // namespace wordorder
