// Scores of the edges of a tree (crf.h) as sums of weights of features, found by hashing. A word has a code in
// each of several layers (the word, its class, its last letters ...). A template says at which places of an edge
// which layers are looked at; the codes it finds there are a feature, with a weight if the edge is read straight
// and one if it is inverted. What a template does not look at does not multiply its work: one that sees the cut
// alone is looked up once for each cut, not for each edge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::crf {

// Places of an edge (i, k, j): the word before it, the first and last of the left part, the first and last
// of the right one, the word behind it; how long the left part, the right part and both are. The number is the
// layer to look at, for lengths 0; -1: not looked at.
constexpr int32_t edge_places = 9;
using EdgeTemplate = std::array<int32_t, edge_places>;

// Places of a pair of words (a, b): the word before a, a, the word after it, the same of b, and their distance.
// An inverted edge has the weights of all pairs whose words change sides, added up and divided by a power of
// their number.
constexpr int32_t pair_places = 7;
using PairTemplate = std::array<int32_t, pair_places>;

struct FeatureTemplates {
  int32_t layers = 0, bits = 0;  // 2^bits features, each with two weights
  double power = 0.5;
  std::vector<EdgeTemplate> edges;
  std::vector<PairTemplate> pairs;
};

// The features of one sentence.
class EdgeFeatures {
 public:
  explicit EdgeFeatures(const FeatureTemplates &templates);
  // codes[layer * n + word]; the two weights of feature f are at weights[f * stride]. Keeps the numbers of features
  // if `keep`. Scores of 2 * edge_count(n) edges go to `out`.
  void score(const uint32_t *codes, int32_t n, const float *weights, size_t stride, bool keep, float *out);
  // Prepares the derivative by each feature from that by each edge.
  void spread(const float *gradient);
  // Calls add(feature, derivative straight, inverted) for every feature that was kept; one may come several times.
  template <class Add>
  void each(Add add) const;

 private:
  struct Look {  // templates that look at the same boundaries: bits 1, 2 and 4 for i, k and j
    std::vector<int32_t> templates;
    std::vector<float> sums;  // by the boundaries' slot, two numbers each
  };
  int64_t slots(int32_t look) const;
  int64_t slot(int32_t look, int32_t i, int32_t k, int32_t j) const;
  template <class Visit>
  void edge_slots(int32_t look, Visit visit) const;
  uint32_t edge_feature(int32_t t, int32_t i, int32_t k, int32_t j) const;
  uint32_t pair_feature(int32_t t, int32_t a, int32_t b) const;
  float share(int32_t i, int32_t k, int32_t j) const { return shares_[(k - i) * (j - k)]; }

  const FeatureTemplates &t_;
  int32_t n_ = 0;
  std::vector<uint32_t> padded_;  // codes with a boundary on either side
  std::array<Look, 8> looks_;
  std::vector<float> pairs_;   // [a][b], weights or derivatives
  std::vector<float> shares_;  // one over the power of a number of pairs
  std::vector<uint32_t> kept_;
};

template <class Add>
void EdgeFeatures::each(Add add) const {
  size_t at = 0;
  for (const Look &look : looks_) {
    const size_t count = look.templates.size();
    if (!count) continue;
    for (size_t s = 0; s < look.sums.size() / 2; ++s) {
      const float straight = look.sums[2 * s], inverted = look.sums[2 * s + 1];
      for (size_t t = 0; t < count; ++t) {
        const uint32_t feature = kept_[at++];
        if (feature == UINT32_MAX) continue;  // not a slot of this sentence
        add(feature, straight, inverted);
      }
    }
  }
  if (t_.pairs.empty()) return;
  for (int32_t a = 0; a < n_; ++a) {
    for (int32_t b = a + 1; b < n_; ++b) {
      const float by = pairs_[a * n_ + b];
      for (size_t t = 0; t < t_.pairs.size(); ++t) {
        add(kept_[at++], 0.0f, by);
      }
    }
  }
}

}  // namespace wordorder::crf
