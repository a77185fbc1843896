#include "tune/mira.h"

#include <algorithm>

namespace wordorder::tune {
namespace {

// Calls use(name, difference) for the features in which candidate a and candidate b differ.
template <class Use>
void for_difference(const Candidates &all, int64_t a, int64_t b, Use use) {
  int64_t i = all.rows[a], j = all.rows[b];
  const int64_t i_end = all.rows[a + 1], j_end = all.rows[b + 1];
  while (i < i_end || j < j_end) {
    const bool left = j == j_end || (i < i_end && all.names[i] <= all.names[j]);
    const bool right = i == i_end || (j < j_end && all.names[j] <= all.names[i]);
    const int32_t name = left ? all.names[i] : all.names[j];
    const double difference = (left ? all.values[i++] : 0.0) - (right ? all.values[j++] : 0.0);
    if (difference != 0) use(name, difference);
  }
}

}  // namespace

void mira_pass(const Candidates &all, const double *gains, const int64_t *order, double most, MiraState &state) {
  for (int64_t k = 0; k < all.sentences; ++k) {
    ++state.steps;
    const int64_t first = all.starts[order[k]], last = all.starts[order[k] + 1];
    if (first == last) continue;
    int64_t hope = first, fear = first;
    double hope_value = 0, fear_value = 0, hope_score = 0, fear_score = 0;
    for (int64_t c = first; c < last; ++c) {
      const double score = all.score(c, state.weights);
      if (c == first || score + gains[c] > hope_value) hope = c, hope_value = score + gains[c], hope_score = score;
      if (c == first || score - gains[c] > fear_value) fear = c, fear_value = score - gains[c], fear_score = score;
    }
    const double loss = (gains[hope] - gains[fear]) - (hope_score - fear_score);
    if (hope == fear || loss <= 0) continue;
    double square = 0;
    for_difference(all, hope, fear, [&](int32_t, double d) { square += d * d; });
    if (square == 0) continue;
    const double step = std::min(most, loss / square);
    for_difference(all, hope, fear, [&](int32_t name, double d) {
      state.weights[name] += step * d;
      state.correction[name] += static_cast<double>(state.steps - 1) * step * d;
    });
  }
}

}  // namespace wordorder::tune
