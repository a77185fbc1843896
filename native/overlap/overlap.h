// Counts of pieces that two texts share: n-grams of characters, n-grams of words, and ordered pairs of words.
//
// All counts are exact. Pieces are numbered, not hashed: an n-gram is the pair of the number of its first n - 1 symbols
// and its last symbol. Only pieces that occur on both sides are numbered, so long n-grams cost little. Memory is linear
// in the length of a line. Pairs of words that are far apart take time of at most words x distinct shared words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordorder::overlap {

enum class Piece : int32_t {
  chars,        // n-grams of characters, where words are joined by one blank or by nothing
  words,        // n-grams of words
  skips,        // two words in order with at most `size` words between them; -1 for any number
  char_length,  // the number of characters
  word_length,  // the number of words
};

// What to count.
struct Template {
  Piece piece;
  int32_t size;
  // For characters, the number of n-grams at the end that are ignored. For words, 1 adds one piece for the beginning of
  // the text and one for its end, each of up to `size` words.
  int32_t rule;
};

// How to split a line into words and characters.
struct Cutting {
  enum Split : int {
    blanks,      // at white space, like Python's str.split()
    mteval_13a,  // the same after tokenisation
    spaces,      // at runs of ASCII spaces; a leading space gives an empty first word, and an empty text is one
                 // empty word
    letters,     // runs of letters; Han characters and kana are separate words
  } split;
  bool utf16;          // count characters beyond U+FFFF as two, like programs that store UTF-16
  int most = 0;        // truncate runs of letters to this many characters; 0 keeps all
  bool solid = false;  // put no blanks between words when counting characters
};

// Counts pieces of text first[p] and text second[p] for each pair p. For template t, out[3 * t * pairs + p] is the
// number of matched pieces; after `pairs` of them follow the pieces of the first texts, then those of the second.
void count_overlaps(const std::vector<std::string_view> &texts, const int64_t *first, const int64_t *second,
                    int64_t pairs, const std::vector<Template> &templates, const Cutting &cutting, int threads,
                    int64_t *out);

}  // namespace wordorder::overlap
