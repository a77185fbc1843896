#include "grammar/best_derivations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/lanes.h"

namespace wordorder::grammar {

namespace {

constexpr double log_two = 0.69314718055994530942;

// What a chart's state number means: its group or joiner, and the lane in it.
struct StateInfo {
  const ChartRules::Group *group;
  const ChartRules::Joiner *joiner;
  int32_t lane;
  int32_t op, state;
};

StateInfo state_info(const ChartRules &r, int32_t s) {
  for (const ChartRules::Group &group : r.groups) {
    if (s < group.state || s >= group.state + group.width) continue;
    const int32_t lane = s - group.state;
    for (auto m = group.members.rbegin(); m != group.members.rend(); ++m) {
      if (lane >= m->first_lane) return {&group, nullptr, lane, m->op, lane - m->first_lane};
    }
  }
  for (const ChartRules::Joiner &joiner : r.joiners) {
    if (s >= joiner.state && s < joiner.state + joiner.width) {
      return {nullptr, &joiner, s - joiner.state, joiner.op, s - joiner.state};
    }
  }
  return {nullptr, nullptr, 0, -2, 0};
}

}  // namespace

std::vector<int32_t> order_of(const Grammar &grammar, const Derivation &tree) {
  std::vector<int32_t> out;
  size_t at = 0;
  // Recursion over a preorder list: each call reads one subtree and returns its order.
  const auto read = [&](const auto &self) -> std::vector<int32_t> {
    const TreeNode node = tree[at++];
    std::vector<int32_t> found;
    if (node.op == -1) {
      for (int32_t i = node.begin; i < node.end; ++i) found.push_back(i);
      return found;
    }
    const int32_t arity = node.op < 0 ? 1 : grammar.operators[node.op].arity;
    std::vector<std::vector<int32_t>> placed(arity);
    for (int32_t k = 0; k < arity; ++k) placed[node.op < 0 ? k : grammar.operators[node.op].places[k]] = self(self);
    for (const auto &part : placed) found.insert(found.end(), part.begin(), part.end());
    return found;
  };
  if (!tree.empty()) out = read(read);
  return out;
}

// ----- best derivations

// An item is a slot of a span, or a result (dotted item or state) of a span; `number` is that of the slot, or
// of the result's lane in a row, or past all rows that of a joiner's state. The root is an item of its own.
struct BestDerivations::Search {
  struct Key {
    int32_t i, j, number;
    bool slot;
    uint64_t hash() const {
      return ((static_cast<uint64_t>(i) * 100003 + j) * 100003 + number) * 2 + slot;
    }
  };
  struct Way {
    double score;       // of the whole, logarithm
    double own;         // without the parts
    int32_t edge;       // leaf: -1; state number of a slot or the root; split point of a result
    int32_t rank[2];
    bool operator<(const Way &other) const { return score < other.score; }
  };
  struct Item {
    std::vector<Way> found, heap;
  };

  explicit Search(Chart &chart) : c(chart), r(chart.r) {
    for (int32_t s = 0; s < r.states; ++s) info.push_back(state_info(r, s));
    for (const Phrase &phrase : c.phrases) phrase_at[c.span(phrase.begin, phrase.end)] = phrase.word;
    price = c.glued && r.glue_state >= 0 ? glue_price : 0;
  }

  static double log_of(double value) { return value > 0 ? std::log(value) : -std::numeric_limits<double>::infinity(); }
  double scaled(float value, int32_t i, int32_t j) { return log_of(value) + c.exponent(i, j) * log_two; }

