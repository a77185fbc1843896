#include "order/flat.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/dispatch.h"

namespace wordorder::order {
namespace {

// Pairs out of order, with one machine word: bit v of `seen` is set once value v has been read, so the larger values
// before v are the bits above v.
inline int64_t inversions_small(const int32_t *p, int32_t n) {
  uint64_t seen = 0;
  int64_t count = 0;
  for (int32_t i = 0; i < n; ++i) {
    count += __builtin_popcountll(seen >> p[i]);
    seen |= uint64_t{1} << p[i];
  }
  return count;
}

// Merge sort that counts how often an element of the right half overtakes one of the left half.
int64_t inversions_large(const int32_t *p, int32_t n) {
  std::vector<int32_t> a(p, p + n), b(n);
  int64_t count = 0;
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t lo = 0; lo < n; lo += 2 * width) {
      const int64_t mid = std::min<int64_t>(lo + width, n), hi = std::min<int64_t>(lo + 2 * width, n);
      int64_t i = lo, j = mid, k = lo;
      // Without branches, which random orders would mispredict; halves in order are copied below.
      const bool in_order = mid == hi || a[mid - 1] < a[mid];
      while (!in_order && i < mid && j < hi) {
        const int32_t left = a[i], right = a[j];
        const bool overtakes = right < left;
        b[k++] = overtakes ? right : left;
        count += overtakes ? mid - i : 0;
        j += overtakes;
        i += !overtakes;
      }
      std::copy(a.begin() + i, a.begin() + mid, b.begin() + k);
      std::copy(a.begin() + j, a.begin() + hi, b.begin() + k + (mid - i));
    }
    a.swap(b);
  }
  return count;
}

// Longest increasing subsequence: tails[k] is the smallest last element of an increasing subsequence of length k + 1.
// For short sequences the tails are a bit set, in which value v replaces the next larger tail.
inline int64_t rising_small(const int32_t *p, int32_t n) {
  uint64_t tails = 0;
  for (int32_t i = 0; i < n; ++i) {
    const uint64_t here = uint64_t{1} << p[i];
    const uint64_t above = tails & (~here + 1) & ~here;  // tails greater than p[i]
    tails = (tails & ~(above & (~above + 1))) | here;
  }
  return __builtin_popcountll(tails);
}

int64_t rising_large(const int32_t *p, int32_t n) {
  std::vector<int32_t> tails;
  for (int32_t i = 0; i < n; ++i) {
    const auto at = std::lower_bound(tails.begin(), tails.end(), p[i]);
    if (at == tails.end()) {
      tails.push_back(p[i]);
    } else {
      *at = p[i];
    }
  }
  return static_cast<int64_t>(tails.size());
}

WO_CLONES void inversions_all(const base::Batch &batch, int64_t *out) {
  for (int64_t s = 0; s < batch.size; ++s) {
    const int32_t n = batch.length(s);
    out[s] = n <= 64 ? inversions_small(batch.begin(s), n) : inversions_large(batch.begin(s), n);
  }
}

WO_CLONES void rising_all(const base::Batch &batch, int64_t *out) {
  for (int64_t s = 0; s < batch.size; ++s) {
    const int32_t n = batch.length(s);
    out[s] = n <= 64 ? rising_small(batch.begin(s), n) : rising_large(batch.begin(s), n);
  }
}

template <class Term>
inline int64_t sum_over(const int32_t *p, int32_t n, Term term) {
  int64_t sum = 0;
  for (int32_t i = 0; i < n; ++i) sum += term(p[i], i);
  return sum;
}

int64_t square(int64_t x) { return x * x; }

}  // namespace

int64_t flat_count(const int32_t *p, int32_t n, Flat what) {
  switch (what) {
    case Flat::inversions:
      return n <= 64 ? inversions_small(p, n) : inversions_large(p, n);
    case Flat::rising:
      return n <= 64 ? rising_small(p, n) : rising_large(p, n);
    case Flat::squares:
      return sum_over(p, n, [](int32_t v, int32_t i) { return square(int64_t{v} - i); });
    case Flat::footrule:
      return sum_over(p, n, [](int32_t v, int32_t i) { return int64_t{std::abs(v - i)}; });
    case Flat::fixed:
      return sum_over(p, n, [](int32_t v, int32_t i) { return int64_t{v == i}; });
    case Flat::adjacent: {
      int64_t count = 0;
      for (int32_t i = 0; i + 1 < n; ++i) count += p[i + 1] == p[i] + 1;
      return count;
    }
    case Flat::words:
      return n;
    case Flat::pairs:
      return int64_t{n} * (n - 1) / 2;
  }
  return 0;
}

void flat_counts(const base::Batch &batch, Flat what, int64_t *out) {
  if (what == Flat::inversions) return inversions_all(batch, out);
  if (what == Flat::rising) return rising_all(batch, out);
  for (int64_t s = 0; s < batch.size; ++s) out[s] = flat_count(batch.begin(s), batch.length(s), what);
}

void anticipated(const base::Batch &batch, int32_t k, int64_t *out) {
  for (int64_t s = 0; s < batch.size; ++s) {
    out[s] = sum_over(batch.begin(s), batch.length(s),
                      [k](int32_t v, int32_t t) { return int64_t{int64_t{v} >= int64_t{t} + k}; });
  }
}

}  // namespace wordorder::order
