#include "crf/state_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crf/edges.h"

namespace wordorder::crf {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double least = 1e-38;  // smaller probabilities do not fit a float

double log_sum(const std::vector<double> &terms) {
  const double most = *std::max_element(terms.begin(), terms.end());
  if (most == never) return never;
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}

}  // namespace

double StateChart::inside(const float *scores, const float *weights, const float *transitions, int32_t n) {
  n_ = n;
  transitions_ = transitions;
  log_z_ = 0;
  if (n < 2) return log_z_;
  const int64_t edges = edge_count(n);
  value_.assign(cell(n, n) + labels_, never);
  for (auto &part : part_) part.assign(value_.size(), never);
  for (int32_t i = 0; i < n; ++i) {
    for (auto &part : part_) std::fill_n(&part[cell(i, i + 1)], labels_, 0.0);
  }
  edge_.assign(edges * labels_, 0);
  std::vector<double> terms(labels_), most(labels_), sums(labels_);
  int64_t first = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i, first += d - 1) {
      const int32_t j = i + d;
      double *value = &value_[cell(i, j)];
      std::fill(most.begin(), most.end(), never);
      for (int32_t k = i + 1; k < j; ++k) {
        const int64_t edge = first + k - i - 1;
        const double *left = &part_[0][cell(i, k)], *right = &part_[1][cell(k, j)];
        double *term = &edge_[edge * labels_];
        for (int32_t l = 0; l < labels_; ++l) {
          term[l] = left[l] + right[l] + static_cast<double>(scores[(l / 2) * 2 * edges + 2 * edge + l % 2]);
          if (weights) term[l] += static_cast<double>(weights[2 * edge + l % 2]);
          most[l] = std::max(most[l], term[l]);
        }
      }
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int32_t k = i + 1; k < j; ++k) {
        double *term = &edge_[(first + k - i - 1) * labels_];
        for (int32_t l = 0; l < labels_; ++l) sums[l] += term[l] = most[l] == never ? 0 : std::exp(term[l] - most[l]);
      }
      for (int32_t k = i + 1; k < j; ++k) {
        double *term = &edge_[(first + k - i - 1) * labels_];
        for (int32_t l = 0; l < labels_; ++l) term[l] = most[l] == never ? 0 : term[l] / sums[l];
      }
      for (int32_t l = 0; l < labels_; ++l) value[l] = most[l] == never ? never : most[l] + std::log(sums[l]);
      for (int side = 0; side < 2; ++side) {
        for (int32_t parent = 0; parent < labels_; ++parent) {
          for (int32_t l = 0; l < labels_; ++l) {
            terms[l] = value[l] + static_cast<double>(transitions[(parent * labels_ + l) * 2 + side]);
          }
          part_[side][cell(i, j) + parent] = log_sum(terms);
        }
      }
    }
  }
  return log_z_ = log_sum({value_.begin() + cell(0, n), value_.begin() + cell(0, n) + labels_});
}

// Visits all spans from the longest to the shortest with their first edge and the posteriors of their labels, and adds
// `factor` times the posteriors of transitions unless `transitions` is null.
template <class Visit>
void StateChart::descend(float factor, float *transitions, Visit visit) const {
  const int32_t n = n_;
  std::vector<double> mass[2];  // how probable it is that a span is a part of a node with this label
  for (auto &side : mass) side.assign(value_.size(), 0);
  std::vector<double> posterior(labels_);
  int64_t first = edge_count(n);
  for (int32_t d = n; d >= 2; --d) {
    for (int32_t i = n - d; i >= 0; --i) {
      first -= d - 1;
      const int32_t j = i + d;
      const double *value = &value_[cell(i, j)];
      for (int32_t l = 0; l < labels_; ++l) posterior[l] = d == n ? std::exp(value[l] - log_z_) : 0;
      for (int side = 0; side < 2; ++side) {
        for (int32_t parent = 0; parent < labels_; ++parent) {
          const double p = mass[side][cell(i, j) + parent], all = part_[side][cell(i, j) + parent];
          if (!(p > 0)) continue;
          for (int32_t l = 0; l < labels_; ++l) {
            const int32_t t = (parent * labels_ + l) * 2 + side;
            const double q = p * std::exp(value[l] + static_cast<double>(transitions_[t]) - all);
            posterior[l] += q;
            if (transitions) transitions[t] += factor * static_cast<float>(q);
          }
        }
      }
      visit(i, j, first, posterior);
      for (int32_t k = i + 1; k < j; ++k) {
        const double *share = &edge_[(first + k - i - 1) * labels_];
        double *left = &mass[0][cell(i, k)], *right = &mass[1][cell(k, j)];
        for (int32_t l = 0; l < labels_; ++l) {
          left[l] += posterior[l] * share[l];
          right[l] += posterior[l] * share[l];
        }
      }
    }
  }
}

void StateChart::add_posteriors(float factor, float *edges, float *transitions) const {
  const int64_t count = edge_count(n_);
  if (n_ < 2) return;
  descend(factor, transitions, [&](int32_t i, int32_t j, int64_t first, const std::vector<double> &posterior) {
    for (int64_t edge = first; edge < first + j - i - 1; ++edge) {
      for (int32_t l = 0; l < labels_; ++l) {
        edges[(l / 2) * 2 * count + 2 * edge + l % 2] +=
            factor * static_cast<float>(posterior[l] * edge_[edge * labels_ + l]);
      }
    }
  });
}

void StateChart::project(float *out) const {
  if (n_ < 2) return;
  descend(0, nullptr, [&](int32_t i, int32_t j, int64_t first, std::vector<double> shares) {
    double sum = 0;
    for (const double p : shares) sum += p;
    if (!(sum > least)) {  // the span is so improbable that its labels are taken from its inside values alone
      shares.assign(&value_[cell(i, j)], &value_[cell(i, j)] + labels_);
      const double whole = log_sum(shares);
      for (double &p : shares) p = std::exp(p - whole);
      sum = 1;
    }
    for (int64_t edge = first; edge < first + j - i - 1; ++edge) {
      double by_op[2] = {0, 0};
      for (int32_t l = 0; l < labels_; ++l) by_op[l % 2] += shares[l] / sum * edge_[edge * labels_ + l];
      for (int op = 0; op < 2; ++op) out[2 * edge + op] = static_cast<float>(std::log(std::max(by_op[op], least)));
    }
  });
}

}  // namespace wordorder::crf
