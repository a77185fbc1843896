#include "crf/span_tops.h"

namespace wordorder::crf {

void SpanTops::set(const uint32_t *heads, int32_t n) {
  n_ = n;
  heads_.resize(n);
  std::vector<int32_t> children(n + 1, 0);  // children of all words before
  for (int32_t w = 0; w < n; ++w) {
    heads_[w] = heads[w] < static_cast<uint32_t>(n) ? static_cast<int32_t>(heads[w]) : -1;
    if (heads_[w] >= 0) ++children[heads_[w] + 1];
  }
  for (int32_t w = 0; w < n; ++w) children[w + 1] += children[w];
  tops_.assign(static_cast<size_t>(n + 1) * (n + 1), {n, SpanKind::mixed});
  for (int32_t begin = 0; begin < n; ++begin) {
    for (int32_t end = begin + 1; end <= n; ++end) {
      int32_t first = -1, tops = 0;
      bool same = true;
      for (int32_t w = begin; w < end; ++w) {
        if (heads_[w] >= begin && heads_[w] < end) continue;
        if (!tops++) first = w;
        same = same && heads_[w] == heads_[first];
      }
      SpanTop &at = tops_[static_cast<size_t>(begin) * (n + 1) + end];
      if (tops == 1) {
        const bool whole = children[end] - children[begin] == end - begin - 1;
        at = {first, whole ? SpanKind::subtree : SpanKind::incomplete};
      } else if (tops > 1 && same) {
        at = {first, SpanKind::siblings};
      }
    }
  }
}

TopRelation SpanTops::relation(int32_t a, int32_t b) const {
  if (a >= n_ || b >= n_) return TopRelation::unknown;
  if (heads_[b] == a) return TopRelation::first_governs;
  if (heads_[a] == b) return TopRelation::second_governs;
  return heads_[a] == heads_[b] ? TopRelation::siblings : TopRelation::other;
}

}  // namespace wordorder::crf
