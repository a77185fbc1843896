// Random derivations, drawn by their probability from a chart of sums.
#pragma once

#include <random>

#include "grammar/chart.h"
#include "grammar/derivation.h"

namespace wordorder::grammar {

class Sampler {
 public:
  Sampler(Chart &chart, uint64_t seed) : chart_(chart), random_(seed) {}
  void draw(Derivation &tree);

 private:
  void draw_slot(int32_t i, int32_t j, int32_t slot, Derivation &tree);
  void draw_state(int32_t i, int32_t j, int32_t state, Derivation &tree);
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  Chart &chart_;
  std::mt19937_64 random_;
};

}  // namespace wordorder::grammar