  // The best score of an item, as the chart has it.
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
    const StateInfo &at = info[s];
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
    return item.found[rank].score;
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
    const auto made = items.try_emplace(key.hash());
    Item &item = made.first->second;
    if (made.second) fill(item, key, false);
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
      const StateInfo &at = info[key.number - r.row];
      const int32_t word = c.words[at.joiner->word_first ? i : j - 1];
      const Operator &op = r.grammar().operators[at.op];
      offer(item, key, root, {0, log_of(r.grammar().word(word)[op.slot(op.unaligned) + at.state]), i + 1, {0, 0}});
    } else {
      for (int32_t k = i + 1; k < j; ++k) offer(item, key, root, {0, 0, k, {0, 0}});
    }
    std::make_heap(item.heap.begin(), item.heap.end());
  }

  // Finds the ways of an item up to a rank; false if it has fewer.
  bool reach(const Key &key, Item &item, int32_t rank, bool root = false) {
    while (static_cast<int32_t>(item.found.size()) <= rank) {
      if (item.heap.empty()) return false;
      std::pop_heap(item.heap.begin(), item.heap.end());
      const Way way = item.heap.back();
      item.heap.pop_back();
      item.found.push_back(way);
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
    const Way way = item.found[rank];
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
  std::vector<StateInfo> info;
  std::unordered_map<int64_t, int32_t> phrase_at;
  std::unordered_map<uint64_t, Item> items;  // references to values stay good
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
  log_probability = s.top.found[s.next].score;
  s.write(root, s.next, true, tree);
  ++s.next;
  return true;
}

// ----- random derivations

void Sampler::draw(Derivation &tree) {
  tree.clear();
  const int32_t n = c_.n;
  if (n == 1) {
    tree.push_back({-1, 0, 1, 0});
    return;
  }
  const ChartRules &r = c_.r;
  const float *top = c_.states(0, n);
  const float price = c_.glued && r.glue_state >= 0 ? glue_price : 0;
  double left = uniform() * c_.z;
  int32_t last = -1;
  for (int32_t s = 0; s < r.states; ++s) {
    const double p = (static_cast<double>(r.root[s]) + (s == r.glue_state ? price : 0)) * top[s];
    if (p <= 0) continue;
    last = s;
    if ((left -= p) < 0) break;
  }
  if (left >= 0 && c_.whole_root > 0) {
    tree.push_back({-1, 0, n, 0});
  } else {
    state(0, n, last, tree);
  }
}

void Sampler::slot(int32_t i, int32_t j, int32_t t, Derivation &tree) {
  if (j - i == 1) {
    tree.push_back({-1, i, j, 0});
    return;
  }
  const ChartRules &r = c_.r;
  const float *states = c_.states(i, j), *rule = &r.down[static_cast<size_t>(t) * r.states];
  float left = static_cast<float>(uniform()) * c_.slots(i, j)[t];
  int32_t last = -1;
  for (int32_t s = 0; s < r.states; ++s) {
    const float p = rule[s] * states[s];
    if (p <= 0) continue;
    last = s;
    if ((left -= p) < 0) break;
  }
  // What is left over is the phrase's share or, where there is none, glue or rounding.
  const bool phrase = std::any_of(c_.phrases.begin(), c_.phrases.end(),
                                  [&](const Phrase &p) { return p.begin == i && p.end == j; });
  if (left >= 0 && phrase) {
    tree.push_back({-1, i, j, 0});
    return;
  }
  if (last < 0 || (left >= 0 && c_.glued)) {
    last = static_cast<int32_t>(std::max_element(states, states + r.states) - states);
  }
  state(i, j, last, tree);
}

void Sampler::state(int32_t i, int32_t j, int32_t s, Derivation &tree) {
  const StateInfo at = state_info(c_.r, s);
  if (!at.group && !at.joiner) {  // no derivation, and no operator to glue with: the words stay as they are
    tree.push_back({-1, i, j, 0});
    return;
  }
  tree.push_back({at.op, i, j, at.state});
  if (at.joiner) {
    const ChartRules::Joiner &join = *at.joiner;
    if (join.word_first) {
      tree.push_back({-1, i, i + 1, 0});
      slot(i + 1, j, join.slot + at.lane, tree);
    } else {
      slot(i, j - 1, join.slot + at.lane, tree);
      tree.push_back({-1, j - 1, j, 0});
    }
    return;
  }
  const ChartRules::Group &g = *at.group;
  // Cuts from the last to the first: result (i, j) is dotted item (i, k) and slot (k, j).
  int32_t cuts[largest_arity + 1];
  cuts[g.arity] = j;
  cuts[0] = i;
  for (int32_t sub = g.arity - 2; sub >= 0; --sub) {
    const int32_t lane = g.pack + sub * g.width + at.lane, end = cuts[sub + 2];
    double total = 0;
    for (int32_t k = i + 1; k < end; ++k) {
      total += static_cast<double>(c_.left(i, k)[lane]) * c_.right(k, end)[lane] * c_.factor(i, k, end);
    }
    double left = uniform() * total;
    int32_t chosen = i + 1;
    for (int32_t k = i + 1; k < end; ++k) {
      const double p = static_cast<double>(c_.left(i, k)[lane]) * c_.right(k, end)[lane] * c_.factor(i, k, end);
      if (p <= 0) continue;
      chosen = k;
      if ((left -= p) < 0) break;
    }
    cuts[sub + 1] = chosen;
  }
  for (int32_t k = 0; k < g.arity; ++k) slot(cuts[k], cuts[k + 1], g.slot + k * g.width + at.lane, tree);
}

// ----- one order

double log_order_probability(const Grammar &g, const std::vector<int32_t> &words, const std::vector<Phrase> &phrases,
                             const std::vector<int32_t> &order) {
  const auto n = static_cast<int32_t>(words.size());
  if (!n) return 0;
  std::vector<int32_t> rank(n);
  for (int32_t k = 0; k < n; ++k) rank[order[k]] = k;
  struct Cell {
    bool block = false;  // the ranks of the span's words are consecutive
    int32_t low = 0;
    double exponent = 0;  // power of two taken out
    std::vector<double> states, slots;
  };
  const int32_t slots = g.slots + 1;
  std::vector<Cell> cells(static_cast<size_t>(n + 1) * (n + 1));
  const auto at = [&](int32_t i, int32_t j) -> Cell & { return cells[static_cast<size_t>(i) * (n + 1) + j]; };
  for (int32_t d = 1; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      Cell &cell = at(i, j);
      const auto [low, high] = std::minmax_element(rank.begin() + i, rank.begin() + j);
      cell.low = *low;
      cell.block = *high - *low == d - 1;
      if (!cell.block) continue;
      cell.states.assign(g.states, 0);
      cell.slots.assign(slots, 0);
      double most = -std::numeric_limits<double>::infinity();
      const auto scale_to = [&](double exponent) {  // the factor for a term of this exponent
        if (exponent > most) {
          const double by = std::exp2(most - exponent);
          for (double &value : cell.states) value *= by;
          for (double &value : cell.slots) value *= by;
          most = exponent;
        }
        return std::exp2(exponent - most);
      };
      int32_t cuts[largest_arity + 1] = {i};
      const auto place = [&](int32_t arity) {
        cuts[arity] = j;
        double exponent = 0;
        int32_t places[largest_arity];
        for (int32_t k = 0; k < arity; ++k) {
          exponent += at(cuts[k], cuts[k + 1]).exponent;
          places[k] = 0;
          for (int32_t other = 0; other < arity; ++other) {
            places[k] += at(cuts[other], cuts[other + 1]).low < at(cuts[k], cuts[k + 1]).low;
          }
        }
        for (const Operator &op : g.operators) {
          if (op.arity != arity || !std::equal(places, places + arity, op.places)) continue;
          if (op.unaligned >= 0 && cuts[op.unaligned + 1] - cuts[op.unaligned] != 1) continue;
          const double by = scale_to(exponent);
          for (int32_t a = 0; a < op.states; ++a) {
            double p = by;
            for (int32_t k = 0; k < arity; ++k) {
              // An unaligned child is a word; of a single word that is all there is.
              p *= at(cuts[k], cuts[k + 1]).slots[op.slot(k) + a];
            }
            cell.states[op.first_state + a] += p;
          }
        }
      };
      // A span cut in two blocks is cut so in every tree; any other has one operator over its largest blocks.
      bool binary = false;
      for (int32_t k = i + 1; k < j; ++k) {
        if (!at(i, k).block || !at(k, j).block) continue;
        binary = true;
        cuts[1] = k;
        place(2);
      }
      int32_t arity = 0;
      for (int32_t from = i; d > 1 && !binary && from < j && arity < largest_arity; ++arity) {
        int32_t k = from == i ? j - 1 : j;
        while (!at(from, k).block) --k;
        cuts[arity + 1] = from = k;
      }
      if (arity && cuts[arity] == j) place(arity);
      const bool in_order = std::is_sorted(rank.begin() + i, rank.begin() + j);
      const auto add_word = [&](int32_t w) {
        const double by = scale_to(0);
        for (int32_t t = 0; t < slots; ++t) cell.slots[t] += by * g.word(w)[t];
      };
      if (d == 1) add_word(words[i]);
      for (const Phrase &phrase : phrases) {
        if (phrase.begin == i && phrase.end == j && in_order) add_word(phrase.word);
      }
      for (int32_t t = 0; t < slots; ++t) {
        const float *rule = g.rule(t);
        for (int32_t s = 0; s < g.states; ++s) cell.slots[t] += rule[s] * cell.states[s];
      }
      const double top = *std::max_element(cell.slots.begin(), cell.slots.end());
      if (!(top > 0)) continue;
      const int shift = std::ilogb(top);
      for (double &value : cell.slots) value = std::ldexp(value, -shift);
      cell.exponent = most + shift;
    }
  }
  const Cell &whole = at(0, n);
  const double p = whole.slots[g.slots];
  return p > 0 ? std::log(p) + whole.exponent * log_two : -std::numeric_limits<double>::infinity();
}

}  // namespace wordorder::grammar
