// The beam search for the best alignment of one sentence pair.
//
// States are pruned by the cost so far plus the least cost of the rest (relaxed.cpp), so at the end the search knows
// whether a pruned state could have been better. If so, it is repeated with a wider beam, up to a bound on the work.
// States that differ only in what no longer matters are merged.
#include <algorithm>
#include <limits>

#include "base/bits.h"
#include "match/matcher.h"

namespace wordorder::match {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr int32_t kNarrow = 4;          // width of the first search
constexpr int32_t kWiden = 8;           // factor between searches
constexpr int32_t kWidest = 64;         // largest width, in multiples of the beam
constexpr size_t kFew = 64;             // proposals that are sorted at once
constexpr int64_t kMostWork = 1 << 14;  // expansions of one search beyond which the beam is not widened
constexpr int64_t kMostCopied = int64_t{1} << 28;  // words of masks that one search may copy

constexpr uint64_t mixed(uint64_t bit) {
  bit += 0x9E3779B97F4A7C15u;
  bit = (bit ^ (bit >> 30)) * 0xBF58476D1CE4E5B9u;
  bit = (bit ^ (bit >> 27)) * 0x94D049BB133111EBu;
  return bit ^ (bit >> 31);
}

// The hashes of the first bits, which most sentences do not exceed.
struct Marks {
  static constexpr uint64_t kSize = 256;
  uint64_t of[kSize] = {};
  constexpr Marks() {
    for (uint64_t bit = 0; bit < kSize; ++bit) of[bit] = mixed(bit);
  }
};
constexpr Marks kMarks;

// A hash of one bit of a state. States are compared by the exclusive or of the hashes of their bits.
uint64_t mark(uint64_t bit) { return bit < Marks::kSize ? kMarks.of[bit] : mixed(bit); }

bool has(const uint64_t *mask, int32_t bit) { return mask[bit >> 6] >> (bit & 63) & 1; }

bool any(const uint64_t *mask, int32_t bit, int32_t length) {
  for (int32_t k = 0; k < length; ++k) {
    if (has(mask, bit + k)) return true;
  }
  return false;
}

// Calls see(word, bits) for the bits from begin to end, in words of 64 bits.
template <class See>
void each(const uint64_t *mask, int32_t begin, int32_t end, See see) {
  for (int32_t word = begin >> 6; word << 6 < end; ++word) {
    uint64_t bits = mask[word];
    if (word << 6 < begin) bits &= ~uint64_t{0} << (begin & 63);
    if ((word + 1) << 6 > end) bits &= ~(~uint64_t{0} << (end & 63));
    see(word, bits);
  }
}

int32_t count(const uint64_t *mask, int32_t begin, int32_t end) {
  int32_t total = 0;
  each(mask, begin, end, [&](int32_t, uint64_t bits) { total += base::count_ones(bits); });
  return total;
}

}  // namespace

int64_t Matcher::skip_cost(int32_t p, const uint64_t *mask) const {
  const int32_t g = candidates_.group[p];
  const Group &group = candidates_.groups[g];
  if (group.per_word || !group.spare) return skip_[p];
  if (group.bits_end == group.bits_begin) return 0;
  const int32_t alone = processed_[g] - count(mask, group.bits_begin, group.bits_end);
  return alone < group.spare ? 0 : 2 * cover_unit_;
}

