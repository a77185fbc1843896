#include "crf/best_tree.h"

#include <algorithm>
#include <limits>

namespace wordorder::crf {

namespace {
constexpr double never = -std::numeric_limits<double>::infinity();
}

template <class T>
double best_tree(const T *scores, int32_t n, bool canonical, std::vector<TreeNode> &tree) {
  tree.clear();
  if (n < 2) return 0;
  const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
  std::vector<double> best[2];
  std::vector<int32_t> cut[2];
  for (int op = 0; op < 2; ++op) {
    best[op].assign(cells, never);
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
  const double total = any(0, n);
  if (total == never) return never;
  struct Open {
    int32_t i, j, op;  // op -1: whichever is better
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
  return total;
}

template double best_tree(const float *, int32_t, bool, std::vector<TreeNode> &);
template double best_tree(const double *, int32_t, bool, std::vector<TreeNode> &);

}  // namespace wordorder::crf
