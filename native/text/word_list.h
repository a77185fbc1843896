// A list of known words of a language, and counts of the words of a hypothesis that its reference lacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/numbers.h"

namespace wordorder::text {

// Counts for one pair of lines. Words are runs of letters; words with digits are ignored.
struct UnmatchedWords {
  double reference = 0;    // words of the reference
  double frequent = 0;     // those among the most frequent words of the list
  double unknown = 0;      // unmatched hypothesis words that are not in the list and whose first four characters differ
                           // from those of every reference word
  double strange = 0;      // unknown words with a sequence of four characters that no listed word has
  double strangeness = 0;  // the share of such sequences in each unknown word, summed over the words
  double known = 0;        // unmatched hypothesis words of four or more letters that occur in the texts of the list
};

class WordList {
 public:
  // Words, each followed by \n: the `frequent` most frequent ones, then the others up to `text` that occur in texts,
  // then further words.
  WordList(std::string words, int64_t frequent, int64_t text);
  // Working memory; each thread needs its own.
  struct Room {
    base::WordNumbers numbers;
    std::vector<int32_t> left;
    std::vector<std::string_view> reference;  // the different words of the reference
  };
  // Lines must be in lower case, like the words of the list.
  UnmatchedWords count(std::string_view hypothesis, std::string_view reference, Room &room) const;
  int64_t size() const { return static_cast<int64_t>(places_.size()); }

 private:
  // Calls `each` for every sequence of four characters of ^word$. Characters beyond U+FFFF become 0, which no listed
  // word contains.
  template <class Each>
  static void each_four(std::string_view word, Each &&each);

  std::string words_;
  std::unordered_map<std::string_view, int64_t> places_;
  std::unordered_set<uint64_t> seen_;
  int64_t frequent_, text_;
};

}  // namespace wordorder::text
