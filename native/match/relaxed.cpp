// The relaxed problem, in which reference words may be used more than once.
//
// One pass from right to left solves it and gives, for every candidate, the least cost of all that can follow. If the
// solution happens to be one to one, it is the best alignment; otherwise it guides the search (search.cpp).
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "match/matcher.h"

namespace wordorder::match {

namespace {

int32_t bits_of(int64_t value) {
  int32_t bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

}  // namespace

// One number holds the whole cost: uncovered words, then chunks, then distance.
void Matcher::set_units() {
  int32_t per_word = 2;
  for (const Group &group : candidates_.groups) per_word = std::max(per_word, group.per_word);
  const int64_t n = candidates_.n;
  const int32_t distance_bits = 62 - bits_of(n + 1) - bits_of(per_word * n + 1);
  chunk_unit_ = int64_t{1} << distance_bits;
  cover_unit_ = chunk_unit_ << bits_of(n + 1);
  link_unit_ = (chunk_unit_ - 1) / std::max<int64_t>(n, 1);  // the largest distance of one link
}

int64_t Matcher::tie_cost(const Candidate &link, const Group &group) const {
  int64_t cost = std::abs(link.i - link.j);
  if (ties_ == Ties::first) {
    // METEOR 1.5 avoids linking a word to the same position. This was found by experiment and is kept for agreement.
    const bool odd = link.i == link.j && group.hyp_count == 1;
    cost = link.i + link.j + (odd ? candidates_.n + candidates_.m : 0);
  }
  // METEOR tries the candidates of earlier stages first.
  if (candidates_.halved()) cost += int64_t{4} * link.stage * link.hyp_length * (candidates_.n + candidates_.m);
  return std::min(cost, link_unit_);
}

void Matcher::relax() {
  const std::vector<Candidate> &list = candidates_.list;
  const std::vector<int32_t> &first = candidates_.first;
  const int32_t n = candidates_.n;
  base_.resize(list.size());
  after_.resize(list.size());
  follower_.resize(list.size());
  none_.resize(n + 1);
  skip_.resize(n + 1);
  none_[n] = 0;
  for (int32_t p = n - 1; p >= 0; --p) {
    const int32_t g = candidates_.group[p];
    none_[p] = none_[p + 1];
    skip_[p] = 0;
    if (g < 0) continue;
    const Group &group = candidates_.groups[g];
    skip_[p] = group.per_word ? group.per_word * cover_unit_ : group.spare ? 0 : 2 * cover_unit_;
    // A link that counts for nothing is better than none.
    if (group.per_word && candidates_.halved()) skip_[p] += link_unit_;
    none_[p] += skip_[p];
    int32_t next = p + 1 < n ? first[p + 1] : 0;  // moves along the followers, because both lists are sorted by j
    for (int32_t c = first[p]; c < first[p + 1]; ++c) {
      const Candidate &link = list[c];
      const int32_t to = p + link.hyp_length, wanted = link.j + link.ref_length;
      base_[c] = tie_cost(link, group);
      if (group.per_word)
        base_[c] += (group.per_word * link.hyp_length - link.counted) * cover_unit_;
      after_[c] = none_[to];
      follower_[c] = -1;
      if (to < n) {
        const int32_t end = first[to + 1];
        const bool walking = candidates_.longest == 1 && link.ref_length == 1;
        const auto before = [&](const Candidate &other) { return other.j < wanted; };
        int32_t at = next;
        if (walking) {
          while (at < end && before(list[at])) ++at;
          next = at;
        } else {
          const Candidate *const all = list.data();
          at = static_cast<int32_t>(std::partition_point(all + first[to], all + end, before) - all);
        }
        if (at < end && list[at].j == wanted) follower_[c] = at;
        for (; at < end && list[at].j == wanted; ++at) after_[c] = std::min(after_[c], base_[at] + after_[at]);
      }
      none_[p] = std::min(none_[p], chunk_unit_ + base_[c] + after_[c]);
    }
  }
}

// Follows the relaxed solution; returns false if it uses a word twice or leaves too many words unlinked.
bool Matcher::trace() {
  const Candidates &all = candidates_;
  chosen_.clear();
  if (all.bits) {
    taken_.assign(all.bits, 0);
    processed_.assign(all.groups.size(), 0);  // for now: words left unlinked
  }
  int32_t follower = -1;
  int64_t rest = none_[0];
  for (int32_t p = 0; p < all.n;) {
    const int32_t g = all.group[p];
    int32_t pick = -1;
    if (g >= 0) {
      const bool contested = all.groups[g].bits_end > all.groups[g].bits_begin;
      for (int32_t c = all.first[p]; c < all.first[p + 1]; ++c) {
        const bool follows = follower >= 0 && all.list[c].j == all.list[follower].j;
        if (base_[c] + after_[c] + (follows ? 0 : chunk_unit_) != rest) continue;
        bool free = true;
        for (int32_t k = 0; contested && k < all.list[c].ref_length; ++k) {
          free &= !taken_[all.ref_bit[all.list[c].j + k]];
        }
        if (free) {
          pick = c;
          break;
        }
      }
    }
    if (pick >= 0) {
      const Candidate &link = all.list[pick];
      if (all.groups[g].bits_end > all.groups[g].bits_begin) {
        for (int32_t k = 0; k < link.ref_length; ++k) taken_[all.ref_bit[link.j + k]] = 1;
      }
      chosen_.push_back(pick);
      rest = after_[pick];
      follower = follower_[pick];
      p += link.hyp_length;
    } else {
      if (g >= 0) {
        if (none_[p + 1] + skip_[p] != rest) return false;
        const Group &group = all.groups[g];
        if (!group.per_word && group.spare && ++processed_[g] > group.spare) return false;
      }
      rest = none_[p + 1];
      follower = -1;
      ++p;
    }
  }
  return true;
}

// Takes the best free link at every word by the relaxed cost of the rest, and returns the cost. In complete groups this
// always covers as many words as possible.
int64_t Matcher::link_greedily() {
  const Candidates &all = candidates_;
  taken_.assign(all.bits, 0);
  processed_.assign(all.groups.size(), 0);  // for now: words left unlinked
  best_.clear();
  int32_t follower = -1;
  int64_t cost = 0;
  for (int32_t p = 0; p < all.n;) {
    const int32_t g = all.group[p];
    int32_t pick = -1;
    if (g >= 0) {
      const Group &group = all.groups[g];
      const bool contested = group.bits_end > group.bits_begin;
      const auto taken = [&](const Candidate &link) {
        const auto bits = taken_.begin() + all.ref_bit[link.j];
        return std::find(bits, bits + link.ref_length, 1) != bits + link.ref_length;
      };
      const int64_t skip = !group.per_word && processed_[g] >= group.spare ? 2 * cover_unit_ : skip_[p];
      int64_t least = skip + none_[p + 1];
      for (int32_t c = all.first[p]; c < all.first[p + 1]; ++c) {
        const Candidate &link = all.list[c];
        if (contested && taken(link)) continue;
        const int64_t chunk = follower >= 0 && link.j == all.list[follower].j ? 0 : chunk_unit_;
        if (base_[c] + after_[c] + chunk >= least) continue;
        least = base_[c] + after_[c] + chunk;
        pick = c;
      }
      if (pick >= 0) {
        const Candidate &link = all.list[pick];
        cost += least - after_[pick];
        if (contested) std::fill_n(taken_.begin() + all.ref_bit[link.j], link.ref_length, 1);
        best_.push_back(pick);
      } else {
        cost += skip;
        ++processed_[g];
      }
    }
    follower = pick < 0 ? -1 : follower_[pick];
    p += pick < 0 ? 1 : all.list[pick].hyp_length;
  }
  return cost;
}

}  // namespace wordorder::match
