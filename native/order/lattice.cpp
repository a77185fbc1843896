#include "order/lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace wordorder::order {

namespace {

constexpr double unit = 1e6;  // weights are compared in millionths, since they are computed with rounding errors

struct Out {
  int32_t label, target;
  double log_prob;  // until the state is finished, that of all orders through this arc; then given the state

  int64_t weight() const { return std::llround(log_prob * unit); }
  bool operator==(const Out &other) const {
    return label == other.label && target == other.target && weight() == other.weight();
  }
};

// Makes the weights of a state's arcs add up to 1, and returns the logarithm of their sum.
double normalise(std::vector<Out> &arcs) {
  double most = arcs[0].log_prob;
  for (const Out &arc : arcs) most = std::max(most, arc.log_prob);
  double sum = 0;
  for (const Out &arc : arcs) sum += std::exp(arc.log_prob - most);
  const double total = most + std::log(sum);
  for (Out &arc : arcs) arc.log_prob -= total;
  return total;
}

// Finished states, indexed by their arcs. State 0 is the final one.
class Register {
 public:
  Register() { begins_ = {0, 0}; }

  // The state with these arcs, which is added if there is none.
  int32_t find(const std::vector<Out> &arcs) {
    uint64_t key = 0x9e3779b97f4a7c15u;
    for (const Out &arc : arcs) {
      key = (key ^ static_cast<uint32_t>(arc.label)) * 0xff51afd7ed558ccdu;
      key = (key ^ (key >> 29) ^ static_cast<uint32_t>(arc.target)) * 0xc4ceb9fe1a85ec53u;
      key = (key ^ (key >> 31) ^ static_cast<uint64_t>(arc.weight())) * 0x9fb21c651e98df25u;
    }
    const auto [low, high] = by_key_.equal_range(key);
    for (auto entry = low; entry != high; ++entry) {
      const Out *known = begin(entry->second), *end = begin(entry->second + 1);
      if (end - known == static_cast<int64_t>(arcs.size()) && std::equal(known, end, arcs.data())) return entry->second;
    }
    const int32_t state = static_cast<int32_t>(begins_.size()) - 1;
    arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
    begins_.push_back(static_cast<int64_t>(arcs_.size()));
    by_key_.emplace(key, state);
    return state;
  }

  const Out *begin(int32_t state) const { return arcs_.data() + begins_[state]; }
  int32_t states() const { return static_cast<int32_t>(begins_.size()) - 1; }

 private:
  std::vector<Out> arcs_;
  std::vector<int64_t> begins_;
  std::unordered_multimap<uint64_t, int32_t> by_key_;
};

// The arcs with new numbers of their states, sorted by state again.
WeightedArcs renumbered(const WeightedArcs &old, const std::vector<int32_t> &number) {
  std::vector<size_t> rows(old.arcs.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](size_t a, size_t b) { return number[old.arcs[a].from] < number[old.arcs[b].from]; });
  WeightedArcs out;
  for (const size_t r : rows) {
    const LatticeArc &arc = old.arcs[r];
    out.arcs.push_back({number[arc.from], number[arc.to], arc.label});
    out.log_probs.push_back(old.log_probs[r]);
  }
  return out;
}

}  // namespace

WeightedArcs minimal_lattice(const int32_t *orders, int64_t size, int32_t n, const double *log_probs) {
  if (!size || !n) return {};
  std::vector<int64_t> rows(size);
  std::iota(rows.begin(), rows.end(), int64_t{0});
  std::stable_sort(rows.begin(), rows.end(), [&](int64_t a, int64_t b) {
    return std::lexicographical_compare(orders + a * n, orders + (a + 1) * n, orders + b * n, orders + (b + 1) * n);
  });

  Register known;
  std::vector<std::vector<Out>> path(n + 1);  // the states of the current order; the last arc of each is open
  const auto finish = [&](int32_t depth) {    // finishes all states below this depth
    for (int32_t d = n; d > depth; --d) {
      Out &open = path[d - 1].back();
      if (d < n && log_probs) open.log_prob = normalise(path[d]);
      open.target = d == n ? 0 : known.find(path[d]);
      path[d].clear();
    }
  };
  const int32_t *last = nullptr;
  for (const int64_t r : rows) {
    const int32_t *row = orders + r * n;
    int32_t shared = 0;
    if (last) {
      while (shared < n && row[shared] == last[shared]) ++shared;
      if (shared == n) continue;  // the same order again
      finish(shared);
    }
    for (int32_t d = shared; d < n; ++d) path[d].push_back({row[d], -1, log_probs ? log_probs[r] : 0});
    last = row;
  }
  finish(0);
  const int32_t root = known.find(path[0]);

  // Number the states breadth first. All paths have the same length, so arcs lead to larger numbers.
  WeightedArcs out;
  std::vector<int32_t> number(known.states(), -1), queue = {root};
  number[root] = 0;
  for (size_t at = 0; at < queue.size(); ++at) {
    const int32_t state = queue[at];
    for (const Out *arc = known.begin(state); arc != known.begin(state + 1); ++arc) {
      int32_t &to = number[arc->target];
      if (to < 0) {
        to = static_cast<int32_t>(queue.size());
        queue.push_back(arc->target);
      }
      out.arcs.push_back({number[state], to, arc->label});
      out.log_probs.push_back(arc->log_prob);
    }
  }
  return renumbered(out, short_jump_numbers(out.arcs));
}

std::vector<double> lattice_gains(const std::vector<LatticeArc> &arcs, const double *table, int32_t n) {
  std::vector<double> gains(arcs.size());
  if (arcs.empty()) return gains;
  const int32_t states = arcs.back().to + 1;
  std::vector<uint8_t> read(static_cast<size_t>(states) * n, 0);  // by state, the words read so far
  for (size_t a = 0; a < arcs.size(); ++a) {
    const LatticeArc &arc = arcs[a];
    const uint8_t *before = read.data() + static_cast<size_t>(arc.from) * n;
    uint8_t *after = read.data() + static_cast<size_t>(arc.to) * n;
    const double *row = table + static_cast<size_t>(arc.label) * n;
    double sum = 0;
    for (int32_t u = 0; u < n; ++u) {
      if (!before[u] && u != arc.label) sum += row[u];
      after[u] = before[u] || u == arc.label;
    }
    gains[a] = sum;
  }
  return gains;
}

}  // namespace wordorder::order
