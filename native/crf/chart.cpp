#include "crf/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "decode/best_orders.h"
#include "base/dispatch.h"

namespace wordorder::crf {

namespace {
constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  const double most = std::max(a, b);
  return most == kNever ? kNever : most + std::log(std::exp(a - most) + std::exp(b - most));
}
}  // namespace

template <class T>
double CrfChart::inside(const T *scores, const T *weights, int32_t n, bool canonical) {
  n_ = n;
  canonical_ = canonical;
  const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
  any_.assign(cells, kNever);
  for (int op = 0; op < 2; ++op) {
    right_[op].assign(cells, kNever);
    share_[op].assign(cells, 0);
  }
  for (int32_t i = 0; i < n; ++i) any_[i * (n + 1) + i + 1] = right_[0][(i + 1) * (n + 1) + i] = right_[1][(i + 1) * (n + 1) + i] = 0;
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
        double most = kNever;
        for (int32_t k = 0; k < d - 1; ++k) {
          terms[k] = left[k] + right[k] + static_cast<double>(score[2 * k]);
          if (weight) terms[k] += static_cast<double>(weight[2 * k]);
          most = std::max(most, terms[k]);
        }
        value[op] = kNever;
        if (most == kNever) continue;
        double sum = 0;
        for (int32_t k = 0; k < d - 1; ++k) sum += edge[2 * k] = std::exp(terms[k] - most);
        for (int32_t k = 0; k < d - 1; ++k) edge[2 * k] /= sum;
        value[op] = most + std::log(sum);
      }
      const double both = log_add(value[0], value[1]);
      any_[i * (n + 1) + j] = both;
      for (int op = 0; op < 2; ++op) {
        share_[op][i * (n + 1) + j] = both == kNever ? 0 : std::exp(value[op] - both);
        right_[op][j * (n + 1) + i] = canonical ? value[1 - op] : both;
      }
    }
  }
  return log_z();
}

