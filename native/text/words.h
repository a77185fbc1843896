// Lines of text to word numbers: what counts as a word, and as the same word.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include <cstdint>
#include <deque>

namespace wordorder::text {

enum class Splitter : int {
  blanks,        // at white space, the same characters as Python's str.split()
  mteval_13a,    // as mteval-v13a.pl and sacrebleu's "13a", then at white space
  letters,       // runs of letters (letters.h)
};

// Length in bytes of the white space at `at`, 0 if there is none: Python's str.isspace().
int white(const char *at, const char *end);

// Calls `each` with every word of the text: what stands between white space.
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

// The text as mteval-v13a would cut it, words between blanks; `spare` is room to work in.
void tokenise_13a(std::string_view line, std::string &out, std::string &spare);

// Words seen so far, numbered from 0.
class WordTable {
 public:
  int32_t number(std::string_view word);
  // Words of every line (split at \n only) as numbers, appended to `ids`; `ends` gets one entry a line.
  void encode(const char *text, int64_t size, Splitter splitter, std::vector<int32_t> &ids,
              std::vector<int64_t> &ends);
  const std::deque<std::string> &words() const { return words_; }

 private:
  void encode_line(std::string_view line, std::vector<int32_t> &ids);

  std::deque<std::string> words_;  // a deque does not move its strings: the map's keys point there
  std::unordered_map<std::string_view, int32_t> numbers_;
  std::string buffer_, other_;
};

}  // namespace wordorder::text
