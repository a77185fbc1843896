#include "neural/lstm.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/dispatch.h"
#include "base/lanes.h"

namespace wordorder::neural {

using namespace base;

namespace {

constexpr int64_t group_size = 32;  // sentences that take their steps together: more would not fit into the cache

typedef int32_t IntLanes __attribute__((vector_size(32), aligned(4), may_alias));

// x = e^x for |x| <= 80: 2^k times a polynomial of the rest, which is between -1/2 and 1/2 of log 2. Relative error
// below 2e-7.
WO_INLINE void apply_exp(Lanes &x) {
  const Lanes scaled = x * 1.44269504f;
  const IntLanes k = __builtin_convertvector(scaled + (scaled < 0 ? Lanes{} - 0.5f : Lanes{} + 0.5f), IntLanes);
  const Lanes whole = __builtin_convertvector(k, Lanes);
  const Lanes r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;  // log 2 in two parts
  Lanes sum = r * (1.0f / 5040) + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  const IntLanes bits = (k + 127) << 23;
  x = sum * reinterpret_cast<const Lanes &>(bits);
}

WO_INLINE void apply_bounds(Lanes &x) {
  x = x < -40.0f ? Lanes{} - 40.0f : x;
  x = x > 40.0f ? Lanes{} + 40.0f : x;
}

WO_INLINE void apply_sigmoid(Lanes &x) {
  x = -x;
  apply_bounds(x);
  apply_exp(x);
  x = 1.0f / (1.0f + x);
}

WO_INLINE void apply_tanh(Lanes &x) {
  x += x;
  apply_bounds(x);
  apply_exp(x);
  x = 1.0f - 2.0f / (x + 1.0f);
}

// One step of one sentence: from the four gates (each `width` apart) and the cell to the new cell and state.
WO_CLONES void take_step(const float *gates, int64_t width, float *cell, float *state) {
  for (int64_t c = 0; c < width; c += lane_count) {
    Lanes gate[4];
    for (int g = 0; g < 4; ++g) gate[g] = *reinterpret_cast<const Lanes *>(gates + g * width + c);
    for (const int g : {0, 1, 3}) apply_sigmoid(gate[g]);
    apply_tanh(gate[2]);
    Lanes &own = *reinterpret_cast<Lanes *>(cell + c);
    own = gate[1] * own + gate[0] * gate[2];
    Lanes shown = own;
    apply_tanh(shown);
    *reinterpret_cast<Lanes *>(state + c) = gate[3] * shown;
  }
}

// Both directions read the words of sentence s from `begins[s]` on. Sentences are sorted, the longest first.
void run_direction(const LstmDirection &direction, int32_t units, const float *projected, bool backward,
                   const int64_t *begins, const int32_t *lengths, int64_t sentences, float *out) {
  const int64_t width = padded(units), gate_width = in_panels(4 * units);
  std::vector<float> gates(sentences * gate_width), spread(4 * width, 0.0f);
  std::vector<float> cells(sentences * width, 0.0f), states(width, 0.0f), hidden(sentences * units, 0.0f);
  int64_t live = sentences;
  for (int32_t t = 0; t < lengths[0]; ++t) {
    while (lengths[live - 1] <= t) --live;
    const auto word = [&](int64_t s) { return begins[s] + (backward ? lengths[s] - 1 - t : t); };
    for (int64_t s = 0; s < live; ++s) std::copy_n(projected + word(s) * gate_width, gate_width, &gates[s * gate_width]);
    multiply(hidden.data(), live, direction.states, gates.data(), true);
    for (int64_t s = 0; s < live; ++s) {
      // Gates begin at whole lanes; what lies between them is not used.
      for (int g = 0; g < 4; ++g) std::copy_n(&gates[s * gate_width + g * units], units, &spread[g * width]);
      take_step(spread.data(), width, &cells[s * width], states.data());
      std::copy_n(states.data(), units, &hidden[s * units]);
      std::copy_n(states.data(), units, out + word(s) * 2 * units + (backward ? units : 0));
    }
  }
}

}  // namespace

void run_lstm(const LstmLayer &layer, const float *x, const int32_t *lengths, int64_t sentences, float *out) {
  const FlushSmall flush;
  std::vector<int64_t> begins(sentences + 1, 0), order(sentences);
  std::partial_sum(lengths, lengths + sentences, begins.begin() + 1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return lengths[a] > lengths[b]; });
  const int64_t gate_width = in_panels(4 * layer.units);
  std::vector<float> projected(begins.back() * gate_width);
  for (const bool backward : {false, true}) {
    const LstmDirection &direction = backward ? layer.backward : layer.forward;
    for (int64_t w = 0; w < begins.back(); ++w) {
      float *row = &projected[w * gate_width];
      std::copy_n(direction.bias, 4 * layer.units, row);
      std::fill(row + 4 * layer.units, row + gate_width, 0.0f);
    }
    multiply(x, begins.back(), direction.inputs, projected.data(), true);
    for (int64_t first = 0; first < sentences; first += group_size) {
      const int64_t size = std::min(group_size, sentences - first);
      std::vector<int64_t> own_begins(size);
      std::vector<int32_t> own_lengths(size);
      for (int64_t s = 0; s < size; ++s) {
        own_begins[s] = begins[order[first + s]];
        own_lengths[s] = lengths[order[first + s]];
      }
      run_direction(direction, layer.units, projected.data(), backward, own_begins.data(), own_lengths.data(), size,
                    out);
    }
  }
}

}  // namespace wordorder::neural
