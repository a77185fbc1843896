#include "rules/linearise.h"

#include <algorithm>
#include <cstdlib>

namespace wordorder::rules {

int32_t Lineariser::project(const ParsedWords &words, int32_t *heads) {
  w_ = words;
  std::copy(words.heads, words.heads + words.size, heads);
  if (words.size == 0) return 0;
  if (!find_nodes() || !walk()) return -1;
  const int32_t lifted = lift_crossing();
  for (size_t v = 0; lifted > 0 && v < head_.size(); ++v) {
    if (head_[v] >= 0) heads[node_word_[v]] = node_word_[head_[v]];
  }
  return lifted;
}

bool Lineariser::run(const ParsedWords &words, int32_t *order) {
  w_ = words;
  if (words.size == 0) return true;
  if (!find_nodes() || !walk() || crosses()) return false;
  build();
  pair_brackets();
  place_marks();
  return emit(top_[root_], order) == words.size;
}

// Nodes are the tokens that are not marks, in source order. Translates heads into nodes.
bool Lineariser::find_nodes() {
  const int32_t n = w_.size;
  std::vector<int32_t> unit(n), has_children(n, 0);
  for (int32_t i = 0; i < n; ++i) unit[i] = i > 0 && (w_.flags[i] & kJoined) ? unit[i - 1] : i;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t head = w_.heads[i];
    if (head < -1 || head >= n) return false;
    if (head >= 0 && unit[head] != unit[i]) has_children[unit[head]] = 1;
  }
  node_word_.clear();
  node_begin_.clear();
  node_end_.clear();
  marks_.clear();
  std::vector<int32_t> node_of(n, -1);
  for (int32_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && unit[end] == begin;) ++end;
    int32_t top = -1;
    for (int32_t i = begin; i < end; ++i) {
      if (w_.heads[i] < 0 || unit[w_.heads[i]] != begin) {
        if (top >= 0) return false;  // a token with two heads
        top = i;
      }
    }
    if (top < 0) return false;
    if (end == begin + 1 && (w_.flags[begin] & kMark) && !has_children[begin] && w_.heads[begin] >= 0) {
      marks_.push_back(begin);
      continue;
    }
    for (int32_t i = begin; i < end; ++i) node_of[i] = static_cast<int32_t>(node_word_.size());
    node_word_.push_back(top);
    node_begin_.push_back(begin);
    node_end_.push_back(end - 1);
  }
  root_ = -1;
  head_.resize(node_word_.size());
  for (size_t v = 0; v < node_word_.size(); ++v) {
    const int32_t head = w_.heads[node_word_[v]];
    head_[v] = head < 0 ? -1 : node_of[head];
    if (head < 0) {
      if (root_ >= 0) return false;
      root_ = static_cast<int32_t>(v);
    }
  }
  return root_ >= 0;
}

// Lists children in source order, and all nodes so that each comes after its head; returns false if some node is not
// reachable from the root.
bool Lineariser::walk() {
  const int32_t k = static_cast<int32_t>(head_.size());
  if (static_cast<int32_t>(children_.size()) < k) children_.resize(k);
  for (int32_t v = 0; v < k; ++v) children_[v].clear();
  for (int32_t v = 0; v < k; ++v) {
    if (head_[v] >= 0) children_[head_[v]].push_back(v);
  }
  walk_.clear();
  walk_.push_back(root_);
  for (size_t at = 0; at < walk_.size(); ++at) {
    const auto &below = children_[walk_[at]];
    walk_.insert(walk_.end(), below.begin(), below.end());
  }
  return static_cast<int32_t>(walk_.size()) == k;
}

// Whether the words below some node are not contiguous.
bool Lineariser::crosses() {
  const int32_t k = static_cast<int32_t>(head_.size());
  low_.resize(k);
  high_.resize(k);
  below_.assign(k, 1);
  for (int32_t v = 0; v < k; ++v) low_[v] = high_[v] = v;
  for (int32_t at = k - 1; at > 0; --at) {
    const int32_t v = walk_[at], h = head_[v];
    low_[h] = std::min(low_[h], low_[v]);
    high_[h] = std::max(high_[h], high_[v]);
    below_[h] += below_[v];
  }
  for (int32_t v = 0; v < k; ++v) {
    if (high_[v] - low_[v] + 1 != below_[v]) return true;
  }
  return false;
}

