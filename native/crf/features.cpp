#include "crf/features.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/rectangles.h"
#include "crf/edges.h"

namespace wordorder::crf {

namespace {

constexpr uint32_t kBoundary = 0x9E3779B9u;

uint64_t mixed(uint64_t hash, uint32_t code) {
  hash = (hash ^ code) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 31);
}

// Lengths fall into a few classes: 1, 2, 3, 4, 5-6, 7-9, 10-14, 15-24, 25 and more.
uint32_t length_class(int32_t length) {
  constexpr int32_t ends[] = {1, 2, 3, 4, 6, 9, 14, 24};
  return static_cast<uint32_t>(std::lower_bound(std::begin(ends), std::end(ends), length) - std::begin(ends));
}

int32_t looks_at(const EdgeTemplate &t) {
  const auto any = [&](std::initializer_list<int> places) {
    return std::any_of(places.begin(), places.end(), [&](int p) { return t[p] >= 0; });
  };
  return (any({0, 1, 6, 8}) ? 1 : 0) | (any({2, 3, 6, 7}) ? 2 : 0) | (any({4, 5, 7, 8}) ? 4 : 0);
}

}  // namespace

EdgeFeatures::EdgeFeatures(const FeatureTemplates &templates) : t_(templates) {
  for (size_t t = 0; t < t_.edges.size(); ++t) {
    looks_[looks_at(t_.edges[t])].templates.push_back(static_cast<int32_t>(t));
  }
}

int64_t EdgeFeatures::slots(int32_t look) const {
  const int64_t m = n_ + 1;
  if (look == 7) return edge_count(n_);
  return look == 0 ? 1 : (look == 3 || look == 5 || look == 6) ? m * m : m;
}

int64_t EdgeFeatures::slot(int32_t look, int32_t i, int32_t k, int32_t j) const {
  const int64_t m = n_ + 1;
  switch (look) {
    case 0:
      return 0;
    case 1:
      return i;
    case 2:
      return k;
    case 4:
      return j;
    case 3:
      return i * m + k;
    case 5:
      return i * m + j;
    case 6:
      return k * m + j;
    default:
      return edge_number(n_, i, k, j);
  }
}

// Visits the slots in order with their borders, and says whether an edge can have these borders.
template <class Visit>
void EdgeFeatures::edge_slots(int32_t look, Visit visit) const {
  const int32_t n = n_;
  if (look == 7) {
    each_edge(n, [&](int64_t, int32_t i, int32_t k, int32_t j) { visit(true, i, k, j); });
  } else if (look == 0) {
    visit(true, 0, 0, 0);
  } else if (look == 1 || look == 2 || look == 4) {
    for (int32_t x = 0; x <= n; ++x) {
      const bool exists = look == 1 ? x + 2 <= n : look == 2 ? x >= 1 && x < n : x >= 2;
      visit(exists, x, x, x);
    }
  } else {
    for (int32_t x = 0; x <= n; ++x) {
      for (int32_t y = 0; y <= n; ++y) {
        const bool exists = look == 3 ? x < y && y < n : look == 5 ? x + 2 <= y : x >= 1 && x < y;
        visit(exists, look == 6 ? 0 : x, look == 6 ? x : y, y);
      }
    }
  }
}

uint32_t EdgeFeatures::edge_feature(int32_t t, int32_t i, int32_t k, int32_t j) const {
  const EdgeTemplate &look = t_.edges[t];
  const int32_t words[6] = {i - 1, i, k - 1, k, j - 1, j}, lengths[3] = {k - i, j - k, j - i};
  uint64_t hash = mixed(0x51ED270B7F4A7C15u, static_cast<uint32_t>(t));
  for (int p = 0; p < 6; ++p) {
    if (look[p] >= 0) hash = mixed(hash, padded_[static_cast<size_t>(look[p]) * (n_ + 2) + words[p] + 1]);
  }
  for (int p = 6; p < edge_places; ++p) {
    if (look[p] >= 0) hash = mixed(hash, length_class(lengths[p - 6]));
  }
  return static_cast<uint32_t>(hash * 0x9E3779B97F4A7C15u >> (64 - t_.bits));
}

