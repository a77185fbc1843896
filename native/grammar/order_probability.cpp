#include "grammar/order_probability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wordorder::grammar {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

// Sums over all derivations of a span whose words are read one after the other, in one order.
struct Cell {
  std::vector<int32_t> read;  // the words of the span in this order
  double exponent = 0;        // power of two taken out
  std::vector<double> slots;
};

class OrderSums {
 public:
  OrderSums(const Grammar &grammar, const std::vector<int32_t> &words, const std::vector<Phrase> &phrases)
      : g_(grammar), words_(words), phrases_(phrases), n_(static_cast<int32_t>(words.size())), slots_(g_.slots + 1) {
    by_state_.resize(static_cast<size_t>(g_.states) * slots_);
    for (int32_t t = 0; t < slots_; ++t) {
      for (int32_t s = 0; s < g_.states; ++s) by_state_[static_cast<size_t>(s) * slots_ + t] = g_.rule(t)[s];
    }
    blocks_.resize(static_cast<size_t>(n_ + 1) * (n_ + 1));
    rank_.resize(n_);
  }

  double log_probability(const int32_t *order) {
    if (!n_) return 0;
    for (int32_t k = 0; k < n_; ++k) rank_[order[k]] = k;
    std::fill(blocks_.begin(), blocks_.end(), Block{});
    std::vector<int32_t> low(rank_), high(rank_);  // of the spans of the current length, by start
    for (int32_t d = 1; d <= n_; ++d) {
      for (int32_t i = 0; i + d <= n_; ++i) {
        const int32_t last = rank_[i + d - 1];
        low[i] = std::min(low[i], last);
        high[i] = std::max(high[i], last);
        if (high[i] - low[i] != d - 1) continue;
        at(i, i + d) = {find(i, i + d, order + low[i]), low[i]};
      }
    }
    const Cell &whole = *at(0, n_).cell;
    const double p = whole.slots[g_.slots];
    return p > 0 ? std::log(p) + whole.exponent * log_two : never;
  }

 private:
  struct Block {  // a span whose words are neighbours in the order
    const Cell *cell = nullptr;
    int32_t low = 0;  // its first place
  };

  Block &at(int32_t i, int32_t j) { return blocks_[static_cast<size_t>(i) * (n_ + 1) + j]; }

  // The sums of a span that is read like this; computed if they are new.
  const Cell *find(int32_t i, int32_t j, const int32_t *read) {
    uint64_t key = 0x9e3779b97f4a7c15u + static_cast<uint64_t>(j - i);
    for (int32_t k = 0; k < j - i; ++k) {
      key = (key ^ static_cast<uint32_t>(read[k])) * 0xff51afd7ed558ccdu;
      key ^= key >> 29;
    }
    const auto [first, last] = known_.equal_range(key);
    for (auto entry = first; entry != last; ++entry) {
      const std::vector<int32_t> &other = entry->second.read;
      if (static_cast<int32_t>(other.size()) == j - i && std::equal(other.begin(), other.end(), read)) {
        return &entry->second;
      }
    }
    Cell &cell = known_.emplace(key, Cell{})->second;
    cell.read.assign(read, read + (j - i));
    fill(i, j, cell);
    return &cell;
  }

  void fill(int32_t i, int32_t j, Cell &cell) {
    const int32_t d = j - i;
    std::vector<double> states(g_.states, 0), slots(slots_, 0);
    double most = never;
    const auto scale_to = [&](double exponent) {  // returns the factor for a term with this exponent
      if (exponent > most) {
        const double by = std::exp2(most - exponent);
        for (double &value : states) value *= by;
        for (double &value : slots) value *= by;
        most = exponent;
      }
      return std::exp2(exponent - most);
    };
    int32_t cuts[largest_arity + 1] = {i};
    const auto place = [&](int32_t arity) {
      cuts[arity] = j;
      double exponent = 0;
      const Block *children[largest_arity];
      for (int32_t k = 0; k < arity; ++k) {
        children[k] = &at(cuts[k], cuts[k + 1]);
        exponent += children[k]->cell->exponent;
      }
      int32_t places[largest_arity];
      for (int32_t k = 0; k < arity; ++k) {
        places[k] = 0;
        for (int32_t other = 0; other < arity; ++other) places[k] += children[other]->low < children[k]->low;
      }
      for (const Operator &op : g_.operators) {
        if (op.arity != arity || !std::equal(places, places + arity, op.places)) continue;
        if (op.unaligned >= 0 && cuts[op.unaligned + 1] - cuts[op.unaligned] != 1) continue;
        const double by = scale_to(exponent);
        for (int32_t a = 0; a < op.states; ++a) {
          double p = by;
          // An unaligned child is a single word, so its slots hold nothing but the word's probability.
          for (int32_t k = 0; k < arity; ++k) p *= children[k]->cell->slots[op.slot(k) + a];
          states[op.first_state + a] += p;
        }
      }
    };
    // If a span splits into two blocks, every tree splits it in two; otherwise it has one operator over its largest
    // blocks.
    bool binary = false;
    for (int32_t k = i + 1; k < j; ++k) {
      if (!at(i, k).cell || !at(k, j).cell) continue;
      binary = true;
      cuts[1] = k;
      place(2);
    }
    int32_t arity = 0;
    for (int32_t from = i; d > 1 && !binary && from < j && arity < largest_arity; ++arity) {
      int32_t k = from == i ? j - 1 : j;
      while (!at(from, k).cell) --k;
      cuts[arity + 1] = from = k;
    }
    if (arity && cuts[arity] == j) place(arity);
    const auto add_word = [&](int32_t w) {
      const double by = scale_to(0);
      for (int32_t t = 0; t < slots_; ++t) slots[t] += by * g_.word(w)[t];
    };
    if (d == 1) add_word(words_[i]);
    if (std::is_sorted(cell.read.begin(), cell.read.end())) {
      for (const Phrase &phrase : phrases_) {
        if (phrase.begin == i && phrase.end == j) add_word(phrase.word);
      }
    }
    for (int32_t s = 0; s < g_.states; ++s) {
      const double value = states[s];
      if (value == 0) continue;
      const float *rules = &by_state_[static_cast<size_t>(s) * slots_];
      for (int32_t t = 0; t < slots_; ++t) slots[t] += rules[t] * value;
    }
    cell.slots.assign(slots_, 0);
    const double top = *std::max_element(slots.begin(), slots.end());
    if (!(top > 0)) return;
    const int shift = std::ilogb(top);
    for (int32_t t = 0; t < slots_; ++t) cell.slots[t] = std::ldexp(slots[t], -shift);
    cell.exponent = most + shift;
  }

  const Grammar &g_;
  const std::vector<int32_t> &words_;
  const std::vector<Phrase> &phrases_;
  int32_t n_, slots_;
  std::vector<float> by_state_;  // the rules, state by state
  std::vector<Block> blocks_;
  std::vector<int32_t> rank_;
  std::unordered_multimap<uint64_t, Cell> known_;  // by a hash of the words as they are read
};

}  // namespace

std::vector<double> log_order_probabilities(const Grammar &grammar, const std::vector<int32_t> &words,
                                            const std::vector<Phrase> &phrases, const int32_t *orders, int64_t size) {
  OrderSums sums(grammar, words, phrases);
  std::vector<double> out(size);
  for (int64_t r = 0; r < size; ++r) out[r] = sums.log_probability(orders + r * static_cast<int64_t>(words.size()));
  return out;
}

}  // namespace wordorder::grammar
