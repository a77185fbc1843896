#include "match/context.h"

#include <algorithm>

namespace wordorder::match {

void ContextMatcher::list_places(const int32_t *words, int32_t n, bool number, Places &places) {
  places.of.resize(n);
  if (number) count_ = 0;
  for (int32_t k = 0; k < n; ++k) {
    Slot &slot = slots_[words[k]];
    if (number && slot.stamp != stamp_) slot = {stamp_, count_++};
    places.of[k] = slot.stamp == stamp_ ? slot.number : -1;
  }
  places.begin.assign(count_ + 1, 0);
  for (const int32_t word : places.of) {
    if (word >= 0) ++places.begin[word + 1];
  }
  for (int32_t word = 0; word < count_; ++word) places.begin[word + 1] += places.begin[word];
  places.at.resize(places.begin[count_]);
  next_.assign(places.begin.begin(), places.begin.end() - 1);
  for (int32_t k = 0; k < n; ++k) {
    if (places.of[k] >= 0) places.at[next_[places.of[k]]++] = k;
  }
}

// Computes, for every hypothesis word, the length of the longest context, including the word itself, that it shares
// with another place of the hypothesis, with the best place of the reference, and with the second best. The time is
// linear in the number of pairs of equal words.
void ContextMatcher::reach(int32_t n, int32_t m, bool left, std::vector<Reach> &out) {
  out.assign(n, {});
  const int32_t step = left ? 1 : -1;
  // The length of the common context with every place, and the word that it belongs to; one extra entry at either end.
  hyp_row_.assign(n + 2, {-2, 0});
  ref_row_.assign(m + 2, {-2, 0});
  for (int32_t count = 0, i = left ? 0 : n - 1; count < n; ++count, i += step) {
    Reach &reach = out[i];
    const auto walk = [&](const Places &places, std::vector<std::pair<int32_t, int32_t>> &row, auto &&see) {
      const int32_t word = hyp_.of[i], begin = places.begin[word], end = places.begin[word + 1];
      // Walk from the far end, because a place reads the entry of its neighbour for the previous word.
      for (int32_t k = left ? end - 1 : begin; k >= begin && k < end; k -= step) {
        const int32_t at = places.at[k];
        const auto &[owner, length] = row[at + 1 - step];
        const int32_t common = owner == i - step ? length + 1 : 1;
        row[at + 1] = {i, common};
        see(at, common);
      }
    };
    walk(hyp_, hyp_row_, [&](int32_t at, int32_t common) {
      if (at != i) reach.hyp = std::max(reach.hyp, common);
    });
    walk(ref_, ref_row_, [&](int32_t at, int32_t common) {
      if (common > reach.first) {
        reach.second = reach.first;
        reach.first = common;
        reach.at = at;
      } else {
        reach.second = std::max(reach.second, common);
      }
    });
  }
}

void ContextMatcher::match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions) {
  if (++stamp_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    stamp_ = 1;
  }
  list_places(hyp, n, true, hyp_);
  list_places(ref, m, false, ref_);
  bool ambiguous = false;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t word = hyp_.of[i], begin = ref_.begin[word], count = ref_.begin[word + 1] - begin;
    const bool unique = count == 1 && hyp_.begin[word + 1] - hyp_.begin[word] == 1;
    positions[i] = unique ? ref_.at[begin] : count ? -2 : -1;
    ambiguous |= positions[i] == -2;
  }
  if (!ambiguous) return;
  reach(n, m, true, left_);
  reach(n, m, false, right_);
  constexpr int32_t never = 1 << 30;
  // The shortest context that occurs once on both sides, counted with the word itself; length 1 was tried above.
  const auto shortest = [](const Reach &reach) {
    const int32_t length = std::max({2, reach.hyp + 1, reach.second + 1});
    return length <= reach.first ? length : never;
  };
  for (int32_t i = 0; i < n; ++i) {
    if (positions[i] != -2) continue;
    const int32_t left = shortest(left_[i]), right = shortest(right_[i]);
    positions[i] = left == never && right == never ? -1 : left <= right ? left_[i].at : right_[i].at;
  }
}

}  // namespace wordorder::match