void CrfChart::span_posteriors(std::vector<double> &out) {
  const int32_t n = n_;
  out.assign(edge_.size(), 0);
  if (n < 2 || log_z() == kNever) return;
  // How probable the span is: in any place, and as a part that must have this op on top.
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
void CrfChart::add_posteriors(double by, T *out) {
  std::vector<double> found;
  span_posteriors(found);
  for (size_t e = 0; e < found.size(); ++e) out[e] += static_cast<T>(by * found[e]);
}

WO_CLONES void CrfChart::tables(std::vector<double> &inverted, std::vector<double> &next) {
  const int32_t n = n_, m = n + 1;
  next.assign(static_cast<size_t>(m) * m, 0);
  std::vector<double> diff(static_cast<size_t>(m) * m, 0), posterior;
  span_posteriors(posterior);
  // first[view][i][j][a]: how probable it is that a span, with this op on top or (2) with any, begins with
  // word a; last: that it ends with it.
  std::vector<double> first[3], last[3];
  for (int view = canonical_ ? 0 : 2; view < 3; ++view) {
    first[view].assign(static_cast<size_t>(m) * m * n, 0);
    last[view].assign(static_cast<size_t>(m) * m * n, 0);
  }
  const auto cell = [&](int32_t i, int32_t j) { return (static_cast<size_t>(i) * m + j) * n; };
  for (int32_t i = 0; i < n; ++i) {
    for (int view = canonical_ ? 0 : 2; view < 3; ++view) {
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
        const double share = share_[op][i * m + j];
        const int right = canonical_ ? 1 - op : 2;
        std::fill(begins.begin() + i, begins.begin() + j, 0.0);
        std::fill(ends.begin() + i, ends.begin() + j, 0.0);
        for (int32_t k = i + 1; k < j; ++k) {
          const double p = edge_[2 * (at_edge + k - i - 1) + op];
          if (!(p > 0)) continue;
          // Read straight, the span begins as its left part and ends as its right one.
          const double *a = &(op ? first[right] : first[2])[op ? cell(k, j) : cell(i, k)];
          const double *b = &(op ? last[2] : last[right])[op ? cell(i, k) : cell(k, j)];
          const int32_t a_from = op ? k : i, a_to = op ? j : k, b_from = op ? i : k, b_to = op ? k : j;
          for (int32_t w = a_from; w < a_to; ++w) begins[w] += p * a[w];
          for (int32_t w = b_from; w < b_to; ++w) ends[w] += p * b[w];
        }
        for (int32_t w = i; w < j; ++w) {
          first[2][cell(i, j) + w] += share * begins[w];
          last[2][cell(i, j) + w] += share * ends[w];
          if (canonical_) {
            first[op][cell(i, j) + w] = begins[w];
            last[op][cell(i, j) + w] = ends[w];
          }
        }
      }
      at_edge += d - 1;
    }
  }
  // At an edge the last word of one part meets the first of the other. For each cut: first over the far
  // boundary of one part, then over that of the other.
  std::vector<double> row(n);
  for (int32_t k = 1; k < n; ++k) {
    for (int32_t i = 0; i < k; ++i) {
      for (int op = 0; op < 2; ++op) {
        const int view = canonical_ ? 1 - op : 2;
        std::fill(row.begin() + k, row.end(), 0.0);
        bool some = false;
        for (int32_t j = k + 1; j <= n; ++j) {
          const double q = posterior[2 * (span_offset(n, i, j) + k - i - 1) + op];
          if (op) {
            diff[i * m + k] += q, diff[i * m + j] -= q;
            diff[k * m + k] -= q, diff[k * m + j] += q;
          }
          if (!(q > 0)) continue;
          some = true;
          const double *part = &(op ? last[view] : first[view])[cell(k, j)];
          for (int32_t b = k; b < j; ++b) row[b] += q * part[b];
        }
        if (!some) continue;
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
  inverted = decode::summed_corners(diff, n);
}

template <class T>
double best_tree(const T *scores, int32_t n, bool canonical, std::vector<CrfNode> &tree) {
  tree.clear();
  if (n < 2) return 0;
  const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
  std::vector<double> best[2];
  std::vector<int32_t> cut[2];
  for (int op = 0; op < 2; ++op) {
    best[op].assign(cells, kNever);
    cut[op].assign(cells, 0);
    for (int32_t i = 0; i < n; ++i) best[op][i * (n + 1) + i + 1] = 0;
  }
  const auto any = [&](int32_t i, int32_t j) { return std::max(best[0][i * (n + 1) + j], best[1][i * (n + 1) + j]); };
  const T *score = scores;
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d, cell = i * (n + 1) + j;
      for (int32_t k = i + 1; k < j; ++k) {
        for (int op = 0; op < 2; ++op, ++score) {
          const double right = canonical ? best[1 - op][k * (n + 1) + j] : any(k, j);
          const double value = any(i, k) + right + static_cast<double>(*score);
          if (value > best[op][cell]) best[op][cell] = value, cut[op][cell] = k;
        }
      }
    }
  }
  const double found = any(0, n);
  if (found == kNever) return kNever;
  struct Open {
    int32_t i, j, op;  // op -1: the better one
  };
  std::vector<Open> open{{0, n, -1}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    if (at.j - at.i == 1) continue;
    const int32_t cell = at.i * (n + 1) + at.j;
    const int32_t op = at.op >= 0 ? at.op : (best[1][cell] > best[0][cell] ? 1 : 0);
    const int32_t k = cut[op][cell];
    tree.push_back({at.i, k, at.j, op});
    open.push_back({k, at.j, canonical ? 1 - op : -1});
    open.push_back({at.i, k, -1});
  }
  return found;
}

void misordered(const int32_t *first, const int32_t *last, int32_t n, bool attach, float *wrong, float *moved) {
  // Where words without links are taken to stand; nowhere if no word has one.
  std::vector<int32_t> from(first, first + n), to(last, last + n);
  for (int32_t a = n - 2; a >= 0; --a) {
    if (from[a] < 0) from[a] = from[a + 1], to[a] = to[a + 1];
  }
  for (int32_t a = 1; a < n; ++a) {
    if (from[a] < 0) from[a] = from[a - 1], to[a] = to[a - 1];
  }
  // Sums over all pairs (a, b) with a below the row and b below the column: those that belong inverted and those that
  // belong straight, of words with links and of others.
  const int32_t m = n + 1;
  std::vector<int32_t> sums[4];
  for (auto &table : sums) table.assign(static_cast<size_t>(m) * m, 0);
  for (int32_t a = 0; a < n; ++a) {
    int32_t along[4] = {0, 0, 0, 0};
    for (int32_t b = 0; b < n; ++b) {
      const int32_t one = from[a] - from[b], other = to[a] - to[b];
      const bool straight = one <= 0 && other <= 0 && (one || other), inverted = one >= 0 && other >= 0 && (one || other);
      if (first[a] >= 0 && first[b] >= 0) {
        along[0] += inverted;
        along[1] += straight;
      } else if (attach) {
        along[2] += inverted;
        along[3] += straight || (!one && !other);
      } else {
        ++along[3];
      }
      for (int t = 0; t < 4; ++t) sums[t][(a + 1) * m + b + 1] = sums[t][a * m + b + 1] + along[t];
    }
  }
  for (int32_t d = 2; d <= n; ++d) {
    for (int32_t i = 0; i + d <= n; ++i) {
      const int32_t j = i + d;
      for (int32_t k = i + 1; k < j; ++k) {
        const auto rectangle = [&](int t) {
          const auto at = [&](int32_t a, int32_t b) { return sums[t][a * m + b]; };
          return static_cast<float>(at(k, j) - at(i, j) - at(k, k) + at(i, k));
        };
        *wrong++ = rectangle(0);
        *wrong++ = rectangle(1);
        *moved++ = rectangle(2);
        *moved++ = rectangle(3);
      }
    }
  }
}

template double CrfChart::inside(const float *, const float *, int32_t, bool);
template double CrfChart::inside(const double *, const double *, int32_t, bool);
template void CrfChart::add_posteriors(double, float *);
template void CrfChart::add_posteriors(double, double *);
template double best_tree(const float *, int32_t, bool, std::vector<CrfNode> &);
template double best_tree(const double *, int32_t, bool, std::vector<CrfNode> &);

}  // namespace wordorder::crf
