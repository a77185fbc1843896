#include "crf/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dispatch.h"
#include "order/precedence.h"

namespace wordorder::crf {

namespace {
constexpr double never = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  const double most = std::max(a, b);
  return most == never ? never : most + std::log(std::exp(a - most) + std::exp(b - most));
}

// Fills the table of neighbours and adds the probability of each inverted edge to the pairs that it inverts. `shares`
// and `edges` are those of a chart.
WO_CLONES void fill_tables(int32_t n, bool canonical, const std::vector<double> *shares,
                           const std::vector<double> &edges, const std::vector<double> &posterior,
                           base::RectangleAdditions<double> &pairs, std::vector<double> &next) {
  const int32_t m = n + 1;
  // first[view][i][j][a] is the probability that a span begins with word a, given the op at its top (view 0 or 1) or
  // for any op (view 2); `last` is the probability that it ends with word a.
  std::vector<double> first[3], last[3];
  for (int view = canonical ? 0 : 2; view < 3; ++view) {
    first[view].assign(static_cast<size_t>(m) * m * n, 0);
    last[view].assign(static_cast<size_t>(m) * m * n, 0);
  }
  const auto cell = [&](int32_t i, int32_t j) { return (static_cast<size_t>(i) * m + j) * n; };
  for (int32_t i = 0; i < n; ++i) {
    for (int view = canonical ? 0 : 2; view < 3; ++view) {
      first[view][cell(i, i + 1) + i] = 1;
      last[view][cell(i, i + 1) + i] = 1;
    }
  }
  std::vector<double> begins(n), ends(n);
  int64_t at_edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      for (int op = 0; op < 2; ++op) {
        const double share = shares[op][i * m + j];
        const int right = canonical ? 1 - op : 2;
        std::fill(begins.begin() + i, begins.begin() + j, 0.0);
        std::fill(ends.begin() + i, ends.begin() + j, 0.0);
        for (int32_t k = i + 1; k < j; ++k) {
          const double p = edges[2 * (at_edge + k - i - 1) + op];
          if (!(p > 0)) continue;
          // A straight span begins with its left part and ends with its right part; an inverted one the other way
          // round.
          const double *a = &(op ? first[right] : first[2])[op ? cell(k, j) : cell(i, k)];
          const double *b = &(op ? last[2] : last[right])[op ? cell(i, k) : cell(k, j)];
          const int32_t a_from = op ? k : i, a_to = op ? j : k, b_from = op ? i : k, b_to = op ? k : j;
          for (int32_t w = a_from; w < a_to; ++w) begins[w] += p * a[w];
          for (int32_t w = b_from; w < b_to; ++w) ends[w] += p * b[w];
        }
        for (int32_t w = i; w < j; ++w) {
          first[2][cell(i, j) + w] += share * begins[w];
          last[2][cell(i, j) + w] += share * ends[w];
          if (canonical) {
            first[op][cell(i, j) + w] = begins[w];
            last[op][cell(i, j) + w] = ends[w];
          }
        }
      }
      at_edge += d - 1;
    }
  }
  // At an edge, the last word of one part is followed by the first word of the other. For each split, sum over the end
  // of the right part first, then over the start of the left part.
  std::vector<double> row(n);
  for (int32_t k = 1; k < n; ++k) {
    for (int32_t i = 0; i < k; ++i) {
      for (int op = 0; op < 2; ++op) {
        const int view = canonical ? 1 - op : 2;
        std::fill(row.begin() + k, row.end(), 0.0);
        bool possible = false;
        for (int32_t j = k + 1; j <= n; ++j) {
          const double q = posterior[2 * edge_number(n, i, k, j) + op];
          if (op) pairs.add(i, k, j, q);
          if (!(q > 0)) continue;
          possible = true;
          const double *part = &(op ? last[view] : first[view])[cell(k, j)];
          for (int32_t b = k; b < j; ++b) row[b] += q * part[b];
        }
        if (!possible) continue;
        const double *other = &(op ? first[2] : last[2])[cell(i, k)];
        for (int32_t a = i; a < k; ++a) {
          if (op) {
            for (int32_t b = k; b < n; ++b) next[b * m + a] += row[b] * other[a];
          } else {
            for (int32_t b = k; b < n; ++b) next[a * m + b] += row[b] * other[a];
          }
        }
      }
    }
  }
  for (int32_t a = 0; a < n; ++a) {
    next[n * m + a] = first[2][cell(0, n) + a];
    next[a * m + n] = last[2][cell(0, n) + a];
  }
}

}  // namespace

