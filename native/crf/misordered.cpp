#include "crf/misordered.h"

#include <vector>

#include "base/rectangles.h"
#include "crf/edges.h"

namespace wordorder::crf {

void misordered(const int32_t *first, const int32_t *last, int32_t n, bool attach, float *wrong, float *moved) {
  // Positions with those of words without links filled in; still -1 if no word has a link.
  std::vector<int32_t> from(first, first + n), to(last, last + n);
  for (int32_t a = n - 2; a >= 0; --a) {
    if (from[a] < 0) from[a] = from[a + 1], to[a] = to[a + 1];
  }
  for (int32_t a = 1; a < n; ++a) {
    if (from[a] < 0) from[a] = from[a - 1], to[a] = to[a - 1];
  }
  // Pairs that a straight edge and that an inverted edge puts into the wrong order.
  using Sums = base::RectangleSums<int32_t>;
  Sums linked[2] = {Sums(n), Sums(n)}, others[2] = {Sums(n), Sums(n)};
  for (int32_t a = 0; a < n; ++a) {
    for (int32_t b = a + 1; b < n; ++b) {
      const int32_t starts = from[a] - from[b], ends = to[a] - to[b];
      const bool equal = !starts && !ends;
      const bool straight = starts <= 0 && ends <= 0 && !equal, inverted = starts >= 0 && ends >= 0 && !equal;
      if (first[a] >= 0 && first[b] >= 0) {
        linked[0].cell(a, b) = inverted;
        linked[1].cell(a, b) = straight;
      } else if (attach) {
        others[0].cell(a, b) = inverted;
        others[1].cell(a, b) = straight || equal;
      } else {
        others[1].cell(a, b) = 1;
      }
    }
  }
  for (int op = 0; op < 2; ++op) {
    linked[op].sum();
    others[op].sum();
  }
  each_edge(n, [&](int64_t edge, int32_t i, int32_t k, int32_t j) {
    for (int op = 0; op < 2; ++op) {
      wrong[2 * edge + op] = static_cast<float>(linked[op](i, k, j));
      moved[2 * edge + op] = static_cast<float>(others[op](i, k, j));
    }
  });
}

}  // namespace wordorder::crf
