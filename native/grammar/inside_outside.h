// Inside and outside values over the forest of one sentence, and the expected counts of rules that follow from them.
//
// Each span of a forest has one operator, so its inside values are one short vector. Values are floats that are scaled
// by a power of two per span. Outside values are stored times that power and divided by the probability of the
// sentence, so that inside times outside is a posterior. The functions are inlined into a kernel that is compiled
// for several instruction sets (base/dispatch.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/lanes.h"
#include "grammar/forest_rules.h"
#include "grammar/latent_forest.h"

namespace wordorder::grammar {

// Where the expected counts of a word in one slot belong; the counts themselves are in BlockCounts::values.
struct WordCount {
  int32_t word, slot, width;
};

struct BlockCounts {
  std::vector<float> rules;  // like ForestRules::down, without the probabilities
  std::vector<float> root;
  std::vector<WordCount> words;
  std::vector<float> values;

  void clear(const ForestRules &r) {
    rules.assign(r.size(), 0);
    root.assign(r.states() + base::lane_count, 0);
    words.clear();
    values.clear();
  }
};

struct ForestPart {  // a finished node, or a token
  int32_t begin, end;
  int32_t op;  // -1 for a token
  int32_t word;
  int32_t exponent;
  size_t inside, outside;  // in the arena
};

// Numbers of the runs of children of a chain: the run of d children from a on has number base(d) + a.
struct ChainRuns {
  int32_t m;
  int32_t size() const { return m * (m + 1) / 2; }
  int32_t base(int32_t d) const { return (d - 1) * m - (d - 1) * (d - 2) / 2; }
  int32_t at(int32_t a, int32_t b) const { return base(b - a) + a; }
};

class InsideOutside {
 public:
  explicit InsideOutside(const ForestRules &rules) : r_(rules) {}

  // Returns the log-likelihood of the sentence; adds to `counts` unless it is null.
  WO_INLINE double run(const int32_t *words, const ForestNode *first, const ForestNode *last, BlockCounts *counts) {
    arena_.clear();
    steps_.clear();
    parts_.clear();
    exponents_.clear();
    pending_.clear();
    for (const ForestNode *node = first; node != last; ++node) {
      const auto from = std::lower_bound(pending_.begin(), pending_.end(), node->begin,
                                         [&](int32_t p, int32_t begin) { return parts_[p].begin < begin; });
      Step step{node->op, node->all != 0, static_cast<int32_t>(children_.size()), 0, 0, 0, 0};
      auto to = from;
      for (int32_t at = node->begin; at < node->end;) {
        if (to != pending_.end() && parts_[*to].begin == at) {
          children_.push_back(*to);
          at = parts_[*to].end;
          ++to;
        } else {
          children_.push_back(token(words[at], at));
          ++at;
        }
      }
      step.count = static_cast<int32_t>(children_.size()) - step.first;
      step.part = static_cast<int32_t>(parts_.size());
      parts_.push_back({node->begin, node->end, node->op, -1, 0, 0, 0});
      ForestPart &part = parts_.back();
      part.inside = room(r_.width(node->op));
      part.outside = room(r_.width(node->op));
      if (step.all) {
        chain_inside(step);
      } else {
        node_inside(step);
      }
      const auto where = pending_.erase(from, to);
      pending_.insert(where, step.part);
      steps_.push_back(step);
    }
    const int32_t top = pending_.empty() ? token(words[0], 0) : pending_.front();
    const double log_likelihood = root(top, counts);
    if (counts && log_likelihood > -std::numeric_limits<double>::infinity()) {
      for (size_t s = steps_.size(); s-- > 0;) {
        if (steps_[s].all) {
          chain_outside(steps_[s], *counts);
        } else {
          node_outside(steps_[s], *counts);
        }
      }
    }
    children_.clear();
    return log_likelihood;
  }

