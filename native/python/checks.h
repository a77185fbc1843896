// Checks of what comes from Python, so that no call can crash or hang a kernel. Every array and number that crosses the
// border passes through one of these functions exactly once; kernels trust what they are given.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/batch.h"
#include "python/arrays.h"

namespace wordorder::python {

inline void require(bool holds, const char *otherwise) {
  if (!holds) throw nb::value_error(otherwise);
}

// Arrays inside tuples, lists and dictionaries may be None.
template <class Array>
const Array &given(const Array &array) {
  require(array.is_valid(), "an array is missing");
  return array;
}

inline int threads_of(int threads) {
  require(threads >= 1 && threads <= 1024, "the number of threads must be from 1 to 1024");
  return threads;
}

// An option that Python gives as a number; `last` is the last value of the enumeration.
template <class Enum>
Enum option_of(int value, Enum last) {
  require(value >= 0 && value <= static_cast<int>(last), "an option has an unknown value");
  return static_cast<Enum>(value);
}

// Numbers of words, classes or rows.
constexpr int32_t most = 1 << 30;

// Positions in a sentence that index working memory.
constexpr int32_t most_positions = 1 << 24;

inline int32_t size_of(int64_t size, int64_t least = 0) {
  require(size >= least && size <= most, "a size is out of range");
  return static_cast<int32_t>(size);
}

template <class T>
void check_finite(const T *values, size_t size) {
  require(std::all_of(values, values + size, [](T x) { return std::isfinite(x); }), "a number is not finite");
}

inline double finite(double value) {
  check_finite(&value, 1);
  return value;
}

template <class Array>
void check_below(const Array &values, int64_t end, const char *otherwise) {
  const auto *const data = values.data();
  // Compared without branches, so that the loop is vectorised.
  bool inside = true;
  for (size_t k = 0; k < values.size(); ++k) inside &= data[k] >= 0 && data[k] < end;
  require(inside, otherwise);
}

// Numbers that are added up, `step` apart: no sum of some of them overflows, nor if a few more are added.
inline void check_addable(const Longs &values, size_t step = 1) {
  for (size_t first = 0; first < step; ++first) {
    double all = 0;
    for (size_t k = first; k < values.size(); k += step) all += std::abs(static_cast<double>(values.data()[k]));
    require(all < 0x1.8p62, "the sum of counts is too large");
  }
}

// Parts of an array: offsets that begin with 0, never fall, and end with `end`. Returns the number of parts.
inline int64_t check_offsets(const Longs &offsets, int64_t end) {
  const int64_t size = static_cast<int64_t>(offsets.shape(0)) - 1;
  const int64_t *const at = offsets.data();
  require(size >= 0 && at[0] == 0 && at[size] == end, "the offsets do not fit the values");
  bool rising = true;
  for (int64_t s = 0; s < size; ++s) {
    const uint64_t length = static_cast<uint64_t>(at[s + 1]) - static_cast<uint64_t>(at[s]);  // huge if they fall
    rising &= length <= static_cast<uint64_t>(most);
  }
  require(rising, "the offsets fall, or a part is too long");
  return size;
}

inline base::Batch batch_of(const Ints &values, const Longs &offsets) {
  return {values.data(), offsets.data(), check_offsets(offsets, static_cast<int64_t>(values.shape(0)))};
}

// Sentences of words that are numbered from 0 to words - 1.
inline base::Batch words_of(const Ints &values, const Longs &offsets, int32_t words) {
  check_below(values, words, "a word number is out of range");
  return batch_of(values, offsets);
}

// Whether the numbers that are not negative are 0, 1, .. without gaps or repetitions. With `partial`, -1 stands for
// words without a place.
class PlaceCheck {
 public:
  bool operator()(const int32_t *p, int32_t n, bool partial) {
    if (n > 64) return large(p, n, partial);
    uint64_t seen = 0;
    int32_t places = 0;
    for (int32_t i = 0; i < n; ++i) {
      if (partial && p[i] == -1) continue;
      if (p[i] < 0 || p[i] >= n) return false;
      seen |= uint64_t{1} << p[i];
      ++places;
    }
    return seen == (places == 64 ? ~uint64_t{0} : (uint64_t{1} << places) - 1);
  }

 private:
  bool large(const int32_t *p, int32_t n, bool partial) {
    seen_.assign(n, 0);
    int32_t places = 0, largest = -1;
    for (int32_t i = 0; i < n; ++i) {
      if (partial && p[i] == -1) continue;
      if (p[i] < 0 || p[i] >= n || seen_[p[i]]) return false;
      seen_[p[i]] = 1;
      largest = std::max(largest, p[i]);
      ++places;
    }
    return places == largest + 1;
  }

  std::vector<uint8_t> seen_;
};

// Each row of the table is a permutation of its columns.
inline void check_orders(const Table<int32_t> &orders) {
  const auto n = static_cast<int32_t>(orders.shape(1));
  PlaceCheck is_permutation;
  for (size_t r = 0; r < orders.shape(0); ++r) {
    require(is_permutation(orders.data() + r * n, n, false), "an order is not a permutation of the words");
  }
}

inline base::Batch permutations_of(const Ints &values, const Longs &offsets, bool partial = false) {
  const base::Batch batch = batch_of(values, offsets);
  nb::gil_scoped_release release;
  PlaceCheck is_permutation;
  for (int64_t s = 0; s < batch.size; ++s) {
    require(is_permutation(batch.begin(s), batch.length(s), partial), "a sentence is not a permutation");
  }
  return batch;
}

}  // namespace wordorder::python
