#include "align/symmetrise.h"

#include <algorithm>
#include <functional>

namespace wordorder::align {

void Symmetriser::run(const std::vector<Link> &forward, const std::vector<Link> &reverse, Symmetry how,
                      std::vector<Link> &out) {
  points_.clear();
  int32_t sources = 0, targets = 0;
  for (int d = 0; d < 2; ++d) {
    for (const Link &link : d == 0 ? forward : reverse) {
      points_.push_back({link, {d == 0, d == 1}, false});
      sources = std::max(sources, link.source + 1);
      targets = std::max(targets, link.target + 1);
    }
  }
  std::sort(points_.begin(), points_.end(), [](const Point &a, const Point &b) { return a.link < b.link; });
  size_t size = 0;
  for (size_t k = 0; k < points_.size(); ++k) {
    if (size && points_[size - 1].link == points_[k].link) {
      for (int d = 0; d < 2; ++d) points_[size - 1].in[d] |= points_[k].in[d];
    } else {
      points_[size++] = points_[k];
    }
  }
  points_.resize(size);
  source_.assign(sources, 0);
  target_.assign(targets, 0);

  for (Point &point : points_) {
    const bool wanted = how == Symmetry::forward   ? point.in[0]
                        : how == Symmetry::reverse ? point.in[1]
                        : how == Symmetry::unite   ? true
                                                   : point.in[0] && point.in[1];
    if (wanted) choose(point);
  }
  if (how >= Symmetry::grow_diag) grow();
  if (how >= Symmetry::grow_diag_final) {
    for (int d = 0; d < 2; ++d) finish(d, how == Symmetry::grow_diag_final_and);
  }
  out.clear();
  for (const Point &point : points_) {
    if (point.chosen) out.push_back(point.link);
  }
}

Symmetriser::Point *Symmetriser::find(Link link) {
  const auto at = std::lower_bound(points_.begin(), points_.end(), link,
                                   [](const Point &point, const Link &wanted) { return point.link < wanted; });
  return at != points_.end() && at->link == link ? &*at : nullptr;
}

void Symmetriser::choose(Point &point) {
  point.chosen = true;
  source_[point.link.source] = target_[point.link.target] = 1;
}

// Adds links of the union that are next to a chosen link and have a word without a link, until none is left. Points are
// visited in order, again and again. Words keep their links, so a visit decides about all neighbours for good: each point
// is visited once, in this pass if it is chosen before its turn, else in the next.
void Symmetriser::grow() {
  static constexpr int32_t steps[8][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  next_pass_.clear();
  for (Point &point : points_) {
    if (point.chosen) next_pass_.push_back(&point);
  }
  while (!next_pass_.empty()) {
    pass_.swap(next_pass_);
    next_pass_.clear();
    std::make_heap(pass_.begin(), pass_.end(), std::greater<>());
    while (!pass_.empty()) {
      std::pop_heap(pass_.begin(), pass_.end(), std::greater<>());
      const Point *point = pass_.back();
      pass_.pop_back();
      for (const auto &step : steps) {
        Point *next = find({point->link.source + step[0], point->link.target + step[1]});
        if (!next || next->chosen || (source_[next->link.source] && target_[next->link.target])) continue;
        choose(*next);
        if (next < point) {
          next_pass_.push_back(next);
        } else {
          pass_.push_back(next);
          std::push_heap(pass_.begin(), pass_.end(), std::greater<>());
        }
      }
    }
  }
}

// Adds links of one direction if one of the two words has no link yet, or if neither has (`both`).
void Symmetriser::finish(int direction, bool both) {
  for (Point &point : points_) {
    if (point.chosen || !point.in[direction]) continue;
    const bool source = source_[point.link.source], target = target_[point.link.target];
    if (both ? !source && !target : !source || !target) choose(point);
  }
}

}  // namespace wordorder::align
