// A list of known words of a language, and counts of the words of a hypothesis that its reference lacks.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
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
  double misspelt = 0;     // unmatched hypothesis words that are not in the list, but begin like a reference word
};

// The shares of `unknown`, `strange`, `strangeness`, `misspelt` and `known` words among the words of the reference, 1 at
// most. The first four are 0 unless the reference is in the language of the list, the last is 0 if it is: it is if more than
// `least` of its words are frequent, where `prior` frequent words of one further word are assumed.
std::array<double, 5> shares(const UnmatchedWords &counts, double least, double prior);

// Words, each followed by \n, from how they are stored: a byte 32 + k, where k is the number of bytes that a word has in
// common with the one before, and the other bytes of the word. Throws std::invalid_argument for anything else.
std::string front_decoded(std::string_view stored);

// Whether a word has one of the digits 0 to 9.
bool has_digit(std::string_view word);

class WordList {
 public:
  // Words, each followed by \n: the `frequent` most frequent ones, then the others up to `text` that occur in texts,
  // then further words.
  WordList(std::string words, int64_t frequent, int64_t text);
  int64_t size() const { return static_cast<int64_t>(places_.size()); }
  // The place of a word in the list, or -1.
  int64_t place(std::string_view word) const { return places_.get(word); }

  // What the list knows of a word.
  struct Facts {
    bool frequent = false, listed = false;
    bool known = false;      // four or more letters, and in the texts of the list
    double strangeness = 0;  // of a word that is not listed: the share of its sequences of four that are new
  };
  Facts facts(std::string_view word) const;

 private:
  // Calls `each` for every sequence of four characters of ^word$. Characters beyond U+FFFF become 0, which no listed
  // word contains.
  template <class Each>
  static void each_four(std::string_view word, Each &&each);
  void see_all() const;

  std::string words_;
  base::WordNumbers places_;
  // The sequences of four of all words. Most sentences consist of listed words, and do not need them.
  mutable base::Numbers seen_;
  mutable std::once_flag has_seen_;
  int64_t frequent_, text_;
};

// Texts whose words have been looked up, each different word once. Texts must be in lower case, like the words of the
// list, and outlive this object.
class NumberedTexts {
 public:
  NumberedTexts(const WordList &list, const std::vector<std::string_view> &texts);
  // Working memory; each thread needs its own.
  struct Room {
    std::vector<int32_t> left;       // by word: how many of the reference are not matched yet
    std::vector<int32_t> beginning;  // by beginning: how many words of the reference have it
  };
  Room room() const { return {std::vector<int32_t>(facts_.size()), std::vector<int32_t>(beginnings_.size())}; }
  // Compares two texts by their numbers. Leaves the room as it was.
  UnmatchedWords count(int64_t hypothesis, int64_t reference, Room &room) const;

 private:
  struct Word : WordList::Facts {
    int32_t beginning;  // the number of its first four characters
  };
  base::WordNumbers numbers_, beginnings_;
  std::vector<Word> facts_;
  std::vector<int32_t> words_;  // of all texts
  std::vector<int64_t> begins_{0};
  std::vector<int32_t> frequent_;  // by text: how many of its words are frequent
};

}  // namespace wordorder::text
