// How many pieces two texts share: n-grams of characters and of words, pairs of words in order.
//
// All counts are exact. Pieces are numbered, not hashed: an n-gram is the pair (number of the n-gram
// without its last symbol, last symbol), and only pieces that both sides have are numbered, so long
// n-grams cost little. A line of any length takes memory linear in it; pairs of words far apart take
// time of at most words x distinct shared words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordorder::overlap {

enum class Kind : int32_t {
  chars,        // n-grams of characters, of the words joined by one blank, or by nothing
  words,        // n-grams of words
  skips,        // two words in order with at most `size` words between them; -1: any number
  char_length,  // the text itself, by its characters
  word_length,  // the text itself, by its words
};

struct Counted {
  Kind kind;
  int32_t size;
  // Characters: so many n-grams at the end are left out. Words: 1 adds a piece for the beginning of
  // the text and one for its end, of `size` words or as many as there are.
  int32_t rule;
};

struct Cutting {
  enum Split : int {
    blanks,      // at white space, as Python's str.split()
    mteval_13a,  // tokenised first
    spaces,      // at runs of ASCII spaces; one at the beginning leaves an empty first word, and an
                 // empty text is one empty word
    letters,     // runs of letters; Han characters and kana are words of their own
  } split;
  bool utf16;      // characters beyond U+FFFF count as two, as in programs that store UTF-16
  int most = 0;    // of runs of letters: characters that are kept of a word, 0 for all
  bool solid = false;  // no blanks between words when characters are counted
};

// Lines of both texts (each ended by \n) in pairs. Writes matched pieces, pieces of the hypothesis
// and pieces of the reference for each pair and template to `out`.
void count_overlaps(const std::vector<std::string_view> &hypotheses, const std::vector<std::string_view> &references,
                    const std::vector<Counted> &templates, const Cutting &cutting, int threads, int64_t *out);

}  // namespace wordorder::overlap
