#include "decode/mixed_order.h"

#include <algorithm>
#include <limits>

#include "base/dispatch.h"
#include "decode/mixed_values.h"
#include "decode/narrow_spans.h"

namespace wordorder::decode {

namespace {

constexpr int64_t never = std::numeric_limits<int64_t>::min() / 4;  // three of them can be added
constexpr size_t few = 6, all = std::numeric_limits<size_t>::max();

// The best values of a span, [first][last], for the words that it may begin and end with.
struct Block {
  std::vector<int32_t> firsts, lasts;
  std::vector<int64_t> best;
};

struct Node {
  int64_t value;  // at most
  int32_t cut;
  int op;
};

struct State {
  int64_t value;
  int32_t first, last;
};

template <class Item>
void keep_best(std::vector<Item> &items, size_t count) {
  if (items.size() <= count) return;
  const auto better = [](const Item &a, const Item &b) { return a.value > b.value; };
  std::nth_element(items.begin(), items.begin() + static_cast<int64_t>(count), items.end(), better);
  items.resize(count);
}

// to[c] = max over r of by[r] + rows[r][c]
WO_CLONES void best_of_rows(const int64_t *by, const int64_t *rows, size_t count, size_t size, int64_t *to) {
  std::fill_n(to, size, never);
  for (size_t r = 0; r < count; ++r) {
    const int64_t start = by[r];
    if (start == never) continue;
    const int64_t *const row = rows + r * size;
    for (size_t c = 0; c < size; ++c) {
      const int64_t value = start + row[c];
      to[c] = value > to[c] ? value : to[c];
    }
  }
}

// Dynamic programming over the values of spans by their first and last words. The bounds rule out spans, nodes and
// values that are not part of any order that is good enough.
class MixedSearch {
 public:
  MixedSearch(const MixedValues &values, const MixedBounds &bounds, const NarrowSpans &spans)
      : values_(values), bounds_(bounds), spans_(spans), n_(spans.words()) {}

  // The value of the best order if it is at least `least` and if `width` is `all`. Otherwise each span has only its
  // best nodes and values, so many of them; the result is the value of a good order, or `never` if none is left.
  int64_t run(int64_t least, size_t width) {
    blocks_.assign(spans_.size(), {});
    for (int32_t i = 0; i < n_; ++i) block(i, i + 1) = {{i}, {i}, {0}};
    for (int32_t d = 2; d <= n_; ++d) {
      for (int32_t i = 0; i < spans_.count(d); ++i) {
        if (bounds_.inside(i, i + d) + bounds_.outside(i, i + d) >= least) fill(i, i + d, least, width);
      }
    }
    return top().value;
  }

  // After `run`, an order with the value that it returned.
  std::vector<int32_t> order() {
    const State best = top();
    std::vector<int32_t> out;
    emit(0, n_, best.first, best.last, out);
    return out;
  }

 private:
  Block &block(int32_t i, int32_t j) { return blocks_[spans_.at(i, j)]; }

  State top() {
    State best{never, 0, 0};
    const Block &root = block(0, n_);
    const int64_t *value = root.best.data();
    for (const int32_t first : root.firsts) {
      for (const int32_t last : root.lasts) {
        const int64_t whole = *value++ + values_.step(n_, first) + values_.step(last, n_);
        if (whole > best.value) best = {whole, first, last};
      }
    }
    return best;
  }

  void fill(int32_t i, int32_t j, int64_t least, size_t width) {
    const size_t size = spans_.ends(i, j);
    table_.assign(size * size, never);
    nodes_.clear();
    for (int32_t k = spans_.first_cut(i, j); k < j; ++k) {
      if (block(i, k).best.empty() || block(k, j).best.empty()) continue;
      for (int op = 0; op < spans_.ops(i, j); ++op) {
        const int64_t bound = bounds_.node(i, k, j, op);
        if (bound >= least) nodes_.push_back({bound, k, op});
      }
    }
    keep_best(nodes_, width);
    for (const Node &node : nodes_) {
      const Block &left = block(i, node.cut), &right = block(node.cut, j);
      join(node.op ? right : left, node.op ? left : right, values_.pairs(i, node.cut, j, node.op), i, j);
    }
    keep(i, j, least, width);
  }

  // Adds the ways to read `head`, then `tail`, to the table of the span from i to j.
  void join(const Block &head, const Block &tail, int64_t pairs, int32_t i, int32_t j) {
    const size_t heads = head.lasts.size(), tails = tail.firsts.size(), ends = tail.lasts.size();
    steps_.clear();
    for (const int32_t a : head.lasts) {
      for (const int32_t b : tail.firsts) steps_.push_back(values_.step(a, b) + pairs);
    }
    reached_.resize(tails);
    ended_.resize(ends);
    for (size_t f = 0; f < head.firsts.size(); ++f) {
      best_of_rows(&head.best[f * heads], steps_.data(), heads, tails, reached_.data());
      best_of_rows(reached_.data(), tail.best.data(), tails, ends, ended_.data());
      int64_t *const row = &table_[static_cast<size_t>(head.firsts[f] - i) * spans_.ends(i, j)];
      for (size_t l = 0; l < ends; ++l) {
        int64_t &to = row[tail.lasts[l] - spans_.first_last(i, j)];
        to = std::max(to, ended_[l]);
      }
    }
  }

