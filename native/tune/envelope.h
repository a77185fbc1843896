// The exact line search of minimum error rate training (Och 2003): which candidate is best at each point of a line.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::tune {

// From the point `at` on, `after` is the best candidate of a sentence; until then it is `before`.
struct Change {
  double at;
  int64_t before, after;
};

// The upper envelopes of the lines offset[c] + t * slope[c], one sentence after the other. Of equal lines, the first
// candidate counts.
class EnvelopeSearch {
 public:
  // Appends the changes of the sentence with the candidates first .. last - 1 in the order of t, and returns the best
  // candidate before the first change. There must be a candidate.
  int64_t search(const double *offset, const double *slope, int64_t first, int64_t last, std::vector<Change> &changes);

 private:
  std::vector<double> offset_, slope_;  // of the candidates of the sentence, padded to whole lanes
  std::vector<int64_t> left_;           // candidates on the envelope that are still to be reached
};

// Where the best candidates change along a line, and the sum of the rows of the best candidates before the first change
// and after each of them.
struct LineSums {
  std::vector<double> at;
  std::vector<double> sums;  // (number of changes + 1) x width
};

LineSums line_sums(const int64_t *starts, int64_t sentences, const double *offset, const double *slope,
                   const double *rows, int64_t width, int threads);

}  // namespace wordorder::tune