 private:
  struct Step {
    int32_t op;
    bool all;
    int32_t first, count;  // children
    int32_t part;
    size_t slots;      // the vectors of the children as slots, in the arena
    size_t exponents;  // the exponents of the runs of a chain
  };

  int32_t token(int32_t word, int32_t at) {
    parts_.push_back({at, at + 1, -1, word, r_.exponent(word), 0, 0});
    return static_cast<int32_t>(parts_.size()) - 1;
  }
  size_t room(size_t size) {
    const size_t at = arena_.size();
    arena_.resize(at + size);
    return at;
  }
  float *at(size_t offset) { return arena_.data() + offset; }

  // Writes the values of a child as a slot of an operator.
  WO_INLINE void as_slot(int32_t op, int32_t child, const ForestPart &part, float *out) {
    const int32_t width = r_.width(op);
    if (part.op < 0) {
      std::copy_n(r_.word(part.word) + r_.slot(op, child), width, out);
    } else {
      const int32_t below = r_.width(part.op);
      base::multiply(at(part.inside), 0, 1, 1, r_.up(op, child, part.op), width, below, out, 0, width, false);
    }
  }

  // Adds the outside values of a slot to those of its child, and the counts to `counts`.
  WO_INLINE void from_slot(int32_t op, int32_t child, const ForestPart &part, const float *outside,
                           BlockCounts &counts) {
    const int32_t width = r_.width(op);
    if (part.op < 0) {
      const int32_t slot = r_.slot(op, child);
      add_word(part.word, slot, width, outside, r_.word(part.word) + slot, counts);
      return;
    }
    const int32_t below = r_.width(part.op);
    base::multiply(outside, 0, 1, 1, r_.down(op, child, part.op), below, width, at(part.outside), 0, below, true);
    // The outer product of the two vectors.
    base::multiply(outside, 1, 0, width, at(part.inside), 0, 1, &counts.rules[r_.block(op, child, part.op)], below,
                   below, true);
  }
  WO_INLINE void add_word(int32_t word, int32_t slot, int32_t width, const float *outside, const float *inside,
                          BlockCounts &counts) {
    counts.words.push_back({word, slot, width});
    const size_t first = counts.values.size();
    counts.values.resize(first + width);
    for (int32_t i = 0; i < width; ++i) counts.values[first + i] = outside[i] * inside[i];
  }

  WO_INLINE double root(int32_t top, BlockCounts *counts) {
    const ForestPart part = parts_[top];
    double z = 0;
    if (part.op < 0) {
      z = r_.word(part.word)[r_.root_slot()];
      if (z > 0 && counts) {
        counts->words.push_back({part.word, r_.root_slot(), 1});
        counts->values.push_back(1);
      }
    } else {
      const float *weights = r_.root() + r_.state(part.op);
      const int32_t width = r_.width(part.op);
      const float *inside = at(part.inside);
      for (int32_t i = 0; i < width; ++i) z += static_cast<double>(weights[i]) * inside[i];
      if (z > 0 && counts) {
        float *outside = at(part.outside);
        for (int32_t i = 0; i < width; ++i) {
          outside[i] = static_cast<float>(weights[i] / z);
          counts->root[r_.state(part.op) + i] += outside[i] * inside[i];
        }
      }
    }
    if (!(z > 0)) return -std::numeric_limits<double>::infinity();
    return std::log(z) + part.exponent * log_two;
  }

  WO_INLINE void node_inside(Step &step) {
    const int32_t width = r_.width(step.op);
    step.slots = room(static_cast<size_t>(width) * step.count);
    ForestPart &part = parts_[step.part];
    float *inside = at(part.inside);
    std::fill_n(inside, width, 1.0f);
    int32_t exponent = 0;
    for (int32_t k = 0; k < step.count; ++k) {
      const ForestPart &child = parts_[children_[step.first + k]];
      float *slot = at(step.slots) + static_cast<size_t>(k) * width;
      as_slot(step.op, k, child, slot);
      for (int32_t i = 0; i < width; ++i) inside[i] *= slot[i];
      exponent += child.exponent;
    }
    part.exponent = exponent + base::normalise(inside, width);
  }

