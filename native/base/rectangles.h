// Sums over rectangles of a square table, and the addition of values to rectangles.
//
// Rows and columns stand for the words of one sentence. Every rectangle has the rows i .. k - 1 and the columns
// k .. j - 1: the pairs of words that a tree node over i .. j - 1 with a split at k keeps in order or inverts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::base {

// Writes to each cell of a table the sum of value(a, b) over all cells that are not below it and not to its right. The
// table must be preceded by a row of zeros. A value may be read from its own cell.
template <class T, class Value>
void sum_prefixes(T *table, int64_t rows, int64_t columns, int64_t stride, Value value) {
  for (int64_t a = 0; a < rows; ++a) {
    T *const row = table + a * stride;
    const T *const above = row - stride;
    T sum = 0;
    for (int64_t b = 0; b < columns; ++b) {
      sum += value(a, b);
      row[b] = sum + above[b];
    }
  }
}

// Sums over rectangles in constant time, after `set`, or after writing cells and calling `sum`.
template <class T>
class RectangleSums {
 public:
  explicit RectangleSums(int64_t n) : n_(n), stride_(n + 1), sums_(static_cast<size_t>(stride_ * stride_), 0) {}

  T &cell(int64_t a, int64_t b) { return sums_[(a + 1) * stride_ + b + 1]; }
  void sum() {
    set([this](int64_t a, int64_t b) { return cell(a, b); });
  }
  template <class Value>
  void set(Value value) {
    if (n_) sum_prefixes(&cell(0, 0), n_, n_, stride_, value);
  }
  // Like `set`, with sums of three neighbours per cell. Floating-point results differ in the last bits.
  template <class Value>
  void set_by_neighbours(Value value) {
    for (int64_t a = 0; a < n_; ++a) {
      const T *const above = row(a) + 1;
      T *const here = &cell(a, 0);
      for (int64_t b = 0; b < n_; ++b) here[b] = value(a, b) + above[b] + here[b - 1] - above[b - 1];
    }
  }
  T operator()(int64_t i, int64_t k, int64_t j) const {
    const T *const low = row(i), *const high = row(k);
    return high[j] - low[j] - high[k] + low[k];
  }
  // The sums of the cells above row a, by column.
  const T *row(int64_t a) const { return sums_.data() + a * stride_; }

 private:
  int64_t n_, stride_;
  std::vector<T> sums_;
};

// Additions to rectangles in constant time (a difference array): add, call `sum`, then read the cells.
template <class T>
class RectangleAdditions {
 public:
  explicit RectangleAdditions(int64_t n) : n_(n), cells_(static_cast<size_t>((n + 2) * (n + 1)), 0) {}

  void add(int64_t i, int64_t k, int64_t j, T value) {
    T *const from = &cell(i, 0), *const to = &cell(k, 0);
    from[k] += value;
    from[j] -= value;
    to[k] -= value;
    to[j] += value;
  }
  void sum() {
    sum_prefixes(&cell(0, 0), n_, n_, n_ + 1, [this](int64_t a, int64_t b) { return cell(a, b); });
  }
  // Before `sum`, a change that applies to all cells from (a, b) on; after it, the value of a cell.
  T &cell(int64_t a, int64_t b) { return cells_[(a + 1) * (n_ + 1) + b]; }
  int64_t size() const { return n_; }

 private:
  int64_t n_;
  std::vector<T> cells_;
};

}  // namespace wordorder::base
