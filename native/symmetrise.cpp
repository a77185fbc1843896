#include "symmetrise.h"

namespace wordorder {

void Symmetriser::run(int32_t I, int32_t J, uint8_t *forward, const uint8_t *reverse, Symmetry how) {
  const int64_t cells = static_cast<int64_t>(I) * J;
  if (how == Symmetry::forward) return;
  if (how == Symmetry::reverse || how == Symmetry::intersection || how == Symmetry::unite) {
    for (int64_t c = 0; c < cells; ++c) {
      forward[c] = how == Symmetry::reverse        ? reverse[c]
                   : how == Symmetry::intersection ? forward[c] & reverse[c]
                                                   : forward[c] | reverse[c];
    }
    return;
  }
  both_.resize(cells);
  either_.resize(cells);
  source_.assign(I, 0);
  target_.assign(J, 0);
  for (int32_t i = 0; i < I; ++i) {
    for (int32_t j = 0; j < J; ++j) {
      const int64_t c = static_cast<int64_t>(i) * J + j;
      both_[c] = forward[c] & reverse[c];
      either_[c] = forward[c] | reverse[c];
      if (both_[c]) source_[i] = target_[j] = 1;
    }
  }
  grow(I, J);
  if (how != Symmetry::grow_diag) {
    const bool both = how == Symmetry::grow_diag_final_and;
    finish(I, J, forward, both);
    finish(I, J, reverse, both);
  }
  for (int64_t c = 0; c < cells; ++c) forward[c] = both_[c];
}

// Adds links of the union next to a link, where one of the two words has none yet, until none is added.
void Symmetriser::grow(int32_t I, int32_t J) {
  static constexpr int32_t steps[8][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  for (bool added = true; added;) {
    added = false;
    for (int32_t i = 0; i < I; ++i) {
      for (int32_t j = 0; j < J; ++j) {
        if (!both_[static_cast<int64_t>(i) * J + j]) continue;
        for (const auto &step : steps) {
          const int32_t a = i + step[0], b = j + step[1];
          if (a < 0 || b < 0 || a >= I || b >= J || (source_[a] && target_[b])) continue;
          const int64_t c = static_cast<int64_t>(a) * J + b;
          if (!either_[c] || both_[c]) continue;
          both_[c] = source_[a] = target_[b] = 1;
          added = true;
        }
      }
    }
  }
}

// Adds links of one direction where one of the two words, or both of them, has none yet.
void Symmetriser::finish(int32_t I, int32_t J, const uint8_t *from, bool both) {
  for (int32_t i = 0; i < I; ++i) {
    for (int32_t j = 0; j < J; ++j) {
      const int64_t c = static_cast<int64_t>(i) * J + j;
      if (!from[c] || both_[c]) continue;
      if (both ? source_[i] || target_[j] : source_[i] && target_[j]) continue;
      both_[c] = source_[i] = target_[j] = 1;
    }
  }
}

}  // namespace wordorder
