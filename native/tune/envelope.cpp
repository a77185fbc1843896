#include "tune/envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.h"
#include "base/parallel.h"

namespace wordorder::tune {
namespace {

typedef double Lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t Places __attribute__((vector_size(32)));
constexpr int64_t lanes = 4, groups = 2;  // several groups, because each comparison waits for the one before it
constexpr int64_t lane_count = lanes * groups;

// The candidate with the largest value at the point t; of equal ones the first. The size is a multiple of lane_count.
WO_CLONES int64_t highest(const double *offset, const double *slope, int64_t size, double t) {
  Lanes best[groups];
  Places place[groups], top[groups];
  for (int64_t g = 0; g < groups; ++g) {
    best[g] = reinterpret_cast<const Lanes *>(offset)[g] + t * reinterpret_cast<const Lanes *>(slope)[g];
    top[g] = place[g] = Places{0, 1, 2, 3} + g * lanes;
  }
  for (int64_t c = lane_count; c < size; c += lane_count) {
    const Lanes *const offsets = reinterpret_cast<const Lanes *>(offset + c);
    const Lanes *const slopes = reinterpret_cast<const Lanes *>(slope + c);
    for (int64_t g = 0; g < groups; ++g) {
      place[g] += lane_count;
      const Lanes value = offsets[g] + t * slopes[g];
      const Places better = value > best[g];
      best[g] = better ? value : best[g];
      top[g] = better ? place[g] : top[g];
    }
  }
  double most = best[0][0];
  int64_t winner = top[0][0];
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t k = 0; k < lanes; ++k) {
      if (best[g][k] < most || (best[g][k] == most && top[g][k] > winner)) continue;
      most = best[g][k];
      winner = top[g][k];
    }
  }
  return winner;
}

}  // namespace

int64_t EnvelopeSearch::search(const double *offset, const double *slope, int64_t first, int64_t last,
                               std::vector<Change> &changes) {
  const int64_t size = last - first, room = (size + lane_count - 1) / lane_count * lane_count;
  offset_.assign(offset + first, offset + last);
  slope_.assign(slope + first, slope + last);
  offset_.resize(room, -std::numeric_limits<double>::infinity());
  slope_.resize(room, 0.0);
  // The flattest and the steepest line are best at the two ends of the line.
  int64_t low = 0, high = 0;
  for (int64_t c = 1; c < size; ++c) {
    if (slope_[c] < slope_[low] || (slope_[c] == slope_[low] && offset_[c] > offset_[low])) low = c;
    if (slope_[c] > slope_[high] || (slope_[c] == slope_[high] && offset_[c] > offset_[high])) high = c;
  }
  // A line between two lines of the envelope is above them, if at all, where they cross.
  int64_t here = low;
  double reached = -std::numeric_limits<double>::infinity();
  left_.assign(1, high);
  while (!left_.empty()) {
    const int64_t next = left_.back();
    const double at = (offset_[here] - offset_[next]) / (slope_[next] - slope_[here]);
    if (!std::isfinite(at)) {  // parallel, but for rounding
      left_.pop_back();
      continue;
    }
    const int64_t middle = highest(offset_.data(), slope_.data(), room, at);
    if (slope_[middle] > slope_[here] && slope_[middle] < slope_[next]) {
      left_.push_back(middle);
      continue;
    }
    reached = std::max(reached, at);  // lines that cross in one point may be out of order by rounding
    changes.push_back({reached, first + here, first + next});
    here = next;
    left_.pop_back();
  }
  return first + low;
}

LineSums line_sums(const int64_t *starts, int64_t sentences, const double *offset, const double *slope,
                   const double *rows, int64_t width, int threads) {
  constexpr int64_t block = 64;  // sentences that a thread takes at a time
  std::vector<std::vector<Change>> parts((sentences + block - 1) / block);
  std::vector<int64_t> begin(sentences, -1);
  base::parallel_blocks(sentences, block, threads, [&](int64_t first, int64_t last, int) {
    EnvelopeSearch search;
    for (int64_t s = first; s < last; ++s) {
      if (starts[s] < starts[s + 1]) begin[s] = search.search(offset, slope, starts[s], starts[s + 1], parts[s / block]);
    }
  });
  std::vector<Change> changes;
  for (const std::vector<Change> &part : parts) changes.insert(changes.end(), part.begin(), part.end());
  std::stable_sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.at < b.at; });
  LineSums out;
  out.at.reserve(changes.size());
  out.sums.assign((changes.size() + 1) * width, 0.0);
  for (const int64_t candidate : begin) {
    if (candidate < 0) continue;
    for (int64_t k = 0; k < width; ++k) out.sums[k] += rows[candidate * width + k];
  }
  double *sum = out.sums.data();
  for (const Change &change : changes) {
    out.at.push_back(change.at);
    const double *before = rows + change.before * width, *after = rows + change.after * width;
    for (int64_t k = 0; k < width; ++k) sum[width + k] = sum[k] + (after[k] - before[k]);
    sum += width;
  }
  return out;
}

}  // namespace wordorder::tune
