#include "order/recursive.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/dispatch.h"
#include "base/memo.h"
#include "order/flat.h"
#include "order/intervals.h"

namespace wordorder::order {
namespace {

// Children of a chain whose trees are scored within seconds.
constexpr size_t longest_chart = 3000, longest_words = 50000;

// One child of the current node. `value` is its score (paper) or its score times its length (beer11); a single word has
// length 1 and value 0 (paper) or 1 (beer11).
struct Child {
  double value;
  int32_t begin, length, low;
  bool word() const { return length == 1; }
};

double operator_score(OpScore op, const int32_t *p, int32_t n) {
  const double m = n;
  switch (op) {
    case OpScore::monotone:
      return 0.0;
    case OpScore::kendall:
      return 1.0 - flat_count(p, n, Flat::inversions) / (m * (m - 1.0) / 2.0);
    case OpScore::spearman:
      return 1.0 - 3.0 * flat_count(p, n, Flat::squares) / (m * (m * m - 1.0));
    case OpScore::footrule:
      return 1.0 - flat_count(p, n, Flat::footrule) / static_cast<double>(int64_t{n} * n / 2);
    case OpScore::hamming:
      return flat_count(p, n, Flat::fixed) / m;
    case OpScore::ulam:
      return (flat_count(p, n, Flat::rising) - 1.0) / (m - 1.0);
    case OpScore::fuzzy:
      return flat_count(p, n, Flat::adjacent) / (m - 1.0);
  }
  return 0.0;
}

// One diagonal of the chart of a chain: all runs of d children, from the runs of d - 1 children. row[a] is the sum of
// the shorter runs that start at a, column[b] of those that end at b. The mean over split points is the sum of a row
// and a column, so a run takes O(1) time and a chain O(m^2). If a split separates a single word, the mean is the other
// part alone (paper), so half of it is added a second time.
WO_CLONES void paper_diagonal(double *run, double *row, double *column, const double *word, int64_t m, int64_t d,
                              double head, double weight) {
  for (int64_t a = 0; a + d <= m; ++a) {
    const double now = head + weight * (row[a] + column[a + d] + word[a] * run[a + 1] + word[a + d - 1] * run[a]);
    run[a] = now;
    row[a] += now;
    column[a + d] += now;
  }
}

WO_CLONES void beer_diagonal(double *run, double *row, double *column, const double *from, int64_t m, int64_t d,
                             double head, double weight) {
  for (int64_t a = 0; a + d <= m; ++a) {
    const double now = head * (from[a + d] - from[a]) + weight * (row[a] + column[a + d]);
    run[a] = now;
    row[a] += now;
    column[a + d] += now;
  }
}

// The longest diagonal of a chain of words alone: all runs of the same length have the same value, so this takes O(m)
// time. Sums are those of the functions above, in the same order.
double chain_of_words(bool paper, double op, double beta, double rest, int64_t m) {
  double run = paper ? 0.0 : 1.0, sum = run;
  for (int64_t d = 2; d <= m; ++d) {
    if (!paper) {
      run = beta * op * static_cast<double>(d) + rest / (d - 1) * (sum + sum);
    } else if (d == 2) {
      run = op;
    } else {
      run = beta * op + rest / (2.0 * (d - 1)) * (sum + sum + run + run);
    }
    sum += run;
  }
  return run;
}

class Scorer {
 public:
  explicit Scorer(const RecursiveSettings &settings)
      : set_(settings), beta_(settings.beta), rest_(1.0 - settings.beta) {}

  double score(const int32_t *p, int32_t n) {
    const bool paper = set_.family == Family::paper;
    if (n == 0) return paper ? 1.0 : 0.0;
    if (n == 1) return 1.0;
    nodes_.clear();
    builder_.build(p, n, nodes_);
    pending_.clear();
    for (const Node &node : nodes_) {
      gather(p, node);
      Child whole{0.0, node.begin, node.end - node.begin, lowest()};
      whole.value = node.kind == prime ? single(prime_operator(), whole.length)
                                       : chain(node.kind == monotone ? 1.0 : set_.gamma, whole.length);
      pending_.push_back(whole);
    }
    const double value = pending_.back().value;
    if (paper) return value;
    const double least = shortest_chain(n) / n;
    return (value / n - least) / (1.0 - least);
  }

 private:
  // Removes the children of `node`, which are finished nodes and the words between them, from the stack.
  void gather(const int32_t *p, const Node &node) {
    size_t first = pending_.size();
    while (first > 0 && pending_[first - 1].begin >= node.begin) --first;
    children_.clear();
    const double word = set_.family == Family::paper ? 0.0 : 1.0;
    int32_t at = node.begin;
    for (size_t k = first; k < pending_.size(); ++k) {
      for (; at < pending_[k].begin; ++at) children_.push_back({word, at, 1, p[at]});
      children_.push_back(pending_[k]);
      at += pending_[k].length;
    }
    for (; at < node.end; ++at) children_.push_back({word, at, 1, p[at]});
    pending_.resize(first);
  }