uint32_t EdgeFeatures::pair_feature(int32_t t, int32_t a, int32_t b) const {
  const PairTemplate &look = t_.pairs[t];
  const int32_t words[6] = {a - 1, a, a + 1, b - 1, b, b + 1};
  uint64_t hash = mixed(0xC2B2AE3D27D4EB4Fu, static_cast<uint32_t>(t));
  for (int p = 0; p < 6; ++p) {
    if (look[p] >= 0) hash = mixed(hash, padded_[static_cast<size_t>(look[p]) * (n_ + 2) + words[p] + 1]);
  }
  if (look[6] >= 0) hash = mixed(hash, length_class(b - a));
  return static_cast<uint32_t>(hash * 0x9E3779B97F4A7C15u >> (64 - t_.bits));
}

uint32_t EdgeFeatures::tree_feature(int32_t t, SpanTop left, SpanTop right) const {
  const TreeTemplate &look = t_.trees[t];
  const int32_t above = left.word < n_ ? tops_.head(left.word) : -1;
  const int32_t words[5] = {left.word, left.word, right.word, right.word, above};
  uint64_t hash = mixed(0xA0761D6478BD642Fu, static_cast<uint32_t>(t));
  for (int p = 0; p < 5; ++p) {
    if (look[p] >= 0) hash = mixed(hash, padded_[static_cast<size_t>(look[p]) * (n_ + 2) + words[p] + 1]);
  }
  if (look[5] >= 0) hash = mixed(hash, static_cast<uint32_t>(tops_.relation(left.word, right.word)));
  if (look[6] >= 0) {
    hash = mixed(hash, static_cast<uint32_t>(left.kind) * span_kinds + static_cast<uint32_t>(right.kind));
  }
  if (look[7] >= 0) hash = mixed(hash, length_class(std::abs(right.word - left.word)));
  return static_cast<uint32_t>(hash * 0x9E3779B97F4A7C15u >> (64 - t_.bits));
}

// Numbers the different pairs of tops of both parts of an edge.
void EdgeFeatures::number_tops(const uint32_t *heads) {
  const int32_t n = n_;
  tops_.set(heads, n);
  top_pairs_.clear();
  top_pair_of_.resize(edge_count(n));
  const size_t each = static_cast<size_t>(span_kinds) * (n + 1);
  std::vector<int32_t> numbers(each * each, -1);
  const auto place = [&](SpanTop top) { return static_cast<size_t>(top.kind) * (n + 1) + top.word; };
  each_edge(n, [&](int64_t edge, int32_t i, int32_t k, int32_t j) {
    const SpanTop left = tops_.top(i, k), right = tops_.top(k, j);
    int32_t &number = numbers[place(left) * each + place(right)];
    if (number < 0) {
      number = static_cast<int32_t>(top_pairs_.size());
      top_pairs_.push_back({left, right});
    }
    top_pair_of_[edge] = number;
  });
}

