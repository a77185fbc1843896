// Scores of edges (edges.h) as sums of weights of hashed features.
//
// A word has one code in each of several layers (the word itself, its class, its last letters, ...). A template names
// the places of an edge and the layer to read at each of them. The codes found there form a feature, which has one
// weight for straight and one for inverted edges. A template is evaluated once for each combination of the borders that
// it looks at: one that looks only at the split is evaluated once per split, not once per edge. Templates of trees look
// at the tops of both parts of an edge in a dependency tree (span_tops.h), and are evaluated once per pair of tops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crf/span_tops.h"

namespace wordorder::crf {

// Places of an edge (i, k, j): the word before it, the first and last word of the left part, the first and last word of
// the right part, the word after it; then the lengths of the left part, the right part and the whole. Each entry is the
// layer to read (0 for lengths), or -1 if the template ignores the place.
constexpr int32_t edge_places = 9;
using EdgeTemplate = std::array<int32_t, edge_places>;

// Places of a pair of words (a, b): the word before a, a, the word after a, the same three for b, and the distance.
// The score of an inverted edge includes the weights of all pairs that it inverts, divided by a power of their number.
constexpr int32_t pair_places = 7;
using PairTemplate = std::array<int32_t, pair_places>;

// Places of the tops of both parts of an edge: the top of the left part, twice, so that two layers can be read there;
// the same for the right part; the head of the left top; then the relation of the tops, the kinds of both parts and the
// distance of the tops (0 to read them).
constexpr int32_t tree_places = 8;
using TreeTemplate = std::array<int32_t, tree_places>;

struct FeatureTemplates {
  int32_t layers = 0, bits = 0;  // 2^bits features with two weights each
  double power = 0.5;
  std::vector<EdgeTemplate> edges;
  std::vector<PairTemplate> pairs;
  std::vector<TreeTemplate> trees;
  // The rows of numbers of a sentence: its codes and, if templates look at trees, its heads.
  int32_t rows() const { return layers + (trees.empty() ? 0 : 1); }
};

// The features of one sentence.
class EdgeFeatures {
 public:
  explicit EdgeFeatures(const FeatureTemplates &templates);
  // Writes the scores of all edges. The codes are codes[layer * n + word], and if templates look at trees, the row
  // after the last layer has the head of each word (n: none). The two weights of feature f are at weights[f * stride].
  // With `keep`, the feature numbers are stored for `each`.
  void score(const uint32_t *codes, int32_t n, const float *weights, size_t stride, bool keep, float *out);
  // Computes the derivative with respect to each feature from the derivatives with respect to the edges.
  void spread(const float *gradient);
  // Calls add(feature, straight derivative, inverted derivative) for every stored feature; the same feature may be
  // passed several times.
  template <class Add>
  void each(Add add) const;

 private:
  struct Look {  // templates that look at the same borders: bits 1, 2 and 4 for i, k and j
    std::vector<int32_t> templates;
    std::vector<float> sums;  // two numbers per combination of borders
  };
  int64_t slots(int32_t look) const;
  int64_t slot(int32_t look, int32_t i, int32_t k, int32_t j) const;
  template <class Visit>
  void edge_slots(int32_t look, Visit visit) const;
  uint32_t edge_feature(int32_t t, int32_t i, int32_t k, int32_t j) const;
  uint32_t pair_feature(int32_t t, int32_t a, int32_t b) const;
  uint32_t tree_feature(int32_t t, SpanTop left, SpanTop right) const;
  void number_tops(const uint32_t *heads);
  float share(int32_t i, int32_t k, int32_t j) const { return shares_[(k - i) * (j - k)]; }

  const FeatureTemplates &t_;
  int32_t n_ = 0;
  std::vector<uint32_t> padded_;  // codes with a boundary on either side
  std::array<Look, 8> looks_;
  std::vector<float> pairs_;   // [a][b], weights or derivatives
  std::vector<float> shares_;  // by number of pairs, one over its power
  SpanTops tops_;
  std::vector<std::array<SpanTop, 2>> top_pairs_;  // the different ones
  std::vector<int32_t> top_pair_of_;               // by edge
  std::vector<float> top_sums_;                    // two numbers per pair of tops
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
        if (feature == UINT32_MAX) continue;  // no edge has these borders
        add(feature, straight, inverted);
      }
    }
  }
  for (int32_t a = 0; a < n_ && !t_.pairs.empty(); ++a) {
    for (int32_t b = a + 1; b < n_; ++b) {
      for (size_t t = 0; t < t_.pairs.size(); ++t) add(kept_[at++], 0.0f, pairs_[a * n_ + b]);
    }
  }
  for (size_t p = 0; p < top_pairs_.size(); ++p) {
    for (size_t t = 0; t < t_.trees.size(); ++t) add(kept_[at++], top_sums_[2 * p], top_sums_[2 * p + 1]);
  }
}

}  // namespace wordorder::crf
