// Pairs of words in order, with a limit on the words between them or without.
#pragma once

#include "overlap/side.h"

namespace wordorder::overlap {

// Where the counts of a template go: matched, of the hypothesis, of the reference.
struct Want {
  int32_t size, drop;
  int64_t *out;
};

class SkipCounter {
 public:
  // For all of `wants`, which ascend by size, no limit (-1) last. Words are numbers below `symbols`; -1:
  // a word that the other side does not have.
  void count(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants);

 private:
  struct Places {  // of each word
    std::vector<int64_t> begin, at, next;
    void set(const Symbols &words, int32_t symbols);
    bool empty(int32_t word) const { return begin[word] == begin[word + 1]; }
  };
  void few(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants);
  void many(const Symbols &hyp, const Symbols &ref, int32_t symbols, const Want &want);
  void followers(const Symbols &words, const Places &places, int32_t first, int64_t distance,
                 std::vector<int64_t> &after);

  static constexpr int32_t kTable = 128;  // different words for which a square table is small
  static constexpr size_t kFew = 256;
  std::vector<int32_t> ahead_, touched_;
  Places hyp_places_, ref_places_;
  std::vector<int64_t> hyp_after_, ref_after_;
};

}  // namespace wordorder::overlap
