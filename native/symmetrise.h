// One alignment out of the two of both directions (Och and Ney 2003; Koehn, Och and Marcu 2003).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder {

enum class Symmetry : int {
  posterior, forward, reverse, intersection, unite, grow_diag, grow_diag_final, grow_diag_final_and,
};

class Symmetriser {
 public:
  // Grids of I * J cells, source position by source position, 0 or 1; the result replaces `forward`.
  void run(int32_t I, int32_t J, uint8_t *forward, const uint8_t *reverse, Symmetry how);

 private:
  void grow(int32_t I, int32_t J);
  void finish(int32_t I, int32_t J, const uint8_t *from, bool both);

  std::vector<uint8_t> both_, either_, source_, target_;  // alignment so far, union, words that have a link
};

}  // namespace wordorder
