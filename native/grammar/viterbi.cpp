#include "grammar/viterbi.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wordorder::grammar {

namespace {
constexpr double never = -std::numeric_limits<double>::infinity();
double log_of(float p) { return p > 0 ? std::log(static_cast<double>(p)) : never; }
}  // namespace

ViterbiTree::ViterbiTree(const Grammar &grammar) : g_(grammar) {
  const size_t size = static_cast<size_t>(grammar.slots + 1) * grammar.states;
  for (size_t i = 0; i < size; ++i) log_rules_.push_back(log_of(grammar.rules[i]));
}

void ViterbiTree::as_slot(int32_t op, int32_t child, int32_t below, int32_t word, const std::vector<double> &score,
                          std::vector<double> &out, std::vector<int32_t> &state) const {
  const Operator &above = g_.operators[op];
  out.assign(above.states, never);
  state.assign(above.states, 0);
  for (int32_t a = 0; a < above.states; ++a) {
    const int32_t slot = above.slot(child) + a;
    if (below < 0) {
      out[a] = log_of(g_.word(word)[slot]);
      continue;
    }
    const double *rules = rule(slot) + g_.operators[below].first_state;
    for (size_t b = 0; b < score.size(); ++b) {
      if (rules[b] + score[b] > out[a]) out[a] = rules[b] + score[b], state[a] = static_cast<int32_t>(b);
    }
  }
}

const ViterbiTree::Row &ViterbiTree::whole(const Part &part) const {
  return part.all ? part.runs[part.children.size()] : part.runs[0];
}

// Scores of children a .. b - 1 of a chain as its left (0) or right (1) slot, or of one child of any node.
void ViterbiTree::child_slot(const Part &part, int32_t a, int32_t b, int32_t child, std::vector<double> &out,
                             std::vector<int32_t> &state) const {
  static const std::vector<double> none;
  if (b - a == 1) {
    const Part &below = parts_[part.children[a]];
    as_slot(part.op, child, below.op, below.word, below.op < 0 ? none : whole(below).score, out, state);
  } else {
    const auto m = static_cast<int32_t>(part.children.size());
    as_slot(part.op, child, part.op, -1, part.runs[static_cast<size_t>(a) * (m + 1) + b].score, out, state);
  }
}

double ViterbiTree::run(const int32_t *words, const ForestNode *first, const ForestNode *last, Derivation &tree) {
  parts_.clear();
  tree.clear();
  std::vector<int32_t> pending;
  std::vector<double> slot;
  std::vector<int32_t> state;
  const auto token = [&](int32_t at) {
    parts_.push_back({at, at + 1, -1, words[at], {}, false, {}});
    return static_cast<int32_t>(parts_.size()) - 1;
  };
  for (const ForestNode *node = first; node != last; ++node) {
    Part part{node->begin, node->end, node->op, -1, {}, node->all != 0, {}};
    const auto from = std::lower_bound(pending.begin(), pending.end(), node->begin,
                                       [&](int32_t p, int32_t begin) { return parts_[p].begin < begin; });
    auto to = from;
    for (int32_t at = node->begin; at < node->end;) {
      if (to != pending.end() && parts_[*to].begin == at) {
        part.children.push_back(*to);
        at = parts_[*to++].end;
      } else {
        part.children.push_back(token(at++));
      }
    }
    const auto m = static_cast<int32_t>(part.children.size());
    const int32_t states = g_.operators[part.op].states;
    if (!part.all) {
      part.runs.push_back({std::vector<double>(states, 0), {}});
      for (int32_t k = 0; k < m; ++k) {
        child_slot(part, k, k + 1, k, slot, state);
        for (int32_t a = 0; a < states; ++a) part.runs[0].score[a] += slot[a];
      }
    } else {
      part.runs.resize(static_cast<size_t>(m) * (m + 1));
      std::vector<std::vector<double>> left(part.runs.size()), right(part.runs.size());
      for (int32_t d = 1; d <= m; ++d) {
        for (int32_t a = 0; a + d <= m; ++a) {
          const int32_t b = a + d;
          const size_t here = static_cast<size_t>(a) * (m + 1) + b;
          Row &row = part.runs[here];
          if (d > 1) {
            row.score.assign(states, never);
            row.split.assign(states, 0);
            for (int32_t k = a + 1; k < b; ++k) {
              const std::vector<double> &first = left[static_cast<size_t>(a) * (m + 1) + k];
              const std::vector<double> &second = right[static_cast<size_t>(k) * (m + 1) + b];
              for (int32_t s = 0; s < states; ++s) {
                if (first[s] + second[s] > row.score[s]) row.score[s] = first[s] + second[s], row.split[s] = k;
              }
            }
          }
          if (d < m) {
            child_slot(part, a, b, 0, left[here], state);
            child_slot(part, a, b, 1, right[here], state);
          }
        }
      }
    }
    const auto where = pending.erase(from, to);
    pending.insert(where, static_cast<int32_t>(parts_.size()));
    parts_.push_back(std::move(part));
  }
  if (pending.empty()) {
    const double score = log_of(g_.word(words[0])[g_.slots]);
    if (score > never) tree.push_back({-1, 0, 1, 0});
    return score;
  }
  const Part &top = parts_[pending.front()];
  const Row &row = whole(top);
  double best = never;
  int32_t chosen = 0;
  for (size_t a = 0; a < row.score.size(); ++a) {
    const double score = rule(g_.slots)[g_.operators[top.op].first_state + a] + row.score[a];
    if (score > best) best = score, chosen = static_cast<int32_t>(a);
  }
  if (best > never) write_part(pending.front(), chosen, tree);
  return best;
}

void ViterbiTree::write_part(int32_t number, int32_t chosen, Derivation &tree) const {
  const Part &part = parts_[number];
  if (part.op < 0) {
    tree.push_back({-1, part.begin, part.end, 0});
    return;
  }
  if (part.all) {
    write_run(part, 0, static_cast<int32_t>(part.children.size()), chosen, tree);
    return;
  }
  tree.push_back({part.op, part.begin, part.end, chosen});
  std::vector<double> slot;
  std::vector<int32_t> state;
  for (size_t k = 0; k < part.children.size(); ++k) {
    const auto child = static_cast<int32_t>(k);
    child_slot(part, child, child + 1, child, slot, state);
    write_part(part.children[k], state[chosen], tree);
  }
}

void ViterbiTree::write_run(const Part &part, int32_t a, int32_t b, int32_t chosen, Derivation &tree) const {
  const auto m = static_cast<int32_t>(part.children.size());
  tree.push_back({part.op, parts_[part.children[a]].begin, parts_[part.children[b - 1]].end, chosen});
  const int32_t k = part.runs[static_cast<size_t>(a) * (m + 1) + b].split[chosen];
  std::vector<double> slot;
  std::vector<int32_t> state;
  const int32_t bounds[2][2] = {{a, k}, {k, b}};
  for (int32_t child = 0; child < 2; ++child) {
    const int32_t from = bounds[child][0], to = bounds[child][1];
    child_slot(part, from, to, child, slot, state);
    if (to - from == 1) {
      write_part(part.children[from], state[chosen], tree);
    } else {
      write_run(part, from, to, state[chosen], tree);
    }
  }
}

}  // namespace wordorder::grammar
