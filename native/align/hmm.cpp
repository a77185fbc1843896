#include "align/hmm.h"

#include <algorithm>
#include <cmath>

#include "base/dispatch.h"
#include "base/fixed_point.h"

namespace wordorder::align {

namespace {

// out[k] += factor * in[k]
WO_CLONES void add_scaled(float *out, const float *in, float factor, int32_t n) {
  for (int32_t k = 0; k < n; ++k) out[k] += factor * in[k];
}

}  // namespace

Jumps::Jumps() : weights_(classes, 1.0), table_(2 * reach + 1), mirror_(2 * reach + 1), sums_(2 * reach + 2) {
  std::vector<double> even(classes);
  for (int32_t k = 0; k < classes; ++k) even[k] = class_size(k);
  set(even.data());
}

int32_t Jumps::class_of(int32_t width) {
  static constexpr int32_t ends[] = {10, 13, 18, 26, 40, 64, 128};
  const int32_t far = width < 0 ? -width : width;
  int32_t k = far;
  if (far > 8) {
    k = 9;
    for (const int32_t end : ends) k += far > end;
  }
  return classes / 2 + (width < 0 ? -k : k);
}

int32_t Jumps::class_size(int32_t k) {
  static constexpr int32_t sizes[] = {2, 3, 5, 8, 14, 24, 64, reach - 128};
  const int32_t far = std::abs(k - classes / 2);
  return far <= 8 ? 1 : sizes[far - 9];
}

void Jumps::set(const double *weights) {
  weights_.assign(weights, weights + classes);
  for (int32_t d = -reach; d <= reach; ++d) {
    const int32_t k = class_of(d);
    table_[reach + d] = mirror_[reach - d] = static_cast<float>(weights[k] / class_size(k));
  }
  sums_[0] = 0;
  for (int32_t d = 0; d <= 2 * reach; ++d) sums_[d + 1] = sums_[d] + table_[d];
}

void JumpCounts::add(const JumpCounts &other) {
  for (size_t d = 0; d < count.size(); ++d) {
    count[d] += other.count[d];
    exposure_change[d] += other.exposure_change[d];
  }
}

double Hmm::run(int32_t J, int32_t I, int32_t W, const int32_t *begin, const float *lexical, const float *null_lexical,
                float null, const Jumps &jumps, float *posterior, float *null_posterior, JumpCounts *counts) {
  const size_t cells = static_cast<size_t>(J) * W;
  words_.resize(cells);
  nulls_.resize(cells);
  start_.resize(J + 1);
  scale_.resize(J);
  mass_.resize(W);
  step_.resize(W);
  value_.resize(W);
  back_.resize(W);
  ahead_.resize(W);
  inverse_.resize(I + 1);
  // Beyond the reach of the table, a sentence is only seen through its window. The normaliser then covers the reach,
  // which is all that the window can use.
  for (int32_t i = -1; i < I; ++i) {
    const int32_t low = std::max(-i, -Jumps::reach), high = std::min(I - i, Jumps::reach + 1);
    inverse_[i + 1] = static_cast<float>((1 - null) / jumps.between(low, high));
  }
  const auto jump_ok = [](int32_t d) { return std::clamp(d, -Jumps::reach, Jumps::reach); };

  double likelihood = 0;
  start_[0] = 1;
  for (int32_t j = 0; j < J; ++j) {
    float *word = words_.data() + static_cast<size_t>(j) * W, *nothing = nulls_.data() + static_cast<size_t>(j) * W;
    const float *lex = lexical + static_cast<size_t>(j) * W;
    const float by_null = null * null_lexical[j];
    std::fill(step_.begin(), step_.end(), 0.0f);
    std::fill(nothing, nothing + W, 0.0f);
    if (start_[j] > 0) {
      const float u = start_[j] * inverse_[0];
      for (int32_t k = 0; k < W; ++k) step_[k] += u * jumps.of(jump_ok(begin[j] + k + 1));
    }
    if (j > 0) {
      const int32_t shift = begin[j] - begin[j - 1], wide = std::min(shift, Jumps::reach - W);
      const float *word_before = word - W, *null_before = nothing - W;
      for (int32_t k = 0; k < W; ++k) {
        const float mass = word_before[k] + null_before[k];
        if (mass <= prune) continue;
        add_scaled(step_.data(), jumps.at(wide - k), mass * inverse_[begin[j - 1] + k + 1], W);
        if (k >= shift) nothing[k - shift] = by_null * mass;
      }
    }
    start_[j + 1] = start_[j] * by_null;
    float total = start_[j + 1];
    for (int32_t k = 0; k < W; ++k) {
      word[k] = step_[k] * lex[k];
      total += word[k] + nothing[k];
    }
    const float scale = 1 / total;
    for (int32_t k = 0; k < W; ++k) {
      word[k] *= scale;
      nothing[k] *= scale;
    }
    start_[j + 1] *= scale;
    scale_[j] = scale;
    likelihood += std::log(static_cast<double>(total));
  }

  const int32_t furthest = std::min(I, Jumps::reach);
  if (counts) {
    pairs_.resize(2 * Jumps::reach + 2);
    exposure_.resize(2 * Jumps::reach + 2);
    std::fill(pairs_.begin() + Jumps::reach - furthest, pairs_.begin() + Jumps::reach + furthest + 1, 0.0f);
    std::fill(exposure_.begin() + Jumps::reach - furthest, exposure_.begin() + Jumps::reach + furthest + 2, 0.0);
  }
  std::fill(back_.begin(), back_.end(), 1.0f);
  float back_start = 1;
  for (int32_t j = J - 1; j >= 0; --j) {
    const float *word = words_.data() + static_cast<size_t>(j) * W,
                *nothing = nulls_.data() + static_cast<size_t>(j) * W;
    const float *lex = lexical + static_cast<size_t>(j) * W;
    float *post = posterior + static_cast<size_t>(j) * W;
    float none = start_[j + 1] * back_start;
    for (int32_t k = 0; k < W; ++k) {
      post[k] = word[k] * back_[k];
      none += nothing[k] * back_[k];
      value_[k] = lex[k] * back_[k] * scale_[j];
    }
    null_posterior[j] = none;

    // Steps from the start are possible as long as all earlier words were generated by null.
    const float by_null = null * null_lexical[j] * scale_[j];
    float from_start = 0;
    if (start_[j] > 0) {
      for (int32_t k = 0; k < W; ++k) from_start += jumps.of(jump_ok(begin[j] + k + 1)) * value_[k];
      if (counts) {
        const float u = start_[j] * inverse_[0];
        for (int32_t k = 0; k < W; ++k) {
          const int32_t d = jump_ok(begin[j] + k + 1);
          pairs_[Jumps::reach + d] += u * value_[k];
        }
        const double visits = static_cast<double>(u) * from_start * inverse_[0] / (1 - null);
        exposure_[Jumps::reach + jump_ok(1)] += visits;
        exposure_[Jumps::reach + jump_ok(I) + 1] -= visits;
      }
    }
    back_start = from_start * inverse_[0] + by_null * back_start;
    if (j == 0) break;

    const int32_t shift = begin[j] - begin[j - 1], wide = std::min(shift, Jumps::reach - W);
    std::fill(ahead_.begin(), ahead_.end(), 0.0f);
    for (int32_t k = 0; k < W; ++k) {
      if (post[k] <= prune) continue;
      add_scaled(ahead_.data(), jumps.mirrored(-wide - k), value_[k], W);
    }
    const float *word_before = word - W, *null_before = nothing - W;
    for (int32_t k = 0; k < W; ++k) {
      const float inverse = inverse_[begin[j - 1] + k + 1];
      const float stay = k >= shift ? by_null * back_[k - shift] : 0.0f;
      const float mass = word_before[k] + null_before[k];
      if (counts && mass > prune) {
        const float u = mass * inverse;
        add_scaled(pairs_.data() + Jumps::reach + wide - k, value_.data(), u, W);
        const double visits = static_cast<double>(u) * ahead_[k] * inverse / (1 - null);
        const int32_t position = begin[j - 1] + k;
        exposure_[Jumps::reach + jump_ok(-position)] += visits;
        exposure_[Jumps::reach + jump_ok(I - 1 - position) + 1] -= visits;
      }
      mass_[k] = inverse * ahead_[k] + stay;
    }
    std::swap(mass_, back_);
  }
  if (counts) {
    for (int32_t d = -furthest; d <= furthest + 1; ++d) {
      const size_t at = Jumps::reach + d;
      if (d <= furthest) counts->count[at] += base::fixed(static_cast<double>(pairs_[at]) * jumps.of(d));
      counts->exposure_change[at] += base::fixed(exposure_[at]);
    }
  }
  return likelihood;
}

}  // namespace wordorder::align
