#include "grammar/expected_counts.h"

#include <condition_variable>
#include <limits>
#include <mutex>

#include "base/dispatch.h"
#include "base/lanes.h"
#include "base/parallel.h"

namespace wordorder::grammar {

using namespace base;

ForestRules::ForestRules(const Grammar &grammar, int threads) : grammar_(grammar) {
  slots_ = states_ = 0;
  size_t blocks = 0;
  for (const Operator &op : grammar.operators) {
    width_.push_back(padded(op.states));
    state_.push_back(states_);
    slot_.push_back(slots_);
    states_ += width_.back();
    slots_ += op.arity * width_.back();
  }
  for (size_t x = 0; x < grammar.operators.size(); ++x) {
    block_.push_back(blocks);
    blocks += static_cast<size_t>(grammar.operators[x].arity) * width_[x] * states_;
  }
  slots_ += lane_count;  // ROOT
  up_.assign(blocks, 0);
  down_.assign(blocks, 0);
  root_.assign(states_, 0);
  const auto count = static_cast<int32_t>(grammar.operators.size());
  for (int32_t y = 0; y < count; ++y) {
    const Operator &below = grammar.operators[y];
    for (int32_t b = 0; b < below.states; ++b) {
      root_[state_[y] + b] = grammar.rule(grammar.slots)[below.first_state + b];
      for (int32_t x = 0; x < count; ++x) {
        const Operator &op = grammar.operators[x];
        for (int32_t child = 0; child < op.arity; ++child) {
          const size_t at = block(x, child, y);
          for (int32_t a = 0; a < op.states; ++a) {
            const float p = grammar.rule(op.slot(child) + a)[below.first_state + b];
            up_[at + static_cast<size_t>(b) * width_[x] + a] = p;
            down_[at + static_cast<size_t>(a) * width_[y] + b] = p;
          }
        }
      }
    }
  }
  lexical_.assign(static_cast<size_t>(grammar.words) * slots_, 0);
  exponent_.assign(grammar.words, 0);
  parallel_blocks(grammar.words, 256, threads, [&](int64_t first, int64_t last, int) {
    for (int64_t w = first; w < last; ++w) {
      const float *from = grammar.word(static_cast<int32_t>(w));
      float *to = &lexical_[w * slots_];
      for (int32_t x = 0; x < count; ++x) {
        const Operator &op = grammar.operators[x];
        for (int32_t child = 0; child < op.arity; ++child) {
          std::copy_n(from + op.slot(child), op.states, to + slot(x, child));
        }
      }
      to[root_slot()] = from[grammar.slots];
      exponent_[w] = normalise(to, slots_);
    }
  });
}

namespace {

// Expected counts of a word in the states of one slot, to be added to those of all words.
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
    root.assign(r.states() + lane_count, 0);
    words.clear();
    values.clear();
  }
};

struct Part {  // a node that is done, or a token
  int32_t begin, end;
  int32_t op;  // -1 for a token
  int32_t word;
  int32_t exponent;
  size_t inside, outside;  // in the arena
};

// Where the vectors of a chain of m children lie: run a .. a + d - 1 has number base(d) + a.
struct Runs {
  int32_t m;
  int32_t size() const { return m * (m + 1) / 2; }
  int32_t base(int32_t d) const { return (d - 1) * m - (d - 1) * (d - 2) / 2; }
  int32_t at(int32_t a, int32_t b) const { return base(b - a) + a; }
};

class Sentence {
 public:
  explicit Sentence(const ForestRules &rules) : r_(rules) {}

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
      Part &part = parts_.back();
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
    size_t slots;     // the vectors of the children as slots, in the arena
    size_t exponents; // of the runs of a chain
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

  // The vector of a child as a slot of an operator.
  WO_INLINE void as_slot(int32_t op, int32_t child, const Part &part, float *out) {
    const int32_t width = r_.width(op);
    if (part.op < 0) {
      std::copy_n(r_.word(part.word) + r_.slot(op, child), width, out);
    } else {
      const int32_t below = r_.width(part.op);
      multiply(at(part.inside), 0, 1, 1, r_.up(op, child, part.op), width, below, out, 0, width, false);
    }
  }

