// Alignments as permutations, and RIBES's matching by context.
#include <algorithm>

#include "match/matcher.h"

namespace wordorder::match {

void renumber(const base::Batch &positions, std::vector<int32_t> &values, std::vector<int64_t> &ends) {
  std::vector<int32_t> counts;
  ends.assign(positions.size + 1, 0);
  values.resize(positions.offsets[positions.size]);
  int32_t *out = values.data();
  for (int64_t s = 0; s < positions.size; ++s) {
    const int32_t *const begin = positions.begin(s), *const end = begin + positions.length(s);
    uint64_t present = 0, high = 0;
    bool twice = false;
    for (const int32_t *at = begin; at < end; ++at) {
      if (*at < 0) continue;
      if (*at >= 64) {
        high = 1;
        continue;
      }
      twice |= present >> *at & 1;
      present |= uint64_t{1} << *at;
    }
    if (!high && !twice) {  // nearly all sentences: ranks are counts of bits
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) *out++ = ones(present & ((uint64_t{1} << *at) - 1));
      }
    } else {
      const int32_t largest = begin == end ? -1 : *std::max_element(begin, end);
      counts.assign(largest + 2, 0);
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) ++counts[*at + 1];
      }
      for (int32_t j = 0; j <= largest; ++j) counts[j + 1] += counts[j];
      // counts[j + 1] is one past the last rank of position j: equal positions take their ranks from above.
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) *out++ = --counts[*at + 1];
      }
    }
    ends[s + 1] = out - values.data();
  }
  values.resize(out - values.data());
}

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

// For every hypothesis word, the length of the longest context, the word itself included, that it shares
// with another place of the hypothesis, with the best place of the reference and with the second best.
// Costs one step for each pair of equal words.
void ContextMatcher::reach(int32_t n, int32_t m, bool left, std::vector<Reach> &out) {
  out.assign(n, {});
  const int32_t step = left ? 1 : -1;
  // Common contexts with every place, and the word for which they were found. One more at either end.
  hyp_row_.assign(n + 2, {-2, 0});
  ref_row_.assign(m + 2, {-2, 0});
  for (int32_t count = 0, i = left ? 0 : n - 1; count < n; ++count, i += step) {
    Reach &one = out[i];
    const auto walk = [&](const Places &places, std::vector<std::pair<int32_t, int32_t>> &row, auto &&see) {
      const int32_t word = hyp_.of[i], begin = places.begin[word], end = places.begin[word + 1];
      // From the far end, for a place needs what its neighbour held for the word before.
      for (int32_t k = left ? end - 1 : begin; k >= begin && k < end; k -= step) {
        const int32_t at = places.at[k];
        const auto &[owner, length] = row[at + 1 - step];
        const int32_t common = owner == i - step ? length + 1 : 1;
        row[at + 1] = {i, common};
        see(at, common);
      }
    };
    walk(hyp_, hyp_row_, [&](int32_t at, int32_t common) {
      if (at != i) one.hyp = std::max(one.hyp, common);
    });
    walk(ref_, ref_row_, [&](int32_t at, int32_t common) {
      if (common > one.first) {
        one.second = one.first;
        one.first = common;
        one.at = at;
      } else {
        one.second = std::max(one.second, common);
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
    const int32_t word = hyp_.of[i], begin = ref_.begin[word], found = ref_.begin[word + 1] - begin;
    const bool unique = found == 1 && hyp_.begin[word + 1] - hyp_.begin[word] == 1;
    positions[i] = unique ? ref_.at[begin] : found ? -2 : -1;
    ambiguous |= positions[i] == -2;
  }
  if (!ambiguous) return;
  reach(n, m, true, left_);
  reach(n, m, false, right_);
  constexpr int32_t never = 1 << 30;
  // The shortest length that occurs once on both sides, counted with the word itself; 1 was tried above.
  const auto shortest = [](const Reach &one) {
    const int32_t length = std::max({2, one.hyp + 1, one.second + 1});
    return length <= one.first ? length : never;
  };
  for (int32_t i = 0; i < n; ++i) {
    if (positions[i] != -2) continue;
    const int32_t left = shortest(left_[i]), right = shortest(right_[i]);
    positions[i] = left == never && right == never ? -1 : left <= right ? left_[i].at : right_[i].at;
  }
}

}  // namespace wordorder::match