template <class T>
double Chart::inside(const T *scores, const T *weights, int32_t n, bool canonical) {
  n_ = n;
  canonical_ = canonical;
  const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
  any_.assign(cells, never);
  for (int op = 0; op < 2; ++op) {
    right_[op].assign(cells, never);
    share_[op].assign(cells, 0);
  }
  for (int32_t i = 0; i < n; ++i)
    any_[i * (n + 1) + i + 1] = right_[0][(i + 1) * (n + 1) + i] = right_[1][(i + 1) * (n + 1) + i] = 0;
  edge_.assign(2 * edge_count(n), 0);
  std::vector<double> terms(n);
  int64_t at_edge = 0;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i, at_edge += d - 1) {
      const int32_t j = i + d;
      const double *left = &any_[i * (n + 1) + i + 1];
      double value[2];
      for (int op = 0; op < 2; ++op) {
        const double *right = &right_[op][j * (n + 1) + i + 1];
        const T *score = scores + 2 * at_edge + op, *weight = weights ? weights + 2 * at_edge + op : nullptr;
        double *edge = &edge_[2 * at_edge + op];
        double most = never;
        for (int32_t k = 0; k < d - 1; ++k) {
          terms[k] = left[k] + right[k] + static_cast<double>(score[2 * k]);
          if (weight) terms[k] += static_cast<double>(weight[2 * k]);
          most = std::max(most, terms[k]);
        }
        value[op] = never;
        if (most == never) continue;
        double sum = 0;
        for (int32_t k = 0; k < d - 1; ++k) sum += edge[2 * k] = std::exp(terms[k] - most);
        for (int32_t k = 0; k < d - 1; ++k) edge[2 * k] /= sum;
        value[op] = most + std::log(sum);
      }
      const double both = log_add(value[0], value[1]);
      any_[i * (n + 1) + j] = both;
      for (int op = 0; op < 2; ++op) {
        share_[op][i * (n + 1) + j] = both == never ? 0 : std::exp(value[op] - both);
        right_[op][j * (n + 1) + i] = canonical ? value[1 - op] : both;
      }
    }
  }
  return log_z();
}

void Chart::edge_posteriors(std::vector<double> &out) {
  const int32_t n = n_;
  out.assign(edge_.size(), 0);
  if (n < 2 || log_z() == never) return;
  // The probability of each span: as a part with any op at the top, and as a part that must have a given op there.
  const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
  std::vector<double> free(cells, 0), bound[2];
  for (auto &table : bound) table.assign(canonical_ ? cells : 0, 0);
  free[n] = 1;
  int64_t at_edge = edge_count(n);
  for (int32_t d = n; d >= 2; --d) {
    for (int32_t i = n - d; i >= 0; --i) {
      at_edge -= d - 1;
      const int32_t j = i + d, cell = i * (n + 1) + j;
      for (int op = 0; op < 2; ++op) {
        const double p = free[cell] * share_[op][cell] + (canonical_ ? bound[op][cell] : 0);
        if (!(p > 0)) continue;
        std::vector<double> &parts = canonical_ ? bound[1 - op] : free;
        for (int32_t k = i + 1; k < j; ++k) {
          const int64_t e = 2 * (at_edge + k - i - 1) + op;
          const double q = p * edge_[e];
          out[e] = q;
          free[i * (n + 1) + k] += q;
          parts[k * (n + 1) + j] += q;
        }
      }
    }
  }
}

template <class T>
void Chart::add_posteriors(double factor, T *out) {
  std::vector<double> posterior;
  edge_posteriors(posterior);
  for (size_t e = 0; e < posterior.size(); ++e) out[e] += static_cast<T>(factor * posterior[e]);
}

void Chart::tables(std::vector<double> &inverted, std::vector<double> &next) {
  next.assign(static_cast<size_t>(n_ + 1) * (n_ + 1), 0);
  base::RectangleAdditions<double> pairs(n_);
  std::vector<double> posterior;
  edge_posteriors(posterior);
  fill_tables(n_, canonical_, share_, edge_, posterior, pairs, next);
  inverted = order::precedence_table(pairs);
}

template double Chart::inside(const float *, const float *, int32_t, bool);
template double Chart::inside(const double *, const double *, int32_t, bool);
template void Chart::add_posteriors(double, float *);
template void Chart::add_posteriors(double, double *);

}  // namespace wordorder::crf
