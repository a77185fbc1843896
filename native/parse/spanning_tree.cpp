#include "parse/spanning_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace wordorder::parse {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// A square table: at(d, h) is the score of head h for node d; node 0 is the root.
struct Table {
  explicit Table(int32_t size) : size(size), scores(static_cast<size_t>(size) * size, none) {}
  double &at(int32_t d, int32_t h) { return scores[static_cast<size_t>(d) * size + h]; }
  double at(int32_t d, int32_t h) const { return scores[static_cast<size_t>(d) * size + h]; }
  int32_t size;
  std::vector<double> scores;
};

std::vector<int32_t> best_heads(const Table &table) {
  std::vector<int32_t> heads(table.size, 0);
  for (int32_t d = 1; d < table.size; ++d) {
    for (int32_t h = 0; h < table.size; ++h) {
      if (h != d && table.at(d, h) > table.at(d, heads[d])) heads[d] = h;
    }
  }
  return heads;
}

// The nodes of one cycle; empty if there is none.
std::vector<int32_t> find_cycle(const std::vector<int32_t> &heads) {
  const auto size = static_cast<int32_t>(heads.size());
  std::vector<int32_t> seen(size, 0);
  for (int32_t start = 1; start < size; ++start) {
    int32_t node = start;
    while (node && !seen[node]) {
      seen[node] = start;
      node = heads[node];
    }
    if (!node || seen[node] != start) continue;
    std::vector<int32_t> cycle{node};
    for (int32_t next = heads[node]; next != node; next = heads[next]) cycle.push_back(next);
    return cycle;
  }
  return {};
}

// Cycles are contracted to one node each until the best heads form a tree, which is then expanded again.
std::vector<int32_t> spanning_tree(const Table &table) {
  std::vector<int32_t> heads = best_heads(table);
  const std::vector<int32_t> cycle = find_cycle(heads);
  if (cycle.empty()) return heads;
  std::vector<char> inside(table.size, 0);
  for (const int32_t node : cycle) inside[node] = 1;
  std::vector<int32_t> outside;
  for (int32_t node = 0; node < table.size; ++node) {
    if (!inside[node]) outside.push_back(node);
  }
  const auto whole = static_cast<int32_t>(outside.size());  // the node that stands for the cycle
  Table smaller(whole + 1);
  std::vector<int32_t> enter(whole, 0), leave(whole, 0);
  for (int32_t v = 0; v < whole; ++v) {
    for (int32_t w = 0; w < whole; ++w) smaller.at(v, w) = table.at(outside[v], outside[w]);
    enter[v] = leave[v] = cycle.front();
    for (const int32_t node : cycle) {
      // Entering the cycle at a node replaces the node's head in the cycle.
      const double gain = table.at(node, outside[v]) - table.at(node, heads[node]);
      if (gain > smaller.at(whole, v)) smaller.at(whole, v) = gain, enter[v] = node;
      const double score = table.at(outside[v], node);
      if (score > smaller.at(v, whole)) smaller.at(v, whole) = score, leave[v] = node;
    }
  }
  const std::vector<int32_t> found = spanning_tree(smaller);
  for (int32_t v = 1; v < whole; ++v) heads[outside[v]] = found[v] == whole ? leave[v] : outside[found[v]];
  heads[enter[found[whole]]] = outside[found[whole]];
  return heads;
}

double score_of(const ArcScores &arcs, const std::vector<int32_t> &heads) {
  double sum = 0;
  for (int32_t d = 0; d < arcs.words; ++d) sum += arcs.scores[static_cast<size_t>(d) * (arcs.words + 1) + heads[d]];
  return sum;
}

bool is_tree(const std::vector<int32_t> &heads) {
  const auto n = static_cast<int32_t>(heads.size());
  if (std::count(heads.begin(), heads.end(), 0) != 1) return false;
  std::vector<int32_t> with_root(n + 1, 0);
  std::copy(heads.begin(), heads.end(), with_root.begin() + 1);
  return find_cycle(with_root).empty();
}

// What is left of the trees after some of them were taken out: heads of the first `fixed` words are given, and further
// heads are forbidden for the next one.
struct Rest {
  ScoredTree best;
  int32_t fixed;
  std::vector<int32_t> forbidden;
  bool operator<(const Rest &other) const { return best.score < other.best.score; }
};

}  // namespace

ScoredTree best_tree(const ArcScores &arcs) {
  const int32_t n = arcs.words;
  double least = std::numeric_limits<double>::infinity(), greatest = none;
  Table table(n + 1);
  for (int32_t d = 1; d <= n; ++d) {
    for (int32_t h = 0; h <= n; ++h) {
      const double score = arcs.scores[static_cast<size_t>(d - 1) * (n + 1) + h];
      if (h == d || score == none) continue;
      table.at(d, h) = score;
      least = std::min(least, score), greatest = std::max(greatest, score);
    }
  }
  if (!(greatest > none)) return {none, {}};
  const double penalty = (greatest - least) * n + 1;
  for (int32_t d = 1; d <= n; ++d) table.at(d, 0) -= penalty;
  std::vector<int32_t> heads = spanning_tree(table);
  heads.erase(heads.begin());
  if (!is_tree(heads)) return {none, {}};
  const double score = score_of(arcs, heads);
  return score > none ? ScoredTree{score, std::move(heads)} : ScoredTree{none, {}};
}

std::vector<ScoredTree> best_trees(const ArcScores &arcs, int32_t k) {
  const int32_t n = arcs.words;
  const auto solve = [&](const std::vector<int32_t> &given, int32_t fixed, const std::vector<int32_t> &forbidden) {
    std::vector<double> scores(arcs.scores, arcs.scores + static_cast<size_t>(n) * (n + 1));
    for (int32_t d = 0; d < fixed; ++d) {
      for (int32_t h = 0; h <= n; ++h) {
        if (h != given[d]) scores[static_cast<size_t>(d) * (n + 1) + h] = none;
      }
    }
    for (const int32_t h : forbidden) scores[static_cast<size_t>(fixed) * (n + 1) + h] = none;
    return best_tree({scores.data(), n});
  };
  std::vector<ScoredTree> out;
  std::priority_queue<Rest> rests;
  ScoredTree first = best_tree(arcs);
  if (first.heads.empty()) return out;
  rests.push({std::move(first), 0, {}});
  while (!rests.empty() && static_cast<int32_t>(out.size()) < k) {
    const Rest rest = rests.top();
    rests.pop();
    out.push_back(rest.best);
    if (static_cast<int32_t>(out.size()) == k) break;
    for (int32_t d = rest.fixed; d < n; ++d) {
      std::vector<int32_t> forbidden = d == rest.fixed ? rest.forbidden : std::vector<int32_t>{};
      forbidden.push_back(rest.best.heads[d]);
      ScoredTree found = solve(rest.best.heads, d, forbidden);
      if (!found.heads.empty()) rests.push({std::move(found), d, std::move(forbidden)});
    }
  }
  return out;
}

}  // namespace wordorder::parse