  // Adds the outside values of a slot to those of the child in it, and counts.
  WO_INLINE void from_slot(int32_t op, int32_t child, const Part &part, const float *outside, BlockCounts &counts) {
    const int32_t width = r_.width(op);
    if (part.op < 0) {
      const int32_t slot = r_.slot(op, child);
      add_word(part.word, slot, width, outside, r_.word(part.word) + slot, counts);
      return;
    }
    const int32_t below = r_.width(part.op);
    multiply(outside, 0, 1, 1, r_.down(op, child, part.op), below, width, at(part.outside), 0, below, true);
    // The outer product of the two vectors.
    multiply(outside, 1, 0, width, at(part.inside), 0, 1, &counts.rules[r_.block(op, child, part.op)], below, below,
             true);
  }
  WO_INLINE void add_word(int32_t word, int32_t slot, int32_t width, const float *outside, const float *inside,
                          BlockCounts &counts) {
    counts.words.push_back({word, slot, width});
    const size_t first = counts.values.size();
    counts.values.resize(first + width);
    for (int32_t i = 0; i < width; ++i) counts.values[first + i] = outside[i] * inside[i];
  }

  WO_INLINE double root(int32_t top, BlockCounts *counts) {
    const Part part = parts_[top];
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
    return std::log(z) + part.exponent * 0.69314718055994530942;
  }

  WO_INLINE void node_inside(Step &step) {
    const int32_t width = r_.width(step.op);
    step.slots = room(static_cast<size_t>(width) * step.count);
    Part &part = parts_[step.part];
    float *inside = at(part.inside);
    std::fill_n(inside, width, 1.0f);
    int32_t exponent = 0;
    for (int32_t k = 0; k < step.count; ++k) {
      const Part &child = parts_[children_[step.first + k]];
      float *slot = at(step.slots) + static_cast<size_t>(k) * width;
      as_slot(step.op, k, child, slot);
      for (int32_t i = 0; i < width; ++i) inside[i] *= slot[i];
      exponent += child.exponent;
    }
    part.exponent = exponent + normalise(inside, width);
  }

