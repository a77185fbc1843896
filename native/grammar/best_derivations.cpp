#include "grammar/best_derivations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wordorder::grammar {

// An item is a slot or a result (partial item or state) of a span. `number` is the number of the slot, the lane of the
// result in a row, or, past all rows, the number of a joiner's state. The root is a separate item.
struct BestDerivations::Search {
  struct Key {
    int32_t i, j, number;
    bool slot;
    bool operator==(const Key &o) const { return i == o.i && j == o.j && number == o.number && slot == o.slot; }
  };
  struct Hash {
    size_t operator()(const Key &k) const {
      return ((static_cast<size_t>(k.i) * 100003 + k.j) * 100003 + k.number) * 2 + k.slot;
    }
  };
  struct Way {
    double score;  // log-probability of the whole
    double own;    // log-probability without the parts
    int32_t edge;  // -1 for a leaf, the state number for a slot or the root, the split point for a result
    int32_t rank[2];
    bool operator<(const Way &other) const { return score < other.score; }
  };
  struct Item {
    std::vector<Way> ways, heap;  // ways in order of score, and candidates for the next one
  };

  explicit Search(Chart &chart) : c(chart), r(chart.rules) {
    for (int32_t s = 0; s < r.states; ++s) info.push_back(r.describe(s));
    for (const Phrase &phrase : c.phrases) phrase_at[c.span(phrase.begin, phrase.end)] = phrase.word;
    price = c.glue_price();
  }

  static double log_of(double value) { return value > 0 ? std::log(value) : -std::numeric_limits<double>::infinity(); }
  double scaled(float value, int32_t i, int32_t j) { return log_of(value) + c.exponent(i, j) * log_two; }

  // The best score of an item, from the chart.
  double best(const Key &key) {
    if (key.slot) return scaled(c.slots(key.i, key.j)[key.number], key.i, key.j);
    if (key.number >= r.row) return scaled(c.states(key.i, key.j)[key.number - r.row], key.i, key.j);
    for (const ChartRules::Group &g : r.groups) {
      const int32_t past = key.number - g.pack;
      if (past < 0 || past >= (g.arity - 1) * g.width) continue;
      const int32_t sub = past / g.width, lane = past % g.width;
      if (sub == g.arity - 2) return scaled(c.states(key.i, key.j)[g.state + lane], key.i, key.j);
      return scaled(c.left(key.i, key.j)[g.pack + (sub + 1) * g.width + lane], key.i, key.j);
    }
    return -std::numeric_limits<double>::infinity();
  }

  Key of_state(int32_t i, int32_t j, int32_t s) const {
    const ChartRules::State &at = info[s];
    if (at.joiner) return {i, j, r.row + s, false};
    return {i, j, at.group->pack + (at.group->arity - 2) * at.group->width + at.lane, false};
  }

  // The parts of a way: none, one or two items.
  int parts(const Key &key, bool root, int32_t edge, Key out[2]) const {
    if (edge == -1) return 0;
    if (root || key.slot) {
      out[0] = of_state(key.i, key.j, edge);
      return 1;
    }
    if (key.number >= r.row) {
      const ChartRules::Joiner &joiner = *info[key.number - r.row].joiner;
      const int32_t lane = info[key.number - r.row].lane;
      out[0] = {joiner.word_first ? key.i + 1 : key.i, joiner.word_first ? key.j : key.j - 1, joiner.slot + lane, true};
      return 1;
    }
    for (const ChartRules::Group &g : r.groups) {
      const int32_t past = key.number - g.pack;
      if (past < 0 || past >= (g.arity - 1) * g.width) continue;
      const int32_t sub = past / g.width, lane = past % g.width;
      out[0] = sub == 0 ? Key{key.i, edge, g.slot + lane, true} : Key{key.i, edge, key.number - g.width, false};
      out[1] = {edge, key.j, g.slot + (sub + 1) * g.width + lane, true};
      return 2;
    }
    return 0;
  }

  double rank_score(const Key &key, int32_t rank) {
    if (rank == 0) return best(key);
    Item &item = get(key);
    if (!reach(key, item, rank)) return -std::numeric_limits<double>::infinity();
    return item.ways[rank].score;
  }

  void offer(Item &item, const Key &key, bool root, Way way) {
    Key part[2];
    const int count = parts(key, root, way.edge, part);
    way.score = way.own;
    for (int p = 0; p < count; ++p) way.score += rank_score(part[p], way.rank[p]);
    if (!(way.score > -std::numeric_limits<double>::infinity())) return;
    item.heap.push_back(way);
  }

  Item &get(const Key &key) {
    const auto [at, is_new] = items.try_emplace(key);
    Item &item = at->second;
    if (is_new) fill(item, key, false);
    return item;
  }

