// Batches of sentences with two numbers per edge, one sentence after the other (crf/edges.h).
#pragma once

#include "crf/edges.h"
#include "python/arrays.h"

namespace wordorder::python {

// Where the numbers of each sentence begin; the last entry is where all of them end.
inline std::vector<int64_t> edge_offsets(const Ints &lengths) {
  std::vector<int64_t> out{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) {
    if (lengths.data()[s] < 0) throw nb::value_error("a negative number of words");
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
  if (static_cast<int64_t>(edges.shape(0)) != expected) throw nb::value_error("the scores do not fit the lengths");
}

}  // namespace wordorder::python
