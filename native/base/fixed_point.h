// Expected counts as integers: a sum of integers does not depend on the order in which threads add to it.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

namespace wordorder::base {

constexpr double fixed_unit = 4294967296.0;  // 2^32: a resolution of 2e-10 and a range of 2e9

inline int64_t fixed(double value) { return static_cast<int64_t>(std::llrint(value * fixed_unit)); }
inline double real(int64_t value) { return static_cast<double>(value) / fixed_unit; }

// Adds to an element of a plain array that several threads share. Atomic types have the size and alignment of integers.
inline void add_shared(int64_t *sum, int64_t value) {
#if defined(__GNUC__) || defined(__clang__)
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#else
  reinterpret_cast<std::atomic<int64_t> *>(sum)->fetch_add(value, std::memory_order_relaxed);
#endif
}

}  // namespace wordorder::base
