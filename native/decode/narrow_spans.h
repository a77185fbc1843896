// The spans that a search for orders visits if words move only within `widest` neighbouring words.
//
// Such an order is a sequence of blocks of up to `widest` words that stay in place. It is built from all spans of up to
// `widest` words, and from the spans that begin with the first word: a longer one is read straight, and its right part
// has up to `widest` words. There are O(n * widest) spans with O(n * widest^2) cuts. If `widest` is 0, there
// is no limit, and these are all spans and cuts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace wordorder::decode {

class NarrowSpans {
 public:
  NarrowSpans(int32_t n, int32_t widest) : n_(n), widest_(widest ? std::min(n, widest) : n) {}

  int32_t words() const { return n_; }
  bool limited() const { return widest_ < n_; }
  // The number of spans of this length, which begin with the words from 0 on.
  int32_t count(int32_t length) const { return length <= widest_ ? n_ - length + 1 : 1; }
  // The first cut of a span; the others follow up to j - 1.
  int32_t first_cut(int32_t i, int32_t j) const { return std::max(i + 1, j - widest_); }
  // The number of ops that a span can have at the top.
  int ops(int32_t i, int32_t j) const { return j - i <= widest_ ? 2 : 1; }
  // The first word and the last word of an order of the span are among so many words, the last one from here on.
  int32_t ends(int32_t i, int32_t j) const { return std::min(j - i, widest_); }
  int32_t first_last(int32_t i, int32_t j) const { return std::max(i, j - widest_); }

  // The place of a span in a table; spans with the same start are neighbours.
  size_t at(int32_t i, int32_t j) const {
    return (i ? static_cast<size_t>(n_) + 1 + static_cast<size_t>(i - 1) * (widest_ + 1) : 0) + (j - i);
  }
  size_t size() const { return at(n_, n_) + 1; }
  // The place of a span of up to `widest` words in a table in which spans with the same end are neighbours.
  size_t by_end(int32_t i, int32_t j) const { return static_cast<size_t>(j + 1) * widest_ - (j - i); }
  size_t size_by_end() const { return static_cast<size_t>(n_ + 1) * widest_; }

 private:
  int32_t n_, widest_;
};

}  // namespace wordorder::decode