void Matcher::expand(int32_t p, int32_t index) {
  const Candidates &all = candidates_;
  const Node node = nodes_[index];
  const uint64_t *const mask = mask_at(node);
  const Group &group = all.groups[all.group[p]];
  const bool contested = group.bits_end > group.bits_begin;
  const int32_t follow_j = node.follower < 0 ? -1 : all.list[node.follower].j;
  // After the last word of a group, its history no longer matters: states become equal.
  const auto forget = [&](uint64_t used) {
    each(mask, group.bits_begin, group.bits_end, [&](int32_t word, uint64_t bits) {
      for (int32_t bit = word << 6; bits; ++bit, bits >>= 1) used ^= bits & 1 ? mark(bit) : 0;
    });
    return used;
  };
  const auto propose = [&](int32_t to, int64_t cost, int64_t rest, uint64_t used, int32_t chosen, int32_t follower) {
    if (cost + rest >= best_cost_) return;
    if (contested && group.last < to) used = forget(node.used);
    proposed_at(level_[to]).push_back({cost, cost + rest, used, index, chosen, follower, level_[to], 0});
  };
  for (int32_t c = all.first[p]; c < all.first[p + 1]; ++c) {
    const Candidate &link = all.list[c];
    const int64_t cost = node.cost + base_[c] + (link.j == follow_j ? 0 : chunk_unit_);
    if (cost + after_[c] >= best_cost_) continue;
    uint64_t used = node.used;
    if (contested) {
      // The words of a phrase are consecutive reference words of one group, so their bits are consecutive.
      const int32_t bit = all.ref_bit[link.j];
      if (any(mask, bit, link.ref_length)) continue;
      for (int32_t k = 0; k < link.ref_length; ++k) used ^= mark(bit + k);
    }
    propose(p + link.hyp_length, cost, after_[c], used, c, follower_[c]);
  }
  // If any word of a group may be linked with any other, a link that is missed is never made up for.
  const int64_t skip = skip_cost(p, mask);
  if (skip == 0 || !all.complete) propose(p + 1, node.cost + skip, none_[p + 1], node.used, -1, -1);
}

// Keeps the best `width` different states of a level and builds their masks.
void Matcher::select(int32_t level, int32_t width) {
  std::vector<Node> &proposed = proposed_at(level);
  ranking_.clear();
  for (size_t k = 0; k < proposed.size(); ++k) ranking_.emplace_back(proposed[k].bound, static_cast<int32_t>(k));
  // The first few usually fill the beam, so of many only they are sorted at first.
  const size_t sorted = ranking_.size() <= kFew ? ranking_.size() : std::min(ranking_.size(), size_t{4} * width);
  if (sorted == ranking_.size()) {
    std::sort(ranking_.begin(), ranking_.end());
  } else {
    std::partial_sort(ranking_.begin(), ranking_.begin() + sorted, ranking_.end());
  }
  size_t table = 16;
  while (table < 2 * std::min<size_t>(width, proposed.size())) table *= 2;
  seen_.assign(table, -1);
  const int32_t begin = static_cast<int32_t>(nodes_.size());
  std::vector<uint64_t> &masks = rings_[level % rings_.size()];
  masks.clear();
  for (size_t rank = 0; rank < ranking_.size(); ++rank) {
    if (rank == sorted) std::sort(ranking_.begin() + sorted, ranking_.end());
    const auto [bound, k] = ranking_[rank];
    Node &node = proposed[k];
    size_t at = (node.used ^ mark(node.follower)) & (table - 1);
    const auto same = [&](const Node &other) { return other.used == node.used && other.follower == node.follower; };
    while (seen_[at] >= 0 && !same(nodes_[seen_[at]])) at = (at + 1) & (table - 1);
    if (seen_[at] >= 0) continue;
    const int32_t kept = static_cast<int32_t>(nodes_.size()) - begin;
    if (kept == width) {
      pruned_ = std::min(pruned_, bound);
      break;
    }
    seen_[at] = begin + kept;
    node.mask = kept;
    if (node.parent < 0) {
      masks.resize(mask_words_, 0);
    } else {
      const uint64_t *const from = mask_at(nodes_[node.parent]);
      masks.insert(masks.end(), from, from + mask_words_);
    }
    if (node.chosen >= 0) {
      const Candidate &link = candidates_.list[node.chosen];
      const Group &group = candidates_.groups[candidates_.group[link.i]];
      uint64_t *const mask = masks.data() + int64_t{kept} * mask_words_;
      for (int32_t k = 0; group.bits_end > group.bits_begin && k < link.ref_length; ++k) {
        const int32_t bit = candidates_.ref_bit[link.j + k];
        mask[bit >> 6] |= uint64_t{1} << (bit & 63);
      }
    }
    nodes_.push_back(node);
  }
  proposed.clear();
}