void EdgeFeatures::score(const uint32_t *codes, int32_t n, const float *weights, size_t stride, bool keep, float *out) {
  n_ = n;
  const bool paired = !t_.pairs.empty();
  kept_.clear();
  padded_.assign(static_cast<size_t>(t_.layers) * (n + 2), kBoundary);
  for (int32_t layer = 0; layer < t_.layers; ++layer) {
    std::copy_n(codes + static_cast<size_t>(layer) * n, n, &padded_[static_cast<size_t>(layer) * (n + 2) + 1]);
  }
  for (int32_t borders = 0; borders < 8; ++borders) {
    Look &look = looks_[borders];
    if (look.templates.empty()) continue;
    look.sums.assign(2 * slots(borders), 0);
    float *sums = look.sums.data();
    edge_slots(borders, [&](bool exists, int32_t i, int32_t k, int32_t j) {
      for (const int32_t t : look.templates) {
        const uint32_t feature = exists ? edge_feature(t, i, k, j) : UINT32_MAX;
        if (keep) kept_.push_back(feature);
        if (!exists) continue;
        sums[0] += weights[feature * stride];
        sums[1] += weights[feature * stride + 1];
      }
      sums += 2;
    });
  }
  base::RectangleSums<double> sums(paired ? n : 0);
  if (paired) {
    while (static_cast<int64_t>(shares_.size()) <= static_cast<int64_t>(n) * n / 4) {
      shares_.push_back(
          static_cast<float>(std::pow(std::max<double>(1, static_cast<double>(shares_.size())), -t_.power)));
    }
    pairs_.assign(static_cast<size_t>(n) * n, 0);
    for (int32_t a = 0; a < n; ++a) {
      for (int32_t b = a + 1; b < n; ++b) {
        float weight = 0;
        for (size_t t = 0; t < t_.pairs.size(); ++t) {
          const uint32_t feature = pair_feature(static_cast<int32_t>(t), a, b);
          if (keep) kept_.push_back(feature);
          weight += weights[feature * stride + 1];
        }
        pairs_[a * n + b] = weight;
      }
    }
    sums.set([&](int64_t a, int64_t b) { return pairs_[a * n + b]; });
  }
  const bool trees = !t_.trees.empty();
  if (trees) {
    number_tops(codes + static_cast<size_t>(t_.layers) * n);
    top_sums_.assign(2 * top_pairs_.size(), 0);
    for (size_t p = 0; p < top_pairs_.size(); ++p) {
      for (size_t t = 0; t < t_.trees.size(); ++t) {
        const uint32_t feature = tree_feature(static_cast<int32_t>(t), top_pairs_[p][0], top_pairs_[p][1]);
        if (keep) kept_.push_back(feature);
        top_sums_[2 * p] += weights[feature * stride];
        top_sums_[2 * p + 1] += weights[feature * stride + 1];
      }
    }
  }
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        float score[2] = {0, 0};
        if (trees) {
          score[0] = top_sums_[2 * top_pair_of_[edge]];
          score[1] = top_sums_[2 * top_pair_of_[edge] + 1];
        }
        for (int32_t look = 0; look < 8; ++look) {
          if (looks_[look].templates.empty()) continue;
          const float *at = &looks_[look].sums[2 * slot(look, i, k, j)];
          score[0] += at[0];
          score[1] += at[1];
        }
        if (paired) score[1] += static_cast<float>(sums(i, k, j)) * share(i, k, j);
        out[2 * edge] = score[0];
        out[2 * edge + 1] = score[1];
      }
    }
  }
}

void EdgeFeatures::spread(const float *gradient) {
  const int32_t n = n_;
  const bool paired = !t_.pairs.empty();
  for (Look &look : looks_) std::fill(look.sums.begin(), look.sums.end(), 0.0f);
  const bool trees = !t_.trees.empty();
  std::fill(top_sums_.begin(), top_sums_.end(), 0.0f);
  base::RectangleAdditions<double> pairs(paired ? n : 0);
  int64_t edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      for (int32_t k = i + 1; k < j; ++k, ++edge) {
        const float straight = gradient[2 * edge], inverted = gradient[2 * edge + 1];
        for (int32_t look = 0; look < 8; ++look) {
          if (looks_[look].templates.empty()) continue;
          float *at = &looks_[look].sums[2 * slot(look, i, k, j)];
          at[0] += straight;
          at[1] += inverted;
        }
        if (trees) {
          top_sums_[2 * top_pair_of_[edge]] += straight;
          top_sums_[2 * top_pair_of_[edge] + 1] += inverted;
        }
        if (paired) pairs.add(i, k, j, static_cast<double>(inverted) * share(i, k, j));
      }
    }
  }
  if (!paired) return;
  pairs.sum();
  for (int32_t a = 0; a < n; ++a) {
    for (int32_t b = a + 1; b < n; ++b) pairs_[a * n + b] = static_cast<float>(pairs.cell(a, b));
  }
}

}  // namespace wordorder::crf
