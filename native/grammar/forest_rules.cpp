#include "grammar/forest_rules.h"

#include <algorithm>

#include "base/parallel.h"

namespace wordorder::grammar {

using base::padded;

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
  slots_ += base::lane_count;  // ROOT
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
  base::parallel_blocks(grammar.words, 256, threads, [&](int64_t first, int64_t last, int) {
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
      exponent_[w] = base::normalise(to, slots_);
    }
  });
}

}  // namespace wordorder::grammar