  WO_INLINE void node_outside(const Step &step, BlockCounts &counts) {
    const int32_t width = r_.width(step.op);
    const Part &part = parts_[step.part];
    int32_t exponent = -part.exponent;
    for (int32_t k = 0; k < step.count; ++k) exponent += parts_[children_[step.first + k]].exponent;
    const float factor = power_of_two(exponent);
    float out[64];
    for (int32_t k = 0; k < step.count; ++k) {
      const float *outside = at(part.outside);
      for (int32_t from = 0; from < width; from += 64) {
        // Wider operators than 64 states are rare; they are done piece by piece into the buffer below.
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
    const Runs runs{m};
    // inside, slot 1, slot 2, and later outside, outside of slot 1, of slot 2, for every run.
    const size_t table = static_cast<size_t>(runs.size()) * width;
    step.slots = room(6 * table);
    step.exponents = exponents_.size();
    exponents_.resize(step.exponents + runs.size());
    int32_t *e = exponents_.data() + step.exponents;
    float *inside = at(step.slots), *left = inside + table, *right = left + table;
    for (int32_t a = 0; a < m; ++a) {
      const Part &child = parts_[children_[step.first + a]];
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
        for (int32_t k = a + 1; k < b; ++k) factors_[k - a] = power_of_two(e[runs.at(a, k)] + e[runs.at(k, b)] - most);
        for (int32_t i = 0; i < width; i += lane_count) {
          Lanes sum{};
          for (int32_t k = a + 1; k < b; ++k) {
            const int32_t first = runs.at(a, k), second = runs.at(k, b);
            const float f = factors_[k - a];
            const Lanes factor = {f, f, f, f, f, f, f, f};
            sum += *reinterpret_cast<const Lanes *>(left + static_cast<size_t>(first) * width + i) *
                   *reinterpret_cast<const Lanes *>(right + static_cast<size_t>(second) * width + i) * factor;
          }
          *reinterpret_cast<Lanes *>(out + i) = sum;
        }
        e[base + a] = most + normalise(out, width);
      }
      if (d == m) break;
      const float *from = inside + static_cast<size_t>(base) * width;
      multiply(from, width, 1, count, r_.up(step.op, 0, step.op), width, width, left + static_cast<size_t>(base) * width,
               width, width, false);
      multiply(from, width, 1, count, r_.up(step.op, 1, step.op), width, width,
               right + static_cast<size_t>(base) * width, width, width, false);
    }
    Part &part = parts_[step.part];
    part.exponent = e[runs.size() - 1];
    std::copy_n(inside + static_cast<size_t>(runs.size() - 1) * width, width, at(part.inside));
  }

  WO_INLINE void chain_outside(const Step &step, BlockCounts &counts) {
    const int32_t width = r_.width(step.op), m = step.count;
    const Runs runs{m};
    const size_t table = static_cast<size_t>(runs.size()) * width;
    const int32_t *e = exponents_.data() + step.exponents;
    float *inside = at(step.slots), *left = inside + table, *right = left + table, *outside = right + table,
          *out_left = outside + table, *out_right = out_left + table;
    std::fill_n(out_left, 2 * table, 0.0f);
    const Part &part = parts_[step.part];
    std::copy_n(at(part.outside), width, outside + static_cast<size_t>(runs.size() - 1) * width);
    for (int32_t d = m; d >= 2; --d) {
      const int32_t base = runs.base(d), count = m - d + 1;
      const size_t row = static_cast<size_t>(base) * width;
      if (d < m) {
        multiply(out_left + row, width, 1, count, r_.down(step.op, 0, step.op), width, width, outside + row, width,
                 width, false);
        multiply(out_right + row, width, 1, count, r_.down(step.op, 1, step.op), width, width, outside + row, width,
                 width, true);
      }
      for (int32_t a = 0; a < count; ++a) {
        const int32_t b = a + d;
        const float *from = outside + static_cast<size_t>(base + a) * width;
        for (int32_t k = a + 1; k < b; ++k) {
          const int32_t first = runs.at(a, k), second = runs.at(k, b);
          const float f = power_of_two(e[first] + e[second] - e[base + a]);
          const Lanes factor = {f, f, f, f, f, f, f, f};
          const size_t one = static_cast<size_t>(first) * width, two = static_cast<size_t>(second) * width;
          for (int32_t i = 0; i < width; i += lane_count) {
            const Lanes o = *reinterpret_cast<const Lanes *>(from + i) * factor;
            *reinterpret_cast<Lanes *>(out_left + one + i) += o * *reinterpret_cast<const Lanes *>(right + two + i);
            *reinterpret_cast<Lanes *>(out_right + two + i) += o * *reinterpret_cast<const Lanes *>(left + one + i);
          }
        }
      }
    }
    // Runs of two and more, but for the whole chain, are children with the chain's own operator.
    const int32_t inner = runs.size() - 1 - m;
    if (inner > 0) {
      const size_t from = static_cast<size_t>(m) * width;
      multiply(out_left + from, 1, width, width, inside + from, width, inner,
               &counts.rules[r_.block(step.op, 0, step.op)], width, width, true);
      multiply(out_right + from, 1, width, width, inside + from, width, inner,
               &counts.rules[r_.block(step.op, 1, step.op)], width, width, true);
    }
    for (int32_t a = 0; a < m; ++a) {
      const Part &child = parts_[children_[step.first + a]];
      const size_t row = static_cast<size_t>(a) * width;
      if (a + 1 < m) from_slot(step.op, 0, child, at(step.slots) + 4 * table + row, counts);
      if (a > 0) from_slot(step.op, 1, child, at(step.slots) + 5 * table + row, counts);
    }
  }

  const ForestRules &r_;
  std::vector<float> arena_, wide_, factors_;
  std::vector<Step> steps_;
  std::vector<Part> parts_;
  std::vector<int32_t> children_, pending_, exponents_;
};

WO_CLONES void run_block(const ForestRules &rules, const Treebank &bank, int64_t first, int64_t last, int64_t offset,
                         BlockCounts *counts, double *log_likelihood) {
  const FlushSmall flush;
  Sentence sentence(rules);
  for (int64_t s = first; s < last; ++s) {
    log_likelihood[s - offset] =
        sentence.run(bank.tokens.begin(s), bank.nodes + bank.node_ends[s], bank.nodes + bank.node_ends[s + 1], counts);
  }
}

// Adds the counts of a block to those of all.
void add_block(const ForestRules &rules, const BlockCounts &block, std::vector<double> &sums, ForestCounts &all) {
  for (size_t i = 0; i < block.rules.size(); ++i) sums[i] += block.rules[i];
  const Grammar &g = rules.grammar();
  for (size_t y = 0; y < g.operators.size(); ++y) {
    const Operator &op = g.operators[y];
    double *to = &all.rules[static_cast<size_t>(g.slots) * g.states + op.first_state];
    for (int32_t b = 0; b < op.states; ++b) to[b] += block.root[rules.state(static_cast<int32_t>(y)) + b];
  }
  // Padded numbers of slots to plain ones.
  const float *value = block.values.data();
  for (const WordCount &count : block.words) {
    int32_t slot = g.slots, size = 1;
    for (size_t x = 0; x < g.operators.size() && count.slot != rules.root_slot(); ++x) {
      const Operator &op = g.operators[x];
      const int32_t past = count.slot - rules.slot(static_cast<int32_t>(x), 0);
      if (past >= 0 && past < op.arity * rules.width(static_cast<int32_t>(x))) {
        slot = op.slot(past / rules.width(static_cast<int32_t>(x)));
        size = op.states;
        break;
      }
    }
    double *to = &all.lexical[static_cast<size_t>(count.word) * (g.slots + 1) + slot];
    for (int32_t i = 0; i < size; ++i) to[i] += value[i];
    value += count.width;
  }
}

}  // namespace