  void fill(Item &item, const Key &key, bool root) {
    const int32_t i = key.i, j = key.j;
    if (root || key.slot) {
      const int32_t slot = root ? r.grammar().slots : r.plain_slot()[key.number];
      int32_t word = j - i == 1 ? c.words[i] : -1;
      const auto phrase = phrase_at.find(c.span(i, j));
      if (phrase != phrase_at.end()) word = phrase->second;
      if (word >= 0) offer(item, key, root, {0, log_of(r.grammar().word(word)[slot]), -1, {0, 0}});
      const bool glue = price > 0 && !root && (key.number == r.glue_slot[0] || key.number == r.glue_slot[1]);
      if (glue && j - i == 1) offer(item, key, root, {0, log_of(price) + c.exponent(i, j) * log_two, -1, {0, 0}});
      if (j - i > 1) {
        const float *states = c.states(i, j);
        const auto top = static_cast<int32_t>(std::max_element(states, states + r.states) - states);
        for (int32_t s = 0; s < r.states; ++s) {
          if (r.plain_state()[s] < 0) continue;
          double weight = root ? r.root[s] : r.down[static_cast<size_t>(key.number) * r.states + s];
          if (root && s == r.glue_state) weight += price;
          if (glue && s == top) weight += price;
          offer(item, key, root, {0, log_of(weight), s, {0, 0}});
        }
      }
    } else if (key.number >= r.row) {
      const ChartRules::State &at = info[key.number - r.row];
      const int32_t word = c.words[at.joiner->word_first ? i : j - 1];
      const Operator &op = r.grammar().operators[at.op];
      offer(item, key, root, {0, log_of(r.grammar().word(word)[op.slot(op.unaligned) + at.state]), i + 1, {0, 0}});
    } else {
      for (int32_t k = i + 1; k < j; ++k) offer(item, key, root, {0, 0, k, {0, 0}});
    }
    std::make_heap(item.heap.begin(), item.heap.end());
  }

  // Finds the ways of an item up to a rank; returns false if it has fewer.
  bool reach(const Key &key, Item &item, int32_t rank, bool root = false) {
    while (static_cast<int32_t>(item.ways.size()) <= rank) {
      if (item.heap.empty()) return false;
      std::pop_heap(item.heap.begin(), item.heap.end());
      const Way way = item.heap.back();
      item.heap.pop_back();
      item.ways.push_back(way);
      Key part[2];
      const int count = parts(key, root, way.edge, part);
      const size_t before = item.heap.size();
      if (count > 0) offer(item, key, root, {0, way.own, way.edge, {way.rank[0] + 1, way.rank[1]}});
      if (count > 1 && way.rank[0] == 0) offer(item, key, root, {0, way.own, way.edge, {0, way.rank[1] + 1}});
      for (size_t size = before + 1; size <= item.heap.size(); ++size) {
        std::push_heap(item.heap.begin(), item.heap.begin() + static_cast<int64_t>(size));
      }
    }
    return true;
  }

  void write(const Key &key, int32_t rank, bool root, Derivation &tree) {
    Item &item = root ? top : get(key);
    if (!reach(key, item, rank, root)) return;
    const Way way = item.ways[rank];
    Key part[2];
    const int count = parts(key, root, way.edge, part);
    if (way.edge == -1) {
      tree.push_back({-1, key.i, key.j, 0});
      return;
    }
    if (root || key.slot) {
      tree.push_back({info[way.edge].op, key.i, key.j, info[way.edge].state});
    } else if (key.number >= r.row && info[key.number - r.row].joiner->word_first) {
      tree.push_back({-1, key.i, key.i + 1, 0});
    }
    for (int p = 0; p < count; ++p) write(part[p], way.rank[p], false, tree);
    if (!root && !key.slot && key.number >= r.row && !info[key.number - r.row].joiner->word_first) {
      tree.push_back({-1, key.j - 1, key.j, 0});
    }
  }

  Chart &c;
  const ChartRules &r;
  std::vector<ChartRules::State> info;
  std::unordered_map<int64_t, int32_t> phrase_at;
  std::unordered_map<Key, Item, Hash> items;  // references to values remain valid
  Item top;
  float price = 0;
  int32_t next = 0;
  bool started = false;
};

BestDerivations::BestDerivations(Chart &chart) : search_(std::make_unique<Search>(chart)) {}
BestDerivations::~BestDerivations() = default;

bool BestDerivations::next(Derivation &tree, double &log_probability) {
  Search &s = *search_;
  const Search::Key root{0, s.c.n, 0, false};
  tree.clear();
  if (!s.started) {
    s.fill(s.top, root, true);
    s.started = true;
  }
  if (!s.reach(root, s.top, s.next, true)) return false;
  log_probability = s.top.ways[s.next].score;
  s.write(root, s.next, true, tree);
  ++s.next;
  return true;
}

}  // namespace wordorder::grammar
