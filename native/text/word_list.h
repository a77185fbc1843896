// Words of a hypothesis that its reference lacks: are they words of the language at all?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/numbers.h"

namespace wordorder::text {

// What is counted of a pair of lines. Words are runs of letters; those with digits are left out.
struct Foreign {
  double reference = 0;    // words of the reference
  double frequent = 0;     // of them, among the most frequent of the lexicon
  double unknown = 0;      // unmatched words of the hypothesis that the lexicon lacks, and that begin with
                           // other four letters than every word of the reference
  double strange = 0;      // of them, those with four characters in a row that no known word has
  double strangeness = 0;  // the shares of such fours, summed over them
  double known = 0;        // unmatched words of four letters and more that the lexicon's texts have
};

class Lexicon {
 public:
  // Words, each ended by \n: first the `frequent` ones, up to `text` those of texts, then further ones.
  Lexicon(std::string words, int64_t frequent, int64_t text);
  // Lines are in lower case, as the words are. May be called from several threads, each with its own `room`.
  struct Room {
    base::WordNumbers numbers;
    std::vector<int32_t> left;
    std::vector<std::string_view> reference;  // its different words
  };
  Foreign count(std::string_view hypothesis, std::string_view reference, Room &room) const;
  int64_t size() const { return static_cast<int64_t>(places_.size()); }

 private:
  // Fours of characters of ^word$; what is beyond U+FFFF stands as 0, which no known word has.
  template <class Each>
  static void fours(std::string_view word, Each &&each);

  std::string words_;
  std::unordered_map<std::string_view, int64_t> places_;
  std::unordered_set<uint64_t> seen_;
  int64_t frequent_, text_;
};

}  // namespace wordorder::text