// Runs one search; a solution better than the best so far replaces it.
void Matcher::search(int32_t width) {
  const Candidates &all = candidates_;
  nodes_.clear();
  pruned_ = kNever;
  processed_.assign(all.groups.size(), 0);
  proposed_at(0).push_back({0, none_[0], 0, -1, -1, -1, 0, 0});
  int32_t p = 0;
  for (; level_[p] < level_[all.n]; ++p) {
    if (all.group[p] < 0) continue;
    const int32_t begin = static_cast<int32_t>(nodes_.size());
    select(level_[p], width);
    const int32_t end = static_cast<int32_t>(nodes_.size());
    for (int32_t k = begin; k < end; ++k) expand(p, k);
    ++processed_[all.group[p]];
  }
  const int32_t last = static_cast<int32_t>(nodes_.size());
  select(level_[all.n], 1);
  if (static_cast<int32_t>(nodes_.size()) == last) return;
  best_cost_ = nodes_[last].cost;
  best_.clear();
  for (int32_t k = last; k >= 0; k = nodes_[k].parent) {
    if (nodes_[k].chosen >= 0) best_.push_back(nodes_[k].chosen);
  }
}

bool Matcher::match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions, int8_t *stages,
                    int8_t *ref_stages) {
  std::fill(positions, positions + n, -1);
  std::fill(stages, stages + n, int8_t{-1});
  std::fill(ref_stages, ref_stages + m, int8_t{-1});
  Candidates &all = candidates_;
  all.find(hyp, n, ref, m);
  if (all.list.empty()) return true;
  set_units();
  relax();
  bool exact = true;
  if (trace()) {
    best_.swap(chosen_);
  } else {
    level_.resize(n + 1);
    int32_t levels = 0;
    for (int32_t p = 0; p < n; ++p) {
      level_[p] = levels;
      levels += all.group[p] >= 0;
    }
    level_[n] = levels;
    levels_.resize(all.longest + 1);  // no link leads further
    rings_.resize(all.longest + 1);
    mask_words_ = (all.bits + 63) / 64;
    // Every state of every level copies its mask, which is more than very long lines can afford.
    const int64_t copied = int64_t{levels} * mask_words_;
    int64_t width = std::min(kNarrow, beam_);
    const auto affordable = [&] { return copied <= kMostCopied / width; };
    exact = false;
    // States that cannot be as good as a quick solution need not be followed.
    const int64_t reached = all.complete || !affordable() ? link_greedily() : kNever - 1;
    best_cost_ = reached + 1;
    while (!exact && affordable() && (width <= beam_ || (width <= int64_t{beam_} * kWidest &&
                                                         width * static_cast<int64_t>(all.list.size()) <= kMostWork))) {
      search(static_cast<int32_t>(width));
      if (all.complete) best_cost_ = std::min(best_cost_, reached);
      exact = best_cost_ <= pruned_;
      width = width < beam_ ? beam_ : width * kWiden;
    }
  }
  for (const int32_t c : best_) {
    const Candidate &link = all.list[c];
    for (int32_t k = 0; k < link.hyp_length; ++k) {
      positions[link.i + k] = k < link.ref_length ? link.j + k : -1;
      stages[link.i + k] = link.stage;
    }
    std::fill(ref_stages + link.j, ref_stages + link.j + link.ref_length, link.stage);
  }
  if (all.narrowed && all.keyed()) link_remaining(hyp, ref, positions, stages, ref_stages);
  return exact && !all.narrowed;
}

// If candidates were dropped, words with equal keys may be unlinked on both sides; links them in order.
void Matcher::link_remaining(const int32_t *hyp, const int32_t *ref, int32_t *positions, int8_t *stages,
                             int8_t *ref_stages) {
  const Candidates &all = candidates_;
  free_.clear();
  alone_.clear();
  for (int32_t j = 0; j < all.m; ++j) {
    if (ref_stages[j] < 0) free_.emplace_back(all.key(ref[j]), j);
  }
  for (int32_t i = 0; i < all.n; ++i) {
    if (stages[i] < 0) alone_.emplace_back(all.key(hyp[i]), i);
  }
  std::sort(free_.begin(), free_.end());
  std::sort(alone_.begin(), alone_.end());
  auto at = free_.begin();
  for (const auto &[key, i] : alone_) {
    while (at != free_.end() && at->first < key) ++at;
    if (at == free_.end() || at->first != key) continue;
    positions[i] = at->second;
    stages[i] = ref_stages[at->second] = all.stage(hyp[i], ref[at->second]);
    ++at;
  }
}

}  // namespace wordorder::match
