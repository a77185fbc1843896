// Counts of n-grams of growing size that two texts share.
#pragma once

#include <cstdint>
#include <vector>

#include "base/numbers.h"

namespace wordorder::overlap {

using Symbols = std::vector<int32_t>;

// A template, and where its three counts go: matched, hypothesis, reference.
struct Want {
  int32_t size, drop;
  int64_t *out;
};

// An n-gram is the pair of the number of its first n - 1 symbols and its last symbol. Only places where both texts have
// the n-gram are kept for the next size, so there are fewer and fewer of them. Loops have no branches that depend on the
// texts, because those would be mispredicted.
class NgramChain {
 public:
  // Counts for all of `wants`, which are sorted by size. Symbols are numbers below `keys`; those below 0 are not shared.
  void count(const Symbols &hyp, const Symbols &ref, uint64_t keys, const std::vector<Want> &wants);

 private:
  struct Places {
    Symbols at, number, last;  // places, ascending; the n-grams there, from 1; the last symbol of every place
    std::vector<uint64_t> key;
    size_t size = 0;

    void begin(const Symbols &symbols);
    void lengthen(uint64_t symbols, int32_t before);
    void keep_symbols(size_t length);
  };
  // Numbers the n-grams of both sides, drops places whose n-gram is on one side only, and counts what is shared among
  // the places before the two limits.
  int64_t share(uint64_t keys, int64_t hyp_limit, int64_t ref_limit);
  template <class Add, class Get>
  int64_t share_by(Add add, Get get, int64_t hyp_limit, int64_t ref_limit);

  static constexpr uint64_t kDirect = 1 << 14;  // keys that need no hashing
  Places hyp_, ref_;
  int32_t distinct_ = 0;
  std::vector<int32_t> direct_, left_;
  std::vector<uint8_t> seen_;
  base::Numbers numbers_;
};

}  // namespace wordorder::overlap
