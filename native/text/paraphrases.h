// A table of paraphrases in METEOR's format: three lines per entry, a weight and two phrases. As in METEOR, weights are
// ignored and an entry holds in both directions.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wordorder::text {

// An occurrence of a phrase of the table in a sentence.
struct PhraseAt {
  int32_t phrase, begin, length;
};

class Paraphrases {
 public:
  // Reads whole lines; called for one part of a file after the other. Returns false at the first bad line.
  bool read(std::string_view text);
  // Call this after the last part. Returns false if the last entry is incomplete.
  bool finish();
  bool finished() const { return !ends_.empty(); }
  int64_t line() const { return line_; }  // number of lines read without error

  int32_t word(std::string_view word) const;  // its number, or -1
  int64_t pairs() const { return static_cast<int64_t>(others_.size()); }
  // The paraphrases of a phrase, sorted.
  const int32_t *begin(int32_t phrase) const { return others_.data() + ends_[phrase]; }
  const int32_t *end(int32_t phrase) const { return others_.data() + ends_[phrase + 1]; }
  // Lists the phrases of a sentence, whose words are given by their numbers in this table (or -1).
  void find(const int32_t *numbers, int32_t n, std::vector<PhraseAt> &phrases) const;

 private:
  int32_t number(std::string_view word);
  int32_t phrase(std::string_view text);
  int32_t phrase_with(uint64_t hash) const;
  void grow();

  std::deque<std::string> texts_;  // the keys of the map refer to these
  std::unordered_map<std::string_view, int32_t> words_;
  std::vector<std::pair<uint64_t, int32_t>> table_;  // hash of the words of a phrase, and its number
  std::vector<std::pair<int32_t, int32_t>> pairs_;
  std::vector<int64_t> ends_;
  std::vector<int32_t> others_;
  int32_t longest_ = 1, count_ = 0, first_ = -1;
  int64_t line_ = 0;
  std::string first_text_;
};

}  // namespace wordorder::text
