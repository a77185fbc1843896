#include "grammar/sampler.h"

#include <algorithm>

namespace wordorder::grammar {

void Sampler::draw(Derivation &tree) {
  tree.clear();
  const int32_t n = chart_.n;
  if (n == 1) {
    tree.push_back({-1, 0, 1, 0});
    return;
  }
  const ChartRules &r = chart_.rules;
  const float *top = chart_.states(0, n);
  const float price = chart_.glue_price();
  double left = uniform() * chart_.z;
  int32_t last = -1;
  for (int32_t s = 0; s < r.states; ++s) {
    const double p = (static_cast<double>(r.root[s]) + (s == r.glue_state ? price : 0)) * top[s];
    if (p <= 0) continue;
    last = s;
    if ((left -= p) < 0) break;
  }
  if (left >= 0 && chart_.whole_root > 0) {
    tree.push_back({-1, 0, n, 0});
  } else {
    draw_state(0, n, last, tree);
  }
}

void Sampler::draw_slot(int32_t i, int32_t j, int32_t t, Derivation &tree) {
  if (j - i == 1) {
    tree.push_back({-1, i, j, 0});
    return;
  }
  const ChartRules &r = chart_.rules;
  const float *states = chart_.states(i, j), *rule = &r.down[static_cast<size_t>(t) * r.states];
  float left = static_cast<float>(uniform()) * chart_.slots(i, j)[t];
  int32_t last = -1;
  for (int32_t s = 0; s < r.states; ++s) {
    const float p = rule[s] * states[s];
    if (p <= 0) continue;
    last = s;
    if ((left -= p) < 0) break;
  }
  // Any remaining probability belongs to the phrase or, if there is none, to glue or rounding.
  const bool phrase = std::any_of(chart_.phrases.begin(), chart_.phrases.end(),
                                  [&](const Phrase &p) { return p.begin == i && p.end == j; });
  if (left >= 0 && phrase) {
    tree.push_back({-1, i, j, 0});
    return;
  }
  if (last < 0 || (left >= 0 && chart_.glued)) {
    last = static_cast<int32_t>(std::max_element(states, states + r.states) - states);
  }
  draw_state(i, j, last, tree);
}

void Sampler::draw_state(int32_t i, int32_t j, int32_t s, Derivation &tree) {
  const ChartRules::State at = chart_.rules.describe(s);
  if (!at.group && !at.joiner) {  // no derivation and no operator for glue: the words keep their order
    tree.push_back({-1, i, j, 0});
    return;
  }
  tree.push_back({at.op, i, j, at.state});
  if (at.joiner) {
    const ChartRules::Joiner &join = *at.joiner;
    if (join.word_first) {
      tree.push_back({-1, i, i + 1, 0});
      draw_slot(i + 1, j, join.slot + at.lane, tree);
    } else {
      draw_slot(i, j - 1, join.slot + at.lane, tree);
      tree.push_back({-1, j - 1, j, 0});
    }
    return;
  }
  const ChartRules::Group &g = *at.group;
  // Draw the cuts from last to first: result (i, j) is the partial item (i, k) and the slot (k, j).
  int32_t cuts[largest_arity + 1];
  cuts[g.arity] = j;
  cuts[0] = i;
  for (int32_t sub = g.arity - 2; sub >= 0; --sub) {
    const int32_t lane = g.pack + sub * g.width + at.lane, end = cuts[sub + 2];
    double total = 0;
    for (int32_t k = i + 1; k < end; ++k) {
      total += static_cast<double>(chart_.left(i, k)[lane]) * chart_.right(k, end)[lane] * chart_.factor(i, k, end);
    }
    double left = uniform() * total;
    int32_t chosen = i + 1;
    for (int32_t k = i + 1; k < end; ++k) {
      const double p =
          static_cast<double>(chart_.left(i, k)[lane]) * chart_.right(k, end)[lane] * chart_.factor(i, k, end);
      if (p <= 0) continue;
      chosen = k;
      if ((left -= p) < 0) break;
    }
    cuts[sub + 1] = chosen;
  }
  for (int32_t k = 0; k < g.arity; ++k) draw_slot(cuts[k], cuts[k + 1], g.slot + k * g.width + at.lane, tree);
}

}  // namespace wordorder::grammar
