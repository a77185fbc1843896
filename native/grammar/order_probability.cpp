#include "grammar/order_probability.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wordorder::grammar {

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
      const auto scale_to = [&](double exponent) {  // returns the factor for a term with this exponent
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
              // An unaligned child is a single word, so its slots hold nothing but the word's probability.
              p *= at(cuts[k], cuts[k + 1]).slots[op.slot(k) + a];
            }
            cell.states[op.first_state + a] += p;
          }
        }
      };
      // If a span splits into two blocks, every tree splits it in two; otherwise it has one operator over its largest
      // blocks.
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
