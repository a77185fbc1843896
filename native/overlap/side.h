// One side of a pair of texts, split into words and characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "overlap/ngram_chain.h"
#include "overlap/overlap.h"

namespace wordorder::overlap {

struct Side {
  std::vector<std::string_view> words;  // parts of the line, or of `buffer`
  Symbols characters;                   // code points, later replaced by numbers
  Symbols numbers;                      // numbers of words; -1 if a word is not on the other side

  void cut(std::string_view line, const Cutting &cutting);

 private:
  void cut_at_spaces(const char *at, const char *end);
  void decode(const Cutting &cutting);

  std::string buffer, spare;
};

}  // namespace wordorder::overlap
