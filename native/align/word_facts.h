// What is known about a pair of words besides its count: whether the words are spelled alike, and how often words with
// the same prefixes are linked. Both enter the Dirichlet prior as pseudo-counts, so they matter for rare words
// and lose weight with evidence.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "align/pair_table.h"

namespace wordorder::align {

// The words of both languages, in UTF-8, and how often each occurs.
struct Vocabularies {
  std::vector<std::string> source, target;
  std::vector<int64_t> source_count, target_count;
};

class WordFacts {
 public:
  // Words with the same first `prefix` characters form a class; 0 makes no classes. `spelling` and `classes` are the
  // weights of the two kinds of pseudo-counts.
  void build(const PairTable &table, const Vocabularies &words, int32_t prefix, double spelling, double classes,
             int threads);

  bool empty() const { return likeness_.empty() && class_of_cell_.empty(); }
  // Re-estimates how often classes are linked from expected counts (fixed point; forward and reverse of each cell).
  void update(const PairTable &table, const std::vector<int64_t> &counts);
  // The pseudo-count of a cell; direction 0 is p(target | source).
  double pseudo_count(int64_t cell, int32_t source, int32_t target, int direction) const;

 private:
  std::vector<float> likeness_;                 // by cell
  std::vector<uint32_t> class_of_cell_;         // by cell: its pair of classes
  std::vector<int32_t> row_, column_;           // by pair of classes: its two classes
  std::array<std::vector<float>, 2> share_;     // by word: its share of its class; target words, source words
  std::array<std::vector<float>, 2> together_;  // by pair of classes: p(class | class)
  int32_t row_classes_ = 0, column_classes_ = 0;
  double spelling_ = 0, classes_ = 0;
};

// How similar the spelling of two words is: 1 if they are equal; the length of the common prefix divided by the length
// of the longer word if the prefix has at least 4 characters, or 3 that are at least 60 % of the word; otherwise 0.
float likeness(const std::u32string &first, const std::u32string &second);

}  // namespace wordorder::align
