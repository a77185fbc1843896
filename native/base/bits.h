// Operations on the bits of one machine word.
#pragma once

#include <cstdint>

namespace wordorder::base {

inline int32_t count_ones(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_popcountll(bits);
#else
  int32_t count = 0;
  for (; bits; bits &= bits - 1) ++count;
  return count;
#endif
}

}  // namespace wordorder::base