  int32_t lowest() const {
    int32_t low = children_[0].low;
    for (const Child &c : children_) low = std::min(low, c.low);
    return low;
  }

  double prime_operator() {
    if (set_.op == OpScore::monotone) return 0.0;
    const int32_t m = static_cast<int32_t>(children_.size());
    by_value_.resize(m);
    operator_.resize(m);
    std::iota(by_value_.begin(), by_value_.end(), 0);
    std::sort(by_value_.begin(), by_value_.end(),
              [this](int32_t x, int32_t y) { return children_[x].low < children_[y].low; });
    for (int32_t r = 0; r < m; ++r) operator_[by_value_[r]] = r;
    return operator_score(set_.op, operator_.data(), m);
  }

  // A node that is not bracketed further.
  double single(double op, int32_t length) const {
    double sum = 0.0;
    int64_t inner = 0;
    for (const Child &c : children_) {
      sum += c.value;
      inner += !c.word();
    }
    if (set_.family == Family::beer11) return beta_ * op * length + rest_ * sum;
    return inner ? beta_ * op + rest_ * sum / inner : op;
  }

  // Two neighbouring parts under one operator; `length` is their total length.
  double join(double op, double left, bool left_word, double right, bool right_word, double length) const {
    if (set_.family == Family::beer11) return beta_ * op * length + rest_ * (left + right);
    const int inner = !left_word + !right_word;
    return inner ? beta_ * op + rest_ * (left + right) / inner : op;
  }

  double chain(double op, int32_t length) {
    const bool words_only = children_.size() == static_cast<size_t>(length);
    switch (set_.trees) {
      case Trees::left: {
        double value = children_[0].value, sum = children_[0].length;
        for (size_t k = 1; k < children_.size(); ++k) {
          const bool word = k == 1 && children_[0].word();
          sum += children_[k].length;
          value = join(op, value, word, children_[k].value, children_[k].word(), sum);
        }
        return value;
      }
      case Trees::right: {
        const size_t last = children_.size() - 1;
        double value = children_[last].value, sum = children_[last].length;
        for (size_t k = last; k-- > 0;) {
          const bool word = k + 1 == last && children_[last].word();
          sum += children_[k].length;
          value = join(op, children_[k].value, children_[k].word(), value, word, sum);
        }
        return value;
      }
      case Trees::flat:
        return single(op, length);
      case Trees::inferences:
        if (words_only) {
          return chain_of_words(set_.family == Family::paper, op, beta_, rest_, length);
        }
        return diagonals(op);
      case Trees::best:
      case Trees::all:
        if (set_.family == Family::beer11 && words_only) {
          return op == 1.0 ? length : shortest_chain(length);  // only single words: known without a chart
        }
        return words_only ? chart_of_words(op) : chart(op);
    }
    return 0.0;
  }

  // The mean over split points at every run of children, in O(m^2).
  double diagonals(double op) {
    const int64_t m = static_cast<int64_t>(children_.size());
    run_.assign(m + 1, 0.0);
    row_.assign(m + 1, 0.0);
    column_.assign(m + 1, 0.0);
    extra_.assign(m + 1, 0.0);
    const bool paper = set_.family == Family::paper;
    for (int64_t k = 0; k < m; ++k) {
      run_[k] = row_[k] = column_[k + 1] = children_[k].value;
      if (paper) {
        extra_[k] = children_[k].word();
      } else {
        extra_[k + 1] = extra_[k] + children_[k].length;
      }
    }
    int64_t d = 2;
    if (paper) {  // handle the shortest runs separately: two words have the score of their operator
      for (int64_t a = 0; a + 2 <= m; ++a) {
        const Child &x = children_[a], &y = children_[a + 1];
        run_[a] = join(op, x.value, x.word(), y.value, y.word(), 0.0);
        row_[a] += run_[a];
        column_[a + 2] += run_[a];
      }
      ++d;
    }
    for (; d <= m; ++d) {
      if (paper) {
        paper_diagonal(run_.data(), row_.data(), column_.data(), extra_.data(), m, d, beta_ * op,
                       rest_ / (2.0 * (d - 1)));
      } else {
        beer_diagonal(run_.data(), row_.data(), column_.data(), extra_.data(), m, d, beta_ * op, rest_ / (d - 1));
      }
    }
    return run_[0];
  }

