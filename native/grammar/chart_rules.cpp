#include "grammar/chart_rules.h"

#include <algorithm>

#include "base/lanes.h"

namespace wordorder::grammar {

using base::padded;

ChartRules::ChartRules(const Grammar &grammar) : grammar_(grammar) {
  row = states = slots = alone = 0;
  const auto count = static_cast<int32_t>(grammar.operators.size());
  for (int32_t arity = 2; arity <= largest_arity; ++arity) {
    Group group{arity, 0, row, 0, 0, {}};
    for (int32_t x = 0; x < count; ++x) {
      const Operator &op = grammar.operators[x];
      if (op.arity != arity || op.unaligned >= 0) continue;
      group.members.push_back({x, group.width});
      group.width += op.states;
    }
    if (group.members.empty()) continue;
    group.width = padded(group.width);
    row += (arity - 1) * group.width;
    groups.push_back(group);
  }
  for (int32_t x = 0; x < count; ++x) {
    const Operator &op = grammar.operators[x];
    if (op.unaligned >= 0) joiners.push_back({x, padded(op.states), 0, 0, 0, op.unaligned == 0});
  }
  const auto fill = [&](std::vector<int32_t> &plain, int32_t at, int32_t first, int32_t size) {
    plain.resize(std::max<size_t>(plain.size(), at + size), -1);
    for (int32_t a = 0; a < size; ++a) plain[at + a] = first + a;
  };
  for (Group &group : groups) {
    group.state = states;
    group.slot = slots;
    for (const Member &m : group.members) {
      const Operator &op = grammar.operators[m.op];
      fill(plain_state_, states + m.first_lane, op.first_state, op.states);
      for (int32_t k = 0; k < group.arity; ++k) {
        fill(plain_slot_, slots + k * group.width + m.first_lane, op.slot(k), op.states);
      }
    }
    states += group.width;
    slots += group.arity * group.width;
  }
  for (Joiner &joiner : joiners) {
    const Operator &op = grammar.operators[joiner.op];
    joiner.state = states;
    joiner.slot = slots;
    joiner.alone = alone;
    fill(plain_state_, states, op.first_state, op.states);
    fill(plain_slot_, slots, op.slot(1 - op.unaligned), op.states);
    fill(plain_alone_, alone, op.slot(op.unaligned), op.states);
    states += joiner.width;
    slots += joiner.width;
    alone += joiner.width;
  }
  plain_state_.resize(states, -1);
  plain_slot_.resize(slots, -1);
  plain_alone_.resize(alone, -1);
  up.assign(static_cast<size_t>(states) * slots, 0);
  down.assign(static_cast<size_t>(states) * slots, 0);
  root.assign(states, 0);
  for (int32_t s = 0; s < states; ++s) {
    if (plain_state_[s] < 0) continue;
    root[s] = grammar.rule(grammar.slots)[plain_state_[s]];
    for (int32_t t = 0; t < slots; ++t) {
      if (plain_slot_[t] < 0) continue;
      const float p = grammar.rule(plain_slot_[t])[plain_state_[s]];
      up[static_cast<size_t>(s) * slots + t] = p;
      down[static_cast<size_t>(t) * states + s] = p;
    }
  }
  glue_state = glue_slot[0] = glue_slot[1] = -1;
  if (!groups.empty() && groups[0].arity == 2 && grammar.operators[groups[0].members[0].op].places[0] == 0) {
    glue_state = groups[0].state;
    glue_slot[0] = groups[0].slot;
    glue_slot[1] = groups[0].slot + groups[0].width;
  }
}

float ChartRules::word(int32_t w, float *by_slot, float *unaligned) const {
  const float *p = grammar_.word(w);
  for (int32_t t = 0; t < slots; ++t) by_slot[t] = plain_slot_[t] < 0 ? 0 : p[plain_slot_[t]];
  for (int32_t t = 0; t < alone; ++t) unaligned[t] = plain_alone_[t] < 0 ? 0 : p[plain_alone_[t]];
  return p[grammar_.slots];
}

ChartRules::State ChartRules::describe(int32_t s) const {
  for (const Group &group : groups) {
    if (s < group.state || s >= group.state + group.width) continue;
    const int32_t lane = s - group.state;
    for (auto m = group.members.rbegin(); m != group.members.rend(); ++m) {
      if (lane >= m->first_lane) return {&group, nullptr, lane, m->op, lane - m->first_lane};
    }
  }
  for (const Joiner &joiner : joiners) {
    if (s >= joiner.state && s < joiner.state + joiner.width) {
      return {nullptr, &joiner, s - joiner.state, joiner.op, s - joiner.state};
    }
  }
  return {nullptr, nullptr, 0, -2, 0};
}

}  // namespace wordorder::grammar
