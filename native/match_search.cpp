// The search for the best alignment of one pair.
//
// First the problem is solved as if reference words could be used twice. That takes one pass from right
// to left, and for every candidate gives the least cost of all that follows. Where the solution happens to
// be one to one, it is the best. Elsewhere a beam search goes from left to right. It drops states by
// cost so far plus that least cost to come, so when it ends it knows whether anything dropped could have
// been better; if so it is repeated with a wider beam, up to a bound on the work.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "match.h"

namespace wordorder {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr int32_t kNarrow = 4;          // first width
constexpr int32_t kWiden = 8;           // factor from try to try
constexpr int32_t kWidest = 64;         // times the beam
constexpr int64_t kMostWork = 1 << 20;  // expansions of one try, beyond which the beam is not widened

int32_t bits_of(int64_t value) {
  int32_t bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

// A hash for each bit of a state; states are told apart by the xor of these.
uint64_t mark(uint64_t bit) {
  bit += 0x9E3779B97F4A7C15u;
  bit = (bit ^ (bit >> 30)) * 0xBF58476D1CE4E5B9u;
  bit = (bit ^ (bit >> 27)) * 0x94D049BB133111EBu;
  return bit ^ (bit >> 31);
}

bool has(const uint64_t *mask, int32_t bit) { return mask[bit >> 6] >> (bit & 63) & 1; }

bool any(const uint64_t *mask, int32_t bit, int32_t length) {
  for (int32_t k = 0; k < length; ++k) {
    if (has(mask, bit + k)) return true;
  }
  return false;
}

int32_t count(const uint64_t *mask, int32_t begin, int32_t end) {
  int32_t total = 0;
  for (int32_t bit = begin; bit < end; ++bit) total += has(mask, bit);
  return total;
}

}  // namespace

// One number holds the whole cost: words left uncovered, then chunks, then distance.
void Matcher::set_units() {
  int32_t per_word = 2;
  for (const Group &one : candidates_.groups) per_word = std::max(per_word, one.per_word);
  const int64_t n = candidates_.n;
  const int32_t distance_bits = 62 - bits_of(n + 1) - bits_of(per_word * n + 1);
  chunk_unit_ = int64_t{1} << distance_bits;
  cover_unit_ = chunk_unit_ << bits_of(n + 1);
  link_unit_ = (chunk_unit_ - 1) / std::max<int64_t>(n, 1);  // the largest distance of one link
}

int64_t Matcher::tie_cost(const Candidate &link, const Group &one) const {
  int64_t cost = std::abs(link.i - link.j);
  if (ties_ == Ties::first) {
    // METEOR 1.5 leaves a word's own place to others: found by experiment, and kept to agree with it.
    const bool odd = link.i == link.j && one.hyp_count == 1;
    cost = link.i + link.j + (odd ? candidates_.n + candidates_.m : 0);
  }
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
    const Group &one = candidates_.groups[g];
    skip_[p] = one.per_word ? one.per_word * cover_unit_ : one.spare ? 0 : 2 * cover_unit_;
    none_[p] += skip_[p];
    int32_t next = p + 1 < n ? first[p + 1] : 0;  // walks along the followers, for both lists are sorted by j
    for (int32_t c = first[p]; c < first[p + 1]; ++c) {
      const Candidate &link = list[c];
      const int32_t to = p + link.hyp_length, wanted = link.j + link.ref_length;
      base_[c] = tie_cost(link, one);
      if (one.per_word) base_[c] += (one.per_word * link.hyp_length - link.hyp_length - link.ref_length) * cover_unit_;
      after_[c] = none_[to];
      follower_[c] = -1;
      if (to < n) {
        const int32_t end = first[to + 1];
        const bool walking = candidates_.longest == 1 && link.ref_length == 1;
        int32_t at = walking ? next : first[to];
        while (at < end && list[at].j < wanted) ++at;
        if (walking) next = at;
        if (at < end && list[at].j == wanted) follower_[c] = at;
        for (; at < end && list[at].j == wanted; ++at) after_[c] = std::min(after_[c], base_[at] + after_[at]);
      }
      none_[p] = std::min(none_[p], chunk_unit_ + base_[c] + after_[c]);
    }
  }
}

// Follows the relaxed solution; false where it uses a word twice or leaves too many words alone.
bool Matcher::trace() {
  const Candidates &all = candidates_;
  chosen_.clear();
  if (all.bits) {
    taken_.assign(all.bits, 0);
    processed_.assign(all.groups.size(), 0);  // here: words left alone
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
        const Group &one = all.groups[g];
        if (!one.per_word && one.spare && ++processed_[g] > one.spare) return false;
      }
      rest = none_[p + 1];
      follower = -1;
      ++p;
    }
  }
  return true;
}

int64_t Matcher::skip_cost(int32_t p, const uint64_t *mask) const {
  const int32_t g = candidates_.group[p];
  const Group &one = candidates_.groups[g];
  if (one.per_word || !one.spare) return skip_[p];
  if (one.bits_end == one.bits_begin) return 0;
  const int32_t alone = processed_[g] - count(mask, one.bits_begin, one.bits_end);
  return alone < one.spare ? 0 : 2 * cover_unit_;
}