// As long as some arc covers a node that does not descend from the head of the arc, lifts the shortest such arc by one
// head.
int32_t Lineariser::lift_crossing() {
  const int32_t k = static_cast<int32_t>(head_.size());
  std::vector<char> moved(k, 0);
  while (crosses()) {
    int32_t best = -1, shortest = k + 1;
    for (int32_t v = 0; v < k; ++v) {
      const int32_t h = head_[v];
      if (h < 0 || std::abs(v - h) >= shortest) continue;
      for (int32_t u = std::min(v, h) + 1; u < std::max(v, h); ++u) {
        int32_t up = u;
        while (up >= 0 && up != h) up = head_[up];
        if (up < 0) {
          best = v;
          shortest = std::abs(v - h);
          break;
        }
      }
    }
    moved[best] = 1;
    head_[best] = head_[head_[best]];
    walk();
  }
  return static_cast<int32_t>(std::count(moved.begin(), moved.end(), 1));
}

// Makes a block of the items begin .. end - 1 of sorted_, in the order of their slots; a single item is returned as it
// is.
int32_t Lineariser::phrase(int32_t begin, int32_t end) {
  if (end - begin == 1) return sorted_[begin].block;
  Block block{blocks_[sorted_[begin].block].begin, blocks_[sorted_[end - 1].block].end,
              static_cast<int32_t>(items_.size()), end - begin};
  std::sort(sorted_.begin() + begin, sorted_.begin() + end,
            [](const Item &a, const Item &b) { return a.rank != b.rank ? a.rank < b.rank : a.place < b.place; });
  for (int32_t at = begin; at < end; ++at) items_.push_back(sorted_[at].block);
  blocks_.push_back(block);
  const int32_t id = static_cast<int32_t>(blocks_.size()) - 1;
  ending_[block.end].push_back(id);
  starting_[block.begin].push_back(id);
  return id;
}

void Lineariser::build() {
  const int32_t k = static_cast<int32_t>(head_.size());
  blocks_.clear();
  items_.clear();
  if (static_cast<int32_t>(ending_.size()) < k) {
    ending_.resize(k);
    starting_.resize(k);
  }
  for (int32_t v = 0; v < k; ++v) {
    blocks_.push_back({v, v, 0, 0});
    ending_[v].assign(1, v);
    starting_[v].assign(1, v);
  }
  top_.resize(k);
  for (int32_t at = k - 1; at >= 0; --at) {
    const int32_t h = walk_[at], head_word = node_word_[h];
    const auto &below = children_[h];
    const int32_t size = static_cast<int32_t>(below.size());
    const auto item = [&](int32_t c, int32_t place) {
      const int32_t word = node_word_[below[c]];
      return Item{w_.ranks[word], w_.flags[word] & kReversed ? -place : place, top_[below[c]]};
    };
    const auto own = [&](int32_t block, int32_t place) {
      const int32_t rank = w_.own_ranks[head_word];
      return Item{rank, w_.flags[head_word] & kHeadReversed ? -place : place, block};
    };
    // Children below[tail .. last] are the conjuncts and what is between them.
    int32_t tail = size, last = -1;
    for (int32_t c = 0; c < size; ++c) {
      const int32_t flags = w_.flags[node_word_[below[c]]];
      if (below[c] > h && (flags & (kConjunct | kCoordinator))) tail = std::min(tail, c);
      if (below[c] > h && (flags & kConjunct)) last = c;
    }
    if (last < 0) tail = size;
    sorted_.clear();
    for (int32_t c = 0; c < tail; ++c) {
      if (below[c] > h && static_cast<int32_t>(sorted_.size()) == c) sorted_.push_back(own(h, c));
      sorted_.push_back(item(c, static_cast<int32_t>(sorted_.size())));
    }
    if (static_cast<int32_t>(sorted_.size()) == tail) sorted_.push_back(own(h, tail));
    int32_t block = phrase(0, static_cast<int32_t>(sorted_.size()));
    if (last >= 0) {
      sorted_.clear();
      sorted_.push_back({0, 0, block});
      for (int32_t c = tail; c <= last; ++c) sorted_.push_back({0, c + 1, top_[below[c]]});
      block = phrase(0, static_cast<int32_t>(sorted_.size()));
      sorted_.clear();
      sorted_.push_back(own(block, 0));
      for (int32_t c = last + 1; c < size; ++c) sorted_.push_back(item(c, c + 1));
      block = phrase(0, static_cast<int32_t>(sorted_.size()));
    }
    top_[h] = block;
  }
}

