#include "grammar/expected_counts.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/dispatch.h"
#include "base/parallel.h"
#include "grammar/forest_rules.h"
#include "grammar/inside_outside.h"

namespace wordorder::grammar {

namespace {

WO_CLONES void run_block(const ForestRules &rules, const Treebank &bank, int64_t first, int64_t last, int64_t offset,
                         BlockCounts *counts, double *log_likelihood) {
  const base::FlushSmall flush;
  InsideOutside sentence(rules);
  for (int64_t s = first; s < last; ++s) {
    log_likelihood[s - offset] =
        sentence.run(bank.tokens.begin(s), bank.nodes + bank.node_ends[s], bank.nodes + bank.node_ends[s + 1], counts);
  }
}

// Adds the counts of a block to the totals.
void add_block(const ForestRules &rules, const BlockCounts &block, std::vector<double> &sums, ForestCounts &all) {
  for (size_t i = 0; i < block.rules.size(); ++i) sums[i] += block.rules[i];
  const Grammar &g = rules.grammar();
  for (size_t y = 0; y < g.operators.size(); ++y) {
    const Operator &op = g.operators[y];
    double *to = &all.rules[static_cast<size_t>(g.slots) * g.states + op.first_state];
    for (int32_t b = 0; b < op.states; ++b) to[b] += block.root[rules.state(static_cast<int32_t>(y)) + b];
  }
  // Translate padded slot numbers into the grammar's own.
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
  base::parallel_blocks(last - first, block, threads, [&](int64_t from, int64_t to, int thread) {
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
