// Batches of sentences with two numbers per edge, one sentence after the other (crf/edges.h).
#pragma once

#include "crf/edges.h"
#include "python/checks.h"

namespace wordorder::python {

// The edges of a sentence grow with the cube of its length: those of 4,096 words would take 92 GB.
constexpr int32_t longest_sentence = 4096;

inline int32_t words_in(int32_t n) {
  require(n >= 0 && n <= longest_sentence, "the number of words of a sentence must be from 0 to 4096");
  return n;
}

// Where the numbers of each sentence begin; the last entry is where all of them end.
inline std::vector<int64_t> edge_offsets(const Ints &lengths) {
  std::vector<int64_t> out{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) {
    words_in(lengths.data()[s]);
    out.push_back(out.back() + 2 * crf::edge_count(lengths.data()[s]));
  }
  return out;
}

// Where the words of each sentence begin.
inline std::vector<int64_t> word_offsets(const Ints &lengths) {
  std::vector<int64_t> out{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) out.push_back(out.back() + lengths.data()[s]);
  return out;
}

template <class T>
void check_edges(const Array<T> &edges, int64_t expected) {
  require(static_cast<int64_t>(edges.shape(0)) == expected, "the scores do not fit the lengths");
}

}  // namespace wordorder::python
