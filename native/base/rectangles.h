// Sums over rectangles of a square table, and the addition of values to rectangles.
//
// Rows and columns stand for the words of one sentence. Every rectangle has the rows i .. k - 1 and the columns
// k .. j - 1: the pairs of words that a tree node over i .. j - 1 with a split at k keeps in order or inverts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::base {

// Replaces each cell by the sum of all cells that are not below it and not to its right.
template <class T>
void sum_prefixes(T *table, int64_t rows, int64_t columns, int64_t stride) {
  for (int64_t a = 0; a < rows; ++a) {
    T *const row = table + a * stride;
    const T *const above = row - stride;
    T sum = 0;
    for (int64_t b = 0; b < columns; ++b) {
      sum += row[b];
      row[b] = a ? sum + above[b] : sum;
    }
  }
}

// Sums over rectangles in constant time: fill the cells, call `sum`, then ask.
template <class T>
class RectangleSums {
 public:
  explicit RectangleSums(int64_t n) : stride_(n + 1), sums_(static_cast<size_t>(stride_ * stride_), 0) {}

  T &cell(int64_t a, int64_t b) { return sums_[(a + 1) * stride_ + b + 1]; }
  void sum() { sum_prefixes(sums_.data(), stride_, stride_, stride_); }
  // The same sums from three neighbours per cell. Floating-point results differ from those of `sum` in the last bits.
  void sum_by_neighbours() {
    for (int64_t at = stride_ + 1; at < stride_ * stride_; ++at) {
      if (at % stride_) sums_[at] = sums_[at] + sums_[at - stride_] + sums_[at - 1] - sums_[at - stride_ - 1];
    }
  }
  T operator()(int64_t i, int64_t k, int64_t j) const { return at(k, j) - at(i, j) - at(k, k) + at(i, k); }

 private:
  T at(int64_t a, int64_t b) const { return sums_[a * stride_ + b]; }

  int64_t stride_;
  std::vector<T> sums_;  // of the cells above row a and left of column b
};

// Additions to rectangles in constant time (a difference array): add, call `sum`, then read the cells.
template <class T>
class RectangleAdditions {
 public:
  explicit RectangleAdditions(int64_t n) : n_(n), cells_(static_cast<size_t>((n + 1) * (n + 1)), 0) {}

  void add(int64_t i, int64_t k, int64_t j, T value) {
    cell(i, k) += value;
    cell(i, j) -= value;
    cell(k, k) -= value;
    cell(k, j) += value;
  }
  void sum() { sum_prefixes(cells_.data(), n_, n_, n_ + 1); }
  // Before `sum`, a change that applies to all cells from (a, b) on; after it, the value of a cell.
  T &cell(int64_t a, int64_t b) { return cells_[a * (n_ + 1) + b]; }
  int64_t size() const { return n_; }

 private:
  int64_t n_;
  std::vector<T> cells_;
};

}  // namespace wordorder::base
