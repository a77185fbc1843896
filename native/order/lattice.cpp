#include "order/lattice.h"

#include <algorithm>
#include <unordered_map>

namespace wordorder::order {

namespace {

struct Out {
  int32_t label, target;
  bool operator==(const Out &other) const { return label == other.label && target == other.target; }
};

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

}  // namespace

std::vector<LatticeArc> minimal_lattice(const int32_t *orders, int64_t size, int32_t n) {
  std::vector<LatticeArc> out;
  if (!size || !n) return out;
  std::vector<const int32_t *> rows(size);
  for (int64_t r = 0; r < size; ++r) rows[r] = orders + r * n;
  std::sort(rows.begin(), rows.end(),
            [n](const int32_t *a, const int32_t *b) { return std::lexicographical_compare(a, a + n, b, b + n); });

  Register known;
  std::vector<std::vector<Out>> path(n + 1);  // the states of the current order; the last arc of each is open
  const auto finish = [&](int32_t depth) {    // finishes all states below this depth
    for (int32_t d = n; d > depth; --d) {
      path[d - 1].back().target = d == n ? 0 : known.find(path[d]);
      path[d].clear();
    }
  };
  const int32_t *last = nullptr;
  for (const int32_t *row : rows) {
    int32_t shared = 0;
    if (last) {
      while (shared < n && row[shared] == last[shared]) ++shared;
      if (shared == n) continue;  // the same order again
      finish(shared);
    }
    for (int32_t d = shared; d < n; ++d) path[d].push_back({row[d], -1});
    last = row;
  }
  finish(0);
  const int32_t root = known.find(path[0]);

  // Number the states breadth first. All paths have the same length, so arcs lead to larger numbers.
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
      out.push_back({number[state], to, arc->label});
    }
  }
  return out;
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