// Finds pairs of brackets and quotes; a pair with no word between is treated like other marks.
void Lineariser::pair_brackets() {
  partner_.assign(marks_.size(), -1);
  std::vector<int32_t> open;
  for (size_t m = 0; m < marks_.size(); ++m) {
    const int32_t flags = w_.flags[marks_[m]], kind = flags >> kBracketKind;
    if (flags & kCloses) {
      auto opening = open.rbegin();
      while (opening != open.rend() && (w_.flags[marks_[*opening]] >> kBracketKind) != kind) ++opening;
      if (opening != open.rend()) {
        const int32_t begin = *opening, words = marks_[m] - marks_[begin] - 1;
        open.erase(opening.base() - 1, open.end());
        if (words > static_cast<int32_t>(m) - begin - 1) {
          partner_[m] = begin;
          partner_[begin] = static_cast<int32_t>(m);
        }
        continue;
      }
    }
    if (flags & kOpens) open.push_back(static_cast<int32_t>(m));
  }
}

// Puts a mark after the largest block that ends just before it, or an opening mark before the largest block that begins
// just after it. Neither may leave the brackets around it.
void Lineariser::place_marks() {
  if (before_.size() < blocks_.size()) {
    before_.resize(blocks_.size());
    after_.resize(blocks_.size());
  }
  for (size_t b = 0; b < blocks_.size(); ++b) {
    before_[b].clear();
    after_[b].clear();
  }
  const int32_t k = static_cast<int32_t>(head_.size());
  std::vector<int32_t> around;  // opening marks of the pairs that are open
  int32_t next = 0;
  bool forward = false;
  for (size_t m = 0; m < marks_.size(); ++m) {
    const int32_t p = marks_[m];
    const int32_t first_after = next;
    while (next < k && node_word_[next] < p) ++next;
    if (next != first_after) forward = false;
    const bool opener = partner_[m] > static_cast<int32_t>(m), closer = partner_[m] >= 0 && !opener;
    const int32_t low = around.empty() ? -1 : marks_[around.back()];  // a closing mark counts as inside its pair
    if (closer) around.pop_back();
    if (opener) around.push_back(static_cast<int32_t>(m));
    const int32_t high = around.empty() ? w_.size : marks_[partner_[around.back()]];
    const bool left = next > 0 && node_begin_[next - 1] > low, right = next < k && node_end_[next] < high;
    const bool lone = partner_[m] < 0 && (w_.flags[p] & (kOpens | kCloses)) == kOpens;
    forward = right && (opener || lone || forward || !left);
    if (forward) {
      int32_t largest = next;
      for (int32_t block : starting_[next]) {
        if (node_end_[blocks_[block].end] < high) largest = block;
      }
      before_[largest].push_back(p);
    } else {
      int32_t largest = next - 1;
      for (int32_t block : ending_[next - 1]) {
        if (node_begin_[blocks_[block].begin] > low) largest = block;
      }
      after_[largest].push_back(p);
    }
  }
}

int32_t Lineariser::emit(int32_t root, int32_t *order) const {
  const int32_t k = static_cast<int32_t>(head_.size());
  int32_t written = 0;
  std::vector<int32_t> stack{root};
  while (!stack.empty()) {
    const int32_t block = stack.back();
    stack.pop_back();
    if (block < 0) {
      for (int32_t mark : after_[~block]) order[written++] = mark;
      continue;
    }
    for (int32_t mark : before_[block]) order[written++] = mark;
    stack.push_back(~block);
    if (block < k) {
      for (int32_t i = node_begin_[block]; i <= node_end_[block]; ++i) order[written++] = i;
    } else {
      const Block &phrase = blocks_[block];
      for (int32_t at = phrase.count - 1; at >= 0; --at) stack.push_back(items_[phrase.first + at]);
    }
  }
  return written;
}

}  // namespace wordorder::rules
