#include "tune/envelope.h"

#include <algorithm>
#include <numeric>

namespace wordorder::tune {

int64_t upper_envelope(const double *offset, const double *slope, int64_t first, int64_t last,
                       std::vector<Change> &changes) {
  std::vector<int64_t> by_slope(last - first);
  std::iota(by_slope.begin(), by_slope.end(), first);
  std::sort(by_slope.begin(), by_slope.end(), [&](int64_t a, int64_t b) {
    if (slope[a] != slope[b]) return slope[a] < slope[b];
    return offset[a] != offset[b] ? offset[a] > offset[b] : a < b;
  });
  // Lines in the order of their slopes; each is best from its own point on, until that of the next one.
  struct Best {
    int64_t candidate;
    double from;
  };
  std::vector<Best> best;
  for (const int64_t c : by_slope) {
    if (!best.empty() && slope[best.back().candidate] == slope[c]) continue;  // parallel and not above
    double from = 0;
    while (!best.empty()) {
      const int64_t top = best.back().candidate;
      from = (offset[top] - offset[c]) / (slope[c] - slope[top]);
      if (best.size() == 1 || from > best.back().from) break;
      best.pop_back();
    }
    best.push_back({c, from});
  }
  for (size_t k = 1; k < best.size(); ++k) {
    changes.push_back({best[k].from, best[k - 1].candidate, best[k].candidate});
  }
  return best.front().candidate;
}

}  // namespace wordorder::tune