  WO_INLINE void node_outside(const Step &step, BlockCounts &counts) {
    const int32_t width = r_.width(step.op);
    const ForestPart &part = parts_[step.part];
    int32_t exponent = -part.exponent;
    for (int32_t k = 0; k < step.count; ++k) exponent += parts_[children_[step.first + k]].exponent;
    const float factor = base::power_of_two(exponent);
    float out[64];
    for (int32_t k = 0; k < step.count; ++k) {
      const float *outside = at(part.outside);
      for (int32_t from = 0; from < width; from += 64) {
        // Operators with more than 64 states are rare; their values are collected in a second buffer.
        const int32_t size = std::min(width - from, 64);
        for (int32_t i = 0; i < size; ++i) out[i] = outside[from + i] * factor;
        for (int32_t other = 0; other < step.count; ++other) {
          if (other == k) continue;
          const float *slot = at(step.slots) + static_cast<size_t>(other) * width + from;
          for (int32_t i = 0; i < size; ++i) out[i] *= slot[i];
        }
        if (width > 64) {
          wide_.resize(width);
          std::copy_n(out, size, wide_.data() + from);
        }
      }
      from_slot(step.op, k, parts_[children_[step.first + k]], width > 64 ? wide_.data() : out, counts);
    }
  }

  WO_INLINE void chain_inside(Step &step) {
    const int32_t width = r_.width(step.op), m = step.count;
    const ChainRuns runs{m};
    // For every run: inside, slot 1, slot 2, and later outside, outside of slot 1, outside of slot 2.
    const size_t table = static_cast<size_t>(runs.size()) * width;
    step.slots = room(6 * table);
    step.exponents = exponents_.size();
    exponents_.resize(step.exponents + runs.size());
    int32_t *e = exponents_.data() + step.exponents;
    float *inside = at(step.slots), *left = inside + table, *right = left + table;
    for (int32_t a = 0; a < m; ++a) {
      const ForestPart &child = parts_[children_[step.first + a]];
      e[a] = child.exponent;
      as_slot(step.op, 0, child, left + static_cast<size_t>(a) * width);
      as_slot(step.op, 1, child, right + static_cast<size_t>(a) * width);
    }
    for (int32_t d = 2; d <= m; ++d) {
      const int32_t base = runs.base(d), count = m - d + 1;
      for (int32_t a = 0; a < count; ++a) {
        const int32_t b = a + d;
        int32_t most = std::numeric_limits<int32_t>::min();
        for (int32_t k = a + 1; k < b; ++k) most = std::max(most, e[runs.at(a, k)] + e[runs.at(k, b)]);
        float *out = inside + static_cast<size_t>(base + a) * width;
        factors_.resize(m);
        for (int32_t k = a + 1; k < b; ++k)
          factors_[k - a] = base::power_of_two(e[runs.at(a, k)] + e[runs.at(k, b)] - most);
        for (int32_t i = 0; i < width; i += base::lane_count) {
          base::Lanes sum{};
          for (int32_t k = a + 1; k < b; ++k) {
            const int32_t first = runs.at(a, k), second = runs.at(k, b);
            const float f = factors_[k - a];
            const base::Lanes factor = {f, f, f, f, f, f, f, f};
            sum += *reinterpret_cast<const base::Lanes *>(left + static_cast<size_t>(first) * width + i) *
                   *reinterpret_cast<const base::Lanes *>(right + static_cast<size_t>(second) * width + i) * factor;
          }
          *reinterpret_cast<base::Lanes *>(out + i) = sum;
        }
        e[base + a] = most + base::normalise(out, width);
      }
      if (d == m) break;
      const float *from = inside + static_cast<size_t>(base) * width;
      base::multiply(from, width, 1, count, r_.up(step.op, 0, step.op), width, width,
                     left + static_cast<size_t>(base) * width, width, width, false);
      base::multiply(from, width, 1, count, r_.up(step.op, 1, step.op), width, width,
                     right + static_cast<size_t>(base) * width, width, width, false);
    }
    ForestPart &part = parts_[step.part];
    part.exponent = e[runs.size() - 1];
    std::copy_n(inside + static_cast<size_t>(runs.size() - 1) * width, width, at(part.inside));
  }

