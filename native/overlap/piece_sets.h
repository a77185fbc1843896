// Texts as sets of numbered pieces, for texts that take part in many pairs.
//
// The k-th occurrence of a piece in a text has a number of its own, so that the pieces that two texts share, each
// counted as often as in the text with fewer of them, are the intersection of two sets. Sets are bits in words of 64,
// without the words that are empty. Numbers are given in order of appearance: similar texts have few words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::overlap {

class PieceSets {
 public:
  // Adds one piece, a number from 0 on, to the current text.
  void add(int32_t piece);
  // Ends the current text, and begins the next one.
  void next_text();

  // Counts the pieces that text first[p] and text second[p] share, for p from `begin` to `end`. Fastest if neighbouring
  // pairs have the same first text.
  void count_shared(const int64_t *first, const int64_t *second, int64_t begin, int64_t end, int64_t *out) const;

 private:
  struct Slot {
    int32_t number = -1, latest = -1;  // of the first occurrence in any text, and of the latest one
    int64_t text = -1;                 // the text of the latest one
  };
  int32_t new_number();

  std::vector<Slot> slots_;         // by piece
  std::vector<int32_t> repeated_;   // by number: the number of the next occurrence of the same piece, or -1
  std::vector<uint64_t> bits_;      // of the current text
  std::vector<int32_t> used_;       // its words that are not empty
  std::vector<int64_t> begins_{0};  // by text: its first entry in the following two
  std::vector<int32_t> place_;
  std::vector<uint64_t> word_;
};

}  // namespace wordorder::overlap