void Matcher::expand(int32_t p, int32_t index) {
  const Candidates &all = candidates_;
  const Node node = nodes_[index];
  const uint64_t *const mask = mask_at(node);
  const Group &one = all.groups[all.group[p]];
  const bool contested = one.bits_end > one.bits_begin;
  const int32_t follow_j = node.follower < 0 ? -1 : all.list[node.follower].j;
  uint64_t gone = 0;  // after its last word, a group's past is forgotten: states become equal
  for (int32_t bit = one.bits_begin; bit < one.bits_end; ++bit) gone ^= has(mask, bit) ? mark(bit) : 0;
  const auto propose = [&](int32_t to, int64_t cost, int64_t rest, uint64_t used, int32_t chosen, int32_t follower) {
    if (cost + rest >= best_cost_) return;
    if (one.last < to) used = node.used ^ gone;
    levels_[level_[to]].push_back({cost, cost + rest, used, index, chosen, follower, level_[to], 0});
  };
  for (int32_t c = all.first[p]; c < all.first[p + 1]; ++c) {
    const Candidate &link = all.list[c];
    uint64_t used = node.used;
    if (contested) {
      // A phrase's words are consecutive bits: they are consecutive reference words of one group.
      const int32_t bit = all.ref_bit[link.j];
      if (any(mask, bit, link.ref_length)) continue;
      for (int32_t k = 0; k < link.ref_length; ++k) used ^= mark(bit + k);
    }
    const int64_t cost = node.cost + base_[c] + (link.j == follow_j ? 0 : chunk_unit_);
    propose(p + link.hyp_length, cost, after_[c], used, c, follower_[c]);
  }
  propose(p + 1, node.cost + skip_cost(p, mask), none_[p + 1], node.used, -1, -1);
}

// Keeps the best `width` different states of a level and gives them their masks.
void Matcher::select(int32_t level, int32_t width) {
  std::vector<Node> &proposed = levels_[level];
  ranking_.clear();
  for (size_t k = 0; k < proposed.size(); ++k) ranking_.emplace_back(proposed[k].bound, static_cast<int32_t>(k));
  std::sort(ranking_.begin(), ranking_.end());
  size_t table = 16;
  while (table < 2 * std::min<size_t>(width, proposed.size())) table *= 2;
  seen_.assign(table, -1);
  const int32_t begin = static_cast<int32_t>(nodes_.size());
  std::vector<uint64_t> &masks = rings_[level % rings_.size()];
  masks.clear();
  for (const auto &[bound, k] : ranking_) {
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
      const Group &one = candidates_.groups[candidates_.group[link.i]];
      uint64_t *const mask = masks.data() + int64_t{kept} * mask_words_;
      for (int32_t k = 0; one.bits_end > one.bits_begin && k < link.ref_length; ++k) {
        const int32_t bit = candidates_.ref_bit[link.j + k];
        mask[bit >> 6] |= uint64_t{1} << (bit & 63);
      }
    }
    nodes_.push_back(node);
  }
  proposed.clear();
}

// One try; a solution better than the best so far takes its place.
void Matcher::search(int32_t width) {
  const Candidates &all = candidates_;
  nodes_.clear();
  pruned_ = kNever;
  processed_.assign(all.groups.size(), 0);
  levels_[0].push_back({0, none_[0], 0, -1, -1, -1, 0, 0});
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

bool Matcher::match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions,
                    int8_t *stages) {
  std::fill(positions, positions + n, -1);
  std::fill(stages, stages + n, int8_t{-1});
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
    if (static_cast<int32_t>(levels_.size()) <= levels) levels_.resize(levels + 1);
    rings_.resize(all.longest + 1);
    mask_words_ = (all.bits + 63) / 64;
    best_cost_ = kNever;
    int64_t width = std::min(kNarrow, beam_);
    do {
      search(static_cast<int32_t>(width));
      exact = best_cost_ <= pruned_;
      width = width < beam_ ? beam_ : width * kWiden;
    } while (!exact && (width == beam_ || (width <= int64_t{beam_} * kWidest &&
                                           width * static_cast<int64_t>(all.list.size()) <= kMostWork)));
  }
  for (const int32_t c : best_) {
    const Candidate &link = all.list[c];
    for (int32_t k = 0; k < link.hyp_length; ++k) {
      positions[link.i + k] = k < link.ref_length ? link.j + k : -1;
      stages[link.i + k] = link.stage;
    }
  }
  if (all.narrowed) fill_up(hyp, ref, positions, stages);
  return exact && !all.narrowed;
}

// Where candidates were left out, words of one key may be alone on both sides: they are linked in order.
void Matcher::fill_up(const int32_t *hyp, const int32_t *ref, int32_t *positions, int8_t *stages) {
  const Candidates &all = candidates_;
  taken_.assign(all.m, 0);
  for (const int32_t c : best_) {
    for (int32_t k = 0; k < all.list[c].ref_length; ++k) taken_[all.list[c].j + k] = 1;
  }
  free_.clear();
  for (int32_t j = 0; j < all.m; ++j) {
    if (!taken_[j]) free_.emplace_back(all.key(ref[j]), j);
  }
  std::sort(free_.begin(), free_.end());
  for (int32_t i = 0; i < all.n; ++i) {
    if (stages[i] >= 0) continue;
    const int32_t key = all.key(hyp[i]);
    const auto at = std::lower_bound(free_.begin(), free_.end(), std::make_pair(key, 0));
    if (at == free_.end() || at->first != key) continue;
    // Marked by a key that no word has; the entry stays in place, so the order of the rest is not disturbed.
    auto open = at;
    while (open != free_.end() && open->first == key && taken_[open->second]) ++open;
    if (open == free_.end() || open->first != key) continue;
    taken_[open->second] = 1;
    positions[i] = open->second;
    stages[i] = all.stage(hyp[i], ref[open->second]);
  }
}

}  // namespace wordorder
