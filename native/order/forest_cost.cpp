#include "order/forest_cost.h"

#include <cmath>
#include <vector>

#include "order/intervals.h"

namespace wordorder::order {
namespace {

class CostCounter {
 public:
  explicit CostCounter(const OperatorCosts &costs) : set_(costs) {}

  double cost(const int32_t *p, int32_t n) {
    if (n < 2) return 0.0;
    grow(n);
    nodes_.clear();
    builder_.build(p, n, nodes_);
    open_.clear();
    double total = 0.0;  // a node of the flat tree is in every tree, so the costs add up
    for (const Node &node : nodes_) {
      size_t first = open_.size();
      while (first > 0 && open_[first - 1].begin >= node.begin) --first;
      const int32_t length = node.end - node.begin;
      if (node.kind == prime) {
        total += set_.prime * arity_[node.arity] * weight_[length];
      } else if (node.kind == inverted) {
        total += set_.inverted * (node.arity == length ? words(length) : chain(node, first));
      }
      open_.resize(first);
      open_.push_back({node.begin, node.end});
    }
    return total;
  }

 private:
  struct Span {
    int32_t begin, end;
  };

  // If a chain of m children is split at uniformly random points, a given run of d < m children is a span with
  // probability 2 / (d (d + 1)), or 1 / d if the run is at one end: the split points next to it must be chosen before
  // the d - 1 split points inside it.

  // The expected weight of the spans of a chain of single words. The probabilities of the m - d + 1 runs of d words sum
  // to 2 m / (d (d + 1)).
  double words(int32_t m) const { return weight_[m] + 2.0 * m * inner_[m]; }

  // The same if some children, the open nodes from `first` on, have several words.
  double chain(const Node &node, size_t first) {
    bound_.clear();
    int32_t at = node.begin;
    for (size_t k = first; k < open_.size(); ++k) {
      for (; at < open_[k].begin; ++at) bound_.push_back(at);
      bound_.push_back(at);
      at = open_[k].end;
    }
    for (; at <= node.end; ++at) bound_.push_back(at);
    const size_t m = bound_.size() - 1;
    double total = weight_[node.end - node.begin];
    for (size_t d = 2; d < m; ++d) {
      double inside = 0.0;
      for (size_t a = 1; a + d < m; ++a) inside += weight_[bound_[a + d] - bound_[a]];
      const double ends = weight_[bound_[d] - bound_[0]] + weight_[bound_[m] - bound_[m - d]];
      const double k = static_cast<double>(d);
      total += ends / k + 2.0 * inside / (k * (k + 1.0));
    }
    return total;
  }

  // Extends the tables to length n.
  void grow(int32_t n) {
    if (weight_.empty()) {
      weight_ = arity_ = {0.0, 0.0};
      inner_ = {0.0, 0.0, 0.0};
    }
    for (size_t l = weight_.size(); l <= static_cast<size_t>(n); ++l) {
      const double k = static_cast<double>(l);
      weight_.push_back(std::pow(k, set_.span));
      arity_.push_back(l < 4 ? 0.0 : std::pow(k - 3.0, set_.arity));
      inner_.push_back(inner_.back() + weight_[l] / (k * (k + 1.0)));
    }
  }

  OperatorCosts set_;
  TreeBuilder builder_;
  std::vector<Node> nodes_;
  std::vector<Span> open_;  // finished nodes that have no parent yet
  std::vector<int32_t> bound_;
  std::vector<double> weight_, arity_;  // l^span, (k - 3)^arity
  std::vector<double> inner_;           // inner_[m] = sum of d^span / (d (d + 1)) over 2 <= d < m
};

}  // namespace

void forest_costs(const base::Batch &batch, const OperatorCosts &costs, double *out) {
  CostCounter counter(costs);
  for (int64_t s = 0; s < batch.size; ++s) out[s] = counter.cost(batch.begin(s), batch.length(s));
}

}  // namespace wordorder::order
