#include "tune/envelope.h"

#include <algorithm>

namespace wordorder::tune {

int64_t upper_envelope(const double *offset, const double *slope, int64_t first, int64_t last,
                       std::vector<Change> &changes) {
  struct Line {
    double slope, offset;
    int64_t candidate;
  };
  std::vector<Line> lines(last - first);
  for (int64_t c = first; c < last; ++c) lines[c - first] = {slope[c], offset[c], c};
  std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
    if (a.slope != b.slope) return a.slope < b.slope;
    return a.offset != b.offset ? a.offset > b.offset : a.candidate < b.candidate;
  });
  // Lines in the order of their slopes; each is best from its own point on, until that of the next one.
  struct Best {
    Line line;
    double from;
  };
  std::vector<Best> best;
  for (const Line &line : lines) {
    if (!best.empty() && best.back().line.slope == line.slope) continue;  // parallel and not above
    double from = 0;
    while (!best.empty()) {
      const Line &top = best.back().line;
      from = (top.offset - line.offset) / (line.slope - top.slope);
      if (best.size() == 1 || from > best.back().from) break;
      best.pop_back();
    }
    best.push_back({line, from});
  }
  for (size_t k = 1; k < best.size(); ++k) {
    changes.push_back({best[k].from, best[k - 1].line.candidate, best[k].line.candidate});
  }
  return best.front().line.candidate;
}

}  // namespace wordorder::tune
