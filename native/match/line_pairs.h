// Orders of the words that pairs of lines have in common, and what scores need to know of each pair.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "match/matcher.h"
#include "text/words.h"

namespace wordorder::match {

struct MatchedPairs {
  std::vector<int32_t> values;  // reference positions of the matched words, in hypothesis order, renumbered
  std::vector<int64_t> ends;    // of the pairs in `values`, after a 0
  std::vector<std::array<int64_t, 3>> counts;  // words of the hypothesis, matched and to match, both on both sides
  std::vector<int64_t> reference_lengths;
  std::vector<int64_t> unmatched;  // pairs with words, none of which is matched
};

// Matches equal words of pairs of lines, and reuses its memory.
class LineMatcher {
 public:
  // Starts again.
  void clear();
  // Numbers the words of further lines.
  void add(std::string_view text, text::Splitter splitter);
  int64_t size() const { return static_cast<int64_t>(ends_.size()) - 1; }
  // Matches line first[p] with line second[p] for each pair p.
  MatchedPairs match(const int64_t *first, const int64_t *second, int64_t pairs, int32_t beam, Ties ties);

 private:
  static Stages equal_words();

  text::WordTable table_;
  std::vector<int32_t> ids_;       // of the words of all lines
  std::vector<int64_t> ends_{0};   // of the lines
  std::vector<int32_t> positions_;
  std::vector<int64_t> offsets_;
  std::vector<int8_t> marks_;      // stages of both sides, which are all the same
  Matcher matcher_{equal_words(), 1, Ties::distance};
};

}  // namespace wordorder::match