  // The best bracketing, or the mean over bracketings, with the full chart in O(m^3).
  double chart(double op) {
    const size_t m = children_.size(), width = m + 1;
    check_length(m, longest_chart);
    run_.assign(m * width, 0.0);  // run_[a * width + b]: children a .. b - 1
    extra_.assign(m + 1, 0.0);
    for (size_t k = 0; k < m; ++k) {
      run_[k * width + k + 1] = children_[k].value;
      extra_[k + 1] = extra_[k] + children_[k].length;
    }
    catalan(static_cast<int32_t>(m));
    const bool best = set_.trees == Trees::best;
    for (size_t d = 2; d <= m; ++d) {
      for (size_t a = 0; a + d <= m; ++a) {
        const size_t b = a + d;
        const double length = extra_[b] - extra_[a];
        double value = 0.0;
        for (size_t k = a + 1; k < b; ++k) {
          const double score = join(op, run_[a * width + k], k == a + 1 && children_[a].word(), run_[k * width + b],
                                    k + 1 == b && children_[k].word(), length);
          if (best) {
            value = std::max(value, score);  // scores are not below 0
          } else {
            value += score * share_[k - a] * share_[b - k] / (4.0 * share_[d]);
          }
        }
        run_[a * width + b] = value;
      }
    }
    return run_[m];
  }

  // The same for words alone: all runs of the same length have the same value, so this takes O(m^2) time.
  double chart_of_words(double op) {
    const size_t m = children_.size();
    check_length(m, longest_words);
    run_.assign(m + 1, 0.0);
    catalan(static_cast<int32_t>(m));
    for (size_t d = 2; d <= m; ++d) {
      double value = 0.0;
      for (size_t k = 1; k < d; ++k) {
        const double score = join(op, run_[k], k == 1, run_[d - k], d - k == 1, static_cast<double>(d));
        if (set_.trees == Trees::best) {
          value = std::max(value, score);
        } else {
          value += score * share_[k] * share_[d - k] / (4.0 * share_[d]);
        }
      }
      run_[d] = value;
    }
    return run_[m];
  }

  static void check_length(size_t parts, size_t most) {
    if (parts <= most) return;
    throw std::length_error("a chain of " + std::to_string(parts) +
                            " parts is too long for all its trees; expected at most " + std::to_string(most));
  }

  // share_[k] = Catalan(k - 1) / 4^(k - 1) is the number of trees over k leaves, scaled to stay in range; a split of d
  // leaves at k accounts for share[k] share[d - k] / (4 share[d]) of the trees.
  void catalan(int32_t m) {
    if (share_.empty()) share_ = {0.0, 1.0};
    while (share_.size() <= static_cast<size_t>(m)) {
      const double k = static_cast<double>(share_.size());
      share_.push_back(share_.back() * (2.0 * k - 3.0) / (2.0 * k));
    }
  }

  // The value of an inverted chain of n words before rescaling (beer11), cached for every n.
  double shortest_chain(int32_t n) {
    if (least_.empty()) {
      least_ = {0.0, 1.0};
      least_sum_ = 1.0;
    }
    if (set_.trees == Trees::best || set_.trees == Trees::all) check_length(n, longest_words);
    catalan(n);
    while (least_.size() <= static_cast<size_t>(n)) {
      const size_t d = least_.size();
      double mean = 0.0;
      switch (set_.trees) {
        case Trees::left:
        case Trees::right:
          mean = least_[d - 1] + 1.0;
          break;
        case Trees::flat:
          mean = static_cast<double>(d);
          break;
        case Trees::inferences:
          mean = 2.0 * least_sum_ / static_cast<double>(d - 1);
          break;
        case Trees::best:
          for (size_t k = 1; k < d; ++k) mean = std::max(mean, least_[k] + least_[d - k]);
          break;
        case Trees::all:
          for (size_t k = 1; k < d; ++k) mean += share_[k] * share_[d - k] / (2.0 * share_[d]) * least_[k];
          break;
      }
      least_.push_back(rest_ * mean);  // <2,1> has score 0 in this family
      least_sum_ += least_.back();
    }
    return least_[n];
  }

  RecursiveSettings set_;
  double beta_, rest_;
  TreeBuilder builder_;
  std::vector<Node> nodes_;
  std::vector<Child> pending_, children_;
  std::vector<int32_t> by_value_, operator_;
  std::vector<double> run_, row_, column_, extra_, share_, least_;
  double least_sum_ = 0.0;
};

}  // namespace

void recursive_scores(const base::Batch &batch, const RecursiveSettings &settings, double *out) {
  Scorer scorer(settings);
  base::Memo<double> memo;
  for (int64_t s = 0; s < batch.size; ++s) {
    const auto [score, known] = memo.find(batch.begin(s), batch.length(s));
    if (!known) score = scorer.score(batch.begin(s), batch.length(s));
    out[s] = score;
  }
}

}  // namespace wordorder::order
