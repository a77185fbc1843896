// Counts of ordered pairs of words, with or without a limit on the number of words between them.
#pragma once

#include "overlap/ngram_chain.h"

namespace wordorder::overlap {

class SkipCounter {
 public:
  // Counts for all of `wants`, which are sorted by size, with no limit (-1) last. Words are numbers below `symbols`, or
  // -1 if the other side does not have the word.
  void count(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants);

 private:
  struct Places {  // the positions of each word
    std::vector<int64_t> begin, at, next;
    void set(const Symbols &words, int32_t symbols);
    bool empty(int32_t word) const { return begin[word] == begin[word + 1]; }
  };
  void few(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants);
  void many(const Symbols &hyp, const Symbols &ref, int32_t symbols, const Want &want);
  void followers(const Symbols &words, const Places &places, int32_t first, int64_t distance,
                 std::vector<int64_t> &after);

  static constexpr int32_t kTable = 128;  // the most different words for which a square table is used
  static constexpr size_t kFew = 256;     // the most words of a line for which it is used
  std::vector<int32_t> ahead_, touched_;
  Symbols hyp_words_, ref_words_;
  Places hyp_places_, ref_places_;
  std::vector<int64_t> hyp_after_, ref_after_;
};

}  // namespace wordorder::overlap