ForestCounts expected_counts(const Grammar &grammar, const Treebank &bank, int64_t first, int64_t last, bool counts,
                             int threads) {
  constexpr int64_t block = 32;
  const ForestRules rules(grammar, threads);
  ForestCounts out;
  out.log_likelihood.assign(last - first, 0);
  std::vector<double> sums;
  if (counts) {
    sums.assign(rules.size(), 0);
    out.rules.assign(static_cast<size_t>(grammar.slots + 1) * grammar.states, 0);
    out.lexical.assign(static_cast<size_t>(grammar.words) * (grammar.slots + 1), 0);
  }
  std::vector<BlockCounts> spaces(std::max(threads, 1));
  std::mutex lock;
  std::condition_variable turn;
  int64_t next = 0;
  bool failed = false;
  parallel_blocks(last - first, block, threads, [&](int64_t from, int64_t to, int thread) {
    BlockCounts *space = counts ? &spaces[thread] : nullptr;
    try {
      if (space) space->clear(rules);
      run_block(rules, bank, first + from, first + to, first, space, out.log_likelihood.data());
    } catch (...) {
      const std::lock_guard<std::mutex> hold(lock);
      failed = true;
      turn.notify_all();
      throw;
    }
    if (!counts) return;
    std::unique_lock<std::mutex> hold(lock);
    turn.wait(hold, [&] { return next == from || failed; });
    if (failed) return;
    add_block(rules, *space, sums, out);
    next = to;
    turn.notify_all();
  });
  if (!counts) return out;
  for (size_t x = 0; x < grammar.operators.size(); ++x) {
    const Operator &op = grammar.operators[x];
    for (size_t y = 0; y < grammar.operators.size(); ++y) {
      const Operator &below = grammar.operators[y];
      for (int32_t child = 0; child < op.arity; ++child) {
        const size_t at = rules.block(static_cast<int32_t>(x), child, static_cast<int32_t>(y));
        const int32_t width = rules.width(static_cast<int32_t>(y));
        for (int32_t a = 0; a < op.states; ++a) {
          const int32_t slot = op.slot(child) + a;
          for (int32_t b = 0; b < below.states; ++b) {
            out.rules[static_cast<size_t>(slot) * grammar.states + below.first_state + b] =
                sums[at + static_cast<size_t>(a) * width + b] * grammar.rule(slot)[below.first_state + b];
          }
        }
      }
    }
  }
  return out;
}

}  // namespace wordorder::grammar