  // Makes the block of a span of those values in the table that are good enough.
  void keep(int32_t i, int32_t j, int64_t least, size_t width) {
    const int32_t size = spans_.ends(i, j), end = spans_.first_last(i, j);
    const int64_t enough = std::max(width == all ? least - bounds_.outside(i, j) : never, never / 2);
    states_.clear();
    const int64_t *value = table_.data();
    for (int32_t f = 0; f < size; ++f) {
      for (int32_t l = 0; l < size; ++l, ++value) {
        if (*value >= enough) states_.push_back({*value, f, l});
      }
    }
    keep_best(states_, width);
    Block &out = block(i, j);
    rows_.assign(size, 0);
    columns_.assign(size, 0);
    for (const State &state : states_) rows_[state.first] = columns_[state.last] = 1;
    for (int32_t w = 0; w < size; ++w) {
      if (rows_[w]) rows_[w] = static_cast<int32_t>(out.firsts.size()), out.firsts.push_back(i + w);
      if (columns_[w]) columns_[w] = static_cast<int32_t>(out.lasts.size()), out.lasts.push_back(end + w);
    }
    out.best.assign(out.firsts.size() * out.lasts.size(), never);
    for (const State &state : states_)
      out.best[rows_[state.first] * out.lasts.size() + columns_[state.last]] = state.value;
  }

  // The value of a block for a first and a last word, or `never`.
  static int64_t value(const Block &block, int32_t first, int32_t last) {
    const auto f = std::find(block.firsts.begin(), block.firsts.end(), first);
    const auto l = std::find(block.lasts.begin(), block.lasts.end(), last);
    if (f == block.firsts.end() || l == block.lasts.end()) return never;
    return block.best[(f - block.firsts.begin()) * block.lasts.size() + (l - block.lasts.begin())];
  }

  void emit(int32_t i, int32_t j, int32_t first, int32_t last, std::vector<int32_t> &out) {
    if (j - i == 1) {
      out.push_back(i);
      return;
    }
    const int64_t wanted = value(block(i, j), first, last);
    for (int32_t k = spans_.first_cut(i, j); k < j; ++k) {
      const int op = first < k ? 0 : 1;
      if ((last < k) == (op == 0) || op >= spans_.ops(i, j)) continue;
      const int32_t start = op ? k : i, middle = op ? j : k, other = op ? i : k, end = op ? k : j;
      const Block &head = block(start, middle), &tail = block(other, end);
      const int64_t pairs = values_.pairs(i, k, j, op);
      for (const int32_t b : tail.firsts) {
        const int64_t rest = value(tail, b, last) + pairs;
        for (const int32_t a : head.lasts) {
          if (value(head, first, a) + values_.step(a, b) + rest != wanted) continue;
          emit(start, middle, first, a, out);
          emit(other, end, b, last, out);
          return;
        }
      }
    }
  }

  const MixedValues &values_;
  const MixedBounds &bounds_;
  const NarrowSpans &spans_;
  int32_t n_;
  std::vector<Block> blocks_;
  std::vector<int64_t> table_;  // of the span that is being filled, [first][last]
  std::vector<Node> nodes_;
  std::vector<int64_t> steps_, reached_, ended_;
  std::vector<State> states_;
  std::vector<int32_t> rows_, columns_;
};

}  // namespace

std::vector<int32_t> mixed_order(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n,
                                 double share, int32_t widest) {
  if (n < 2) return std::vector<int32_t>(n, 0);
  const MixedValues values(inverted, next, n, share);
  const NarrowSpans spans(n, widest);
  const MixedBounds bounds(values, spans);
  MixedSearch search(values, bounds, spans);
  // A search that keeps few values finds a good order, almost always the best one. That makes the search that leaves
  // nothing out cheap.
  const int64_t attained = bounds.attained(), most = bounds.inside(0, n) + bounds.outside(0, n);
  if (!spans.limited()) {
    search.run(std::max(attained, search.run(attained, few)), all);
  } else {
    // In a long sentence, that search would not be cheap: what is lost against the bound adds up over all words, but
    // the bound of a node should allow only for what is lost around it, here in twice as many words as may move.
    const int64_t lost = (most - attained) / n * std::min(n, 2 * widest);
    if (search.run(most - lost, few) == never) search.run(never, few);
  }
  return search.order();
}

}  // namespace wordorder::decode
