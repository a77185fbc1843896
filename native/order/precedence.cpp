#include "order/precedence.h"

#include <algorithm>

namespace wordorder::order {

std::vector<double> precedence_table(base::RectangleAdditions<double> &inverted) {
  const int64_t n = inverted.size();
  inverted.sum();
  std::vector<double> table(static_cast<size_t>(n * n), 0);
  for (int64_t a = 0; a < n; ++a) {
    for (int64_t b = a + 1; b < n; ++b) table[a * n + b] = std::min(1.0, std::max(0.0, inverted.cell(a, b)));
  }
  return table;
}

}  // namespace wordorder::order
