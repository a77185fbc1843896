#include "grammar/latent_forest.h"

#include <algorithm>
#include <stdexcept>

namespace wordorder::grammar {

namespace {
enum : int32_t { straight = 0, inverse = 1, join_right = 2, join_left = 3, first_prime = 4 };
}

void ForestBuilder::wrap(Part &part, int32_t before, int32_t after, std::vector<ForestNode> &out) {
  for (; before > 0; --before) out.push_back({--part.begin, part.end, join_right, 0});
  for (; after > 0; --after) out.push_back({part.begin, ++part.end, join_left, 0});
}

bool ForestBuilder::build(const int32_t *rank, int32_t n, const ForestShape &shape, std::vector<ForestNode> &out) {
  where_.clear();
  values_.clear();
  for (int32_t t = 0; t < n; ++t) {
    if (rank[t] < 0) continue;
    where_.push_back(t);
    values_.push_back(rank[t]);
  }
  const auto m = static_cast<int32_t>(where_.size());
  nodes_.clear();
  trees_.build(values_.data(), m, nodes_);
  for (const order::Node &node : nodes_) {
    if (node.kind == order::prime && node.arity > shape.max_arity) return false;
  }
  if (!m) return true;
  // Count the unaligned tokens that attach to each side of each part. A part is a leaf or a node; with
  // `attach_high` a gap attaches to the highest node that begins or ends next to it.
  const size_t parts = m + nodes_.size();  // leaves first, then nodes in postorder
  before_.assign(parts, 0);
  after_.assign(parts, 0);
  const auto highest_at = [&](int32_t leaf, bool begins) {
    int32_t best = leaf;
    if (!shape.attach_high) return best;
    for (size_t k = 0; k < nodes_.size(); ++k) {  // postorder: the outer node comes later
      if (begins ? nodes_[k].begin == leaf : nodes_[k].end == leaf + 1) best = m + static_cast<int32_t>(k);
    }
    return best;
  };
  for (int32_t g = 0; g <= m; ++g) {  // the gap before aligned token g
    const int32_t from = g ? where_[g - 1] + 1 : 0, to = g < m ? where_[g] : n;
    if (from == to) continue;
    const bool to_right = g == 0 || (g < m && shape.attach_right);
    if (to_right) {
      before_[highest_at(g, true)] += to - from;
    } else {
      after_[highest_at(g - 1, false)] += to - from;
    }
  }
  stack_.clear();
  int32_t leaf = 0;
  const auto shift_to = [&](int32_t end) {
    for (; leaf < end; ++leaf) {
      Part part{where_[leaf], where_[leaf] + 1, leaf};
      wrap(part, before_[leaf], after_[leaf], out);
      stack_.push_back(part);
    }
  };
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const order::Node &node = nodes_[k];
    shift_to(node.end);
    size_t first = stack_.size();
    while (first && stack_[first - 1].first >= node.begin) --first;
    Part whole{stack_[first].begin, stack_.back().end, node.begin};
    if (node.kind == order::prime) {
      const auto arity = static_cast<int32_t>(stack_.size() - first);
      std::vector<int32_t> places(arity);
      for (int32_t c = 0; c < arity; ++c) {
        for (int32_t d = 0; d < arity; ++d) {
          places[c] += values_[stack_[first + d].first] < values_[stack_[first + c].first];
        }
      }
      const auto prime = std::find(primes_.begin(), primes_.end(), places);
      if (prime == primes_.end())
        throw std::invalid_argument("the sentence needs an operator that the grammar does not have");
      out.push_back({whole.begin, whole.end, first_prime + static_cast<int32_t>(prime - primes_.begin()), 0});
    } else {
      const int32_t op = node.kind == order::monotone ? straight : inverse;
      const size_t last = stack_.size() - 1;
      if (shape.trees == ForestShape::forest) {
        out.push_back({whole.begin, whole.end, op, last - first > 1});
      } else if (shape.trees == ForestShape::left) {
        for (size_t c = first + 1; c <= last; ++c) out.push_back({whole.begin, stack_[c].end, op, 0});
      } else {
        for (size_t c = last; c-- > first;) out.push_back({stack_[c].begin, whole.end, op, 0});
      }
    }
    stack_.resize(first);
    wrap(whole, before_[m + k], after_[m + k], out);
    stack_.push_back(whole);
  }
  shift_to(m);
  return true;
}

}  // namespace wordorder::grammar