  WO_INLINE void chain_outside(const Step &step, BlockCounts &counts) {
    const int32_t width = r_.width(step.op), m = step.count;
    const ChainRuns runs{m};
    const size_t table = static_cast<size_t>(runs.size()) * width;
    const int32_t *e = exponents_.data() + step.exponents;
    float *inside = at(step.slots), *left = inside + table, *right = left + table, *outside = right + table,
          *out_left = outside + table, *out_right = out_left + table;
    std::fill_n(out_left, 2 * table, 0.0f);
    const ForestPart &part = parts_[step.part];
    std::copy_n(at(part.outside), width, outside + static_cast<size_t>(runs.size() - 1) * width);
    for (int32_t d = m; d >= 2; --d) {
      const int32_t base = runs.base(d), count = m - d + 1;
      const size_t row = static_cast<size_t>(base) * width;
      if (d < m) {
        base::multiply(out_left + row, width, 1, count, r_.down(step.op, 0, step.op), width, width, outside + row,
                       width, width, false);
        base::multiply(out_right + row, width, 1, count, r_.down(step.op, 1, step.op), width, width, outside + row,
                       width, width, true);
      }
      for (int32_t a = 0; a < count; ++a) {
        const int32_t b = a + d;
        const float *from = outside + static_cast<size_t>(base + a) * width;
        for (int32_t k = a + 1; k < b; ++k) {
          const int32_t first = runs.at(a, k), second = runs.at(k, b);
          const float f = base::power_of_two(e[first] + e[second] - e[base + a]);
          const base::Lanes factor = {f, f, f, f, f, f, f, f};
          const size_t left_row = static_cast<size_t>(first) * width, right_row = static_cast<size_t>(second) * width;
          for (int32_t i = 0; i < width; i += base::lane_count) {
            const base::Lanes o = *reinterpret_cast<const base::Lanes *>(from + i) * factor;
            *reinterpret_cast<base::Lanes *>(out_left + left_row + i) +=
                o * *reinterpret_cast<const base::Lanes *>(right + right_row + i);
            *reinterpret_cast<base::Lanes *>(out_right + right_row + i) +=
                o * *reinterpret_cast<const base::Lanes *>(left + left_row + i);
          }
        }
      }
    }
    // All runs of two or more children, except the whole chain, are children with the operator of the chain.
    const int32_t inner = runs.size() - 1 - m;
    if (inner > 0) {
      const size_t from = static_cast<size_t>(m) * width;
      base::multiply(out_left + from, 1, width, width, inside + from, width, inner,
                     &counts.rules[r_.block(step.op, 0, step.op)], width, width, true);
      base::multiply(out_right + from, 1, width, width, inside + from, width, inner,
                     &counts.rules[r_.block(step.op, 1, step.op)], width, width, true);
    }
    for (int32_t a = 0; a < m; ++a) {
      const ForestPart &child = parts_[children_[step.first + a]];
      const size_t row = static_cast<size_t>(a) * width;
      if (a + 1 < m) from_slot(step.op, 0, child, at(step.slots) + 4 * table + row, counts);
      if (a > 0) from_slot(step.op, 1, child, at(step.slots) + 5 * table + row, counts);
    }
  }

  const ForestRules &r_;
  std::vector<float> arena_, wide_, factors_;
  std::vector<Step> steps_;
  std::vector<ForestPart> parts_;
  std::vector<int32_t> children_, pending_, exponents_;
};

}  // namespace wordorder::grammar
