// Lines of text as word numbers: how a line is split into words.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"

namespace wordorder::text {

enum class Splitter : int {
  blanks,      // at white space, like Python's str.split()
  mteval_13a,  // tokenised like mteval-v13a.pl and sacrebleu's "13a", then at white space
  letters,     // runs of letters (letters.h)
};

// White space beyond ASCII, for the function below.
int wide_white(const char *at, const char *end);

// The length in bytes of the white space at `at`, or 0 if there is none. White space is defined by Python's
// str.isspace().
inline int white(const char *at, const char *end) {
  const unsigned char c = *at;
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
  return wide_white(at, end);
}

// Calls `each` with every word of the text, that is, with everything between white space.
template <class Each>
void each_word(const char *at, const char *end, Each &&each) {
  while (at < end) {
    if (const int skip = white(at, end)) {
      at += skip;
      continue;
    }
    const char *const begin = at;
    while (at < end && !white(at, end)) ++at;
    each(std::string_view(begin, static_cast<size_t>(at - begin)));
  }
}

// Tokenises a line like mteval-v13a, with blanks between words; `spare` is working memory.
void tokenise_13a(std::string_view line, std::string &out, std::string &spare);

// The words seen so far, numbered from 0.
class WordTable {
 public:
  WordTable() = default;
  WordTable(WordTable &&) = default;  // a copy would refer to the words of the original
  WordTable &operator=(WordTable &&) = default;
  int32_t number(std::string_view word);
  // Appends the word numbers of every line (split only at \n) to `ids`, and one entry per line to `ends`.
  void encode(const char *text, int64_t size, Splitter splitter, std::vector<int32_t> &ids, std::vector<int64_t> &ends);
  // The same for words between white space, without adding any: words that are not known have the next number. Several
  // threads may look up words at once.
  void look_up(const char *text, int64_t size, std::vector<int32_t> &ids, std::vector<int64_t> &ends) const;
  const std::vector<std::string_view> &words() const { return numbers_.words(); }
  int32_t size() const { return numbers_.size(); }
  void clear();

 private:
  void encode_line(std::string_view line, std::vector<int32_t> &ids);

  std::deque<std::string> kept_;  // a deque does not move its strings, to which the numbers refer
  base::WordNumbers numbers_;
  std::string buffer_, other_;
};

}  // namespace wordorder::text
