// Matching by context, as in RIBES (Isozaki et al., 2010): a word is linked if it, or else it with the shortest context
// to its left or right, occurs exactly once on both sides. Left contexts are tried before right ones, as in NTT's
// program.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace wordorder::match {

class ContextMatcher {
 public:
  explicit ContextMatcher(int32_t words) : slots_(words) {}
  // Writes the reference position of each hypothesis word, or -1.
  void match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions);

 private:
  struct Slot {
    uint32_t stamp = 0;
    int32_t number = 0;
  };
  struct Places {
    std::vector<int32_t> of, begin, at;  // the word at each position; the positions of each word, in order
  };
  struct Reach {
    int32_t hyp = 0, first = 0, second = 0, at = -1;
  };
  void list_places(const int32_t *words, int32_t n, bool number, Places &places);
  void reach(int32_t n, int32_t m, bool left, std::vector<Reach> &out);

  uint32_t stamp_ = 0;
  int32_t count_ = 0;
  std::vector<Slot> slots_;
  Places hyp_, ref_;
  std::vector<int32_t> next_;
  std::vector<std::pair<int32_t, int32_t>> hyp_row_, ref_row_;
  std::vector<Reach> left_, right_;
};

}  // namespace wordorder::match
