// What is known about a pair of words beside its count: whether they are spelled alike, and how
// often words with the same beginnings go together. Both are imaginary counts of the Dirichlet prior,
// so they matter for rare words and fade with evidence.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "align/pair_table.h"

namespace wordorder::align {

struct Lexicon {
  std::vector<std::string> source, target;      // the words, UTF-8
  std::vector<int64_t> source_count, target_count;  // how often each occurs
};

class BackOff {
 public:
  // Classes are the words with the same first `prefix` characters; 0 makes no classes.
  void build(const PairTable &table, const Lexicon &words, int32_t prefix, double spelling, double classes,
             int threads);

  bool empty() const { return likeness_.empty() && class_of_cell_.empty(); }
  // Takes the expected counts (fixed point; forward, reverse of each cell) and the words of the rows.
  void update(const PairTable &table, const std::vector<int64_t> &counts);
  // The imaginary count of a cell; direction 0 is p(target | source).
  double of(int64_t cell, int32_t source, int32_t target, int direction) const;

 private:
  std::vector<float> likeness_;                        // by cell
  std::vector<uint32_t> class_of_cell_;                // by cell, the pair of classes
  std::vector<int32_t> row_, column_;                  // by pair of classes, its classes
  std::array<std::vector<float>, 2> share_;            // by word, its share of its class; target, source
  std::array<std::vector<float>, 2> together_;         // by pair of classes, p(class | class)
  int32_t row_classes_ = 0, column_classes_ = 0;
  double spelling_ = 0, classes_ = 0;
};

// How alike two words are spelled, in characters: 1 if equal, the common beginning's share of the
// longer word if that is 4 or more characters (or 3 that are most of it), else 0.
float likeness(const std::u32string &one, const std::u32string &other);

}  // namespace wordorder::align
