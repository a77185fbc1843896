// Words of a language by their rarity, and what two texts in this language say about each other's words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "text/word_list.h"

namespace wordorder::text {

// Names of the shares that `ListedTexts::compare` returns, in this order. All but the last are numbers of words that the
// hypothesis has beyond the reference, divided by the words of the reference, 1 at most. Words with digits are left out.
//   unknown        words that are not of the language, and do not begin like a word of the reference
//   unknown name   the same with a capital letter
//   misspelt       words that are not of the language, but begin with the first four characters of a reference word
//   misspelt name  the same with a capital letter
//   strange        unknown words and names with four characters in a row that no listed word has
//   derived        words, also with a capital letter, that seem to be made of listed words, and do not count above
//   recall         the rarity of the reference words that the hypothesis has, as a share of the rarity of all of them
constexpr size_t kListedShares = 7;
using ListedShares = std::array<double, kListedShares>;

class ListedWords {
 public:
  // Words, each followed by \n, in classes: the most frequent `classes[0]` ones, then up to `classes[1]`, and so on. The
  // first `parts` words may be parts of compounds. `endings` are lines of an ending of inflected words and other endings
  // that its stems have, with a space between them; - is no ending.
  ListedWords(std::string words, std::vector<int64_t> classes, int64_t parts, std::string endings);
  int64_t size() const { return list_.size(); }
  // The number of the word's class, from 1 on; words that are not listed are of the class after the last.
  int rarity(std::string_view word) const;
  // Whether a word consists of two frequent words of four letters or more, with or without letters that link them.
  bool is_compound(std::string_view word) const;
  // Whether a word is a stem with an ending, and two of the words are listed that this stem and related endings make.
  bool is_form(std::string_view word) const;
  // Whether a word is such a form, or consists of two listed words of five letters or more, the second in any form.
  bool is_derived(std::string_view word) const;
  struct Facts {
    int rarity;
    bool known;    // listed, or a compound of frequent words
    bool derived;  // not known, but derived from listed words
    bool strange;  // neither known nor derived, with four characters in a row that no listed word has
  };
  Facts facts(std::string_view word) const;

 private:
  template <class First, class Last>
  bool is_divided(std::string_view word, const First &is_first, const Last &is_last) const;
  WordList list_;
  std::vector<int64_t> classes_;
  int64_t parts_;
  std::string ending_lines_;
  base::WordNumbers endings_;
  std::vector<std::vector<std::string_view>> related_;  // by ending
  int longest_ending_ = 0;                              // in letters
};

// Texts whose words have been looked up, each different word once. Texts are given as written and in lower case, and must
// outlive this object.
class ListedTexts {
 public:
  ListedTexts(const ListedWords &list, const std::vector<std::string_view> &written,
              const std::vector<std::string_view> &lowered);
  // Working memory; each thread needs its own.
  struct Room {
    std::vector<int32_t> left, beginning;  // see NumberedTexts
  };
  Room room() const { return {std::vector<int32_t>(facts_.size()), std::vector<int32_t>(beginnings_.size())}; }
  // Compares two texts by their numbers. Leaves the room as it was.
  ListedShares compare(int64_t hypothesis, int64_t reference, Room &room) const;

 private:
  struct Word : ListedWords::Facts {
    int32_t beginning;  // the number of its first four characters
    bool digits;
  };
  struct Place {
    int32_t word;
    bool capital;
  };
  base::WordNumbers numbers_, beginnings_;
  std::vector<Word> facts_;
  std::vector<Place> places_;  // of all texts
  std::vector<int64_t> begins_{0};
};

// The most frequent words of several languages, by which the language of a text is recognised.
class CommonWords {
 public:
  // Words, each followed by \n: those of the first language, then those of the second, and so on, `each` of them.
  // `alphabets` are the letters beyond a to z of the first languages; an empty one allows all.
  CommonWords(std::string words, int64_t each, const std::vector<std::string> &alphabets);
  int languages() const { return languages_; }
  // The language with the largest share of common words in a text in lower case, or -1 if this is at most `least`, where
  // `prior` common words of one further word are assumed. Words with digits do not count. A language is ruled out if several
  // words, and more than one in 20, have letters beyond its alphabet.
  int language(std::string_view lowered, double least, double prior) const;

 private:
  // Whether at most one word of a text, or one in 20, has letters beyond the alphabet of a language.
  bool is_written_with(std::string_view lowered, size_t language, int64_t words) const;
  std::string words_;
  base::WordNumbers numbers_;
  std::vector<uint32_t> of_;  // by word: one bit for each language
  std::vector<std::vector<int32_t>> alphabets_;  // sorted
  int languages_ = 0;
};

}  // namespace wordorder::text
