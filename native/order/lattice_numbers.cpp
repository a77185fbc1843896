#include "order/lattice_numbers.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace wordorder::order {

namespace {

constexpr int rounds = 10;  // more do not help

// The states that arcs lead to (or come from) for each state.
using Neighbours = std::vector<std::vector<int32_t>>;

// Breadth first from the last state against the arcs. A state is numbered before all states that lead to it, because
// all paths have the same length.
std::vector<int32_t> numbers_from_the_end(const Neighbours &before) {
  const int32_t states = static_cast<int32_t>(before.size());
  std::vector<int32_t> number(states, -1), queue = {states - 1};
  number[states - 1] = states - 1;
  for (size_t at = 0; at < queue.size(); ++at) {
    const std::vector<int32_t> &into = before[queue[at]];
    for (auto from = into.rbegin(); from != into.rend(); ++from) {
      if (number[*from] >= 0) continue;
      number[*from] = states - 1 - static_cast<int32_t>(queue.size());
      queue.push_back(*from);
    }
  }
  return number;
}

// Numbers every state after those that lead to it, by the middle between the old numbers of its neighbours: between
// the first state that leads to it and the last one that it leads to.
std::vector<int32_t> centred(const std::vector<int32_t> &old, const Neighbours &before, const Neighbours &after) {
  const int32_t states = static_cast<int32_t>(old.size());
  const auto middle = [&](int32_t state) {
    int32_t first = old[state], last = old[state];
    for (const int32_t from : before[state]) first = std::min(first, old[from]);
    for (const int32_t to : after[state]) last = std::max(last, old[to]);
    return first + last;
  };
  using Next = std::pair<int32_t, int32_t>;  // twice the middle, and the state
  std::priority_queue<Next, std::vector<Next>, std::greater<Next>> next;
  std::vector<int32_t> number(states), missing(states);
  for (int32_t state = 0; state < states; ++state) missing[state] = static_cast<int32_t>(before[state].size());
  next.emplace(0, 0);
  for (int32_t place = 0; !next.empty(); ++place) {
    const int32_t state = next.top().second;
    next.pop();
    number[state] = place;
    for (const int32_t to : after[state]) {
      if (!--missing[to]) next.emplace(middle(to), to);
    }
  }
  return number;
}

}  // namespace

int32_t largest_jump(const std::vector<LatticeArc> &arcs, const std::vector<int32_t> &number) {
  int32_t jump = 0;
  for (const LatticeArc &arc : arcs) jump = std::max(jump, number[arc.to] - number[arc.from]);
  return jump;
}

std::vector<int32_t> short_jump_numbers(const std::vector<LatticeArc> &arcs) {
  if (arcs.empty()) return {0};
  const int32_t states = arcs.back().to + 1;
  Neighbours before(states), after(states);
  for (const LatticeArc &arc : arcs) {
    before[arc.to].push_back(arc.from);
    after[arc.from].push_back(arc.to);
  }
  std::vector<int32_t> best(states);
  std::iota(best.begin(), best.end(), 0);
  int32_t shortest = largest_jump(arcs, best);
  const auto keep_if_shorter = [&](const std::vector<int32_t> &number) {
    const int32_t jump = largest_jump(arcs, number);
    if (jump >= shortest) return;
    best = number;
    shortest = jump;
  };
  for (std::vector<int32_t> number : {best, numbers_from_the_end(before)}) {
    keep_if_shorter(number);
    for (int round = 0; round < rounds && shortest > 1; ++round) {
      number = centred(number, before, after);
      keep_if_shorter(number);
    }
  }
  return best;
}

}  // namespace wordorder::order
