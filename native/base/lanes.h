// Arithmetic on rows of 32-bit floats, eight at a time: products of small matrices, and powers of two that keep numbers
// in range. The functions are inlined into kernels that are compiled for several instruction sets (dispatch.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace wordorder::base {

#define WO_INLINE inline __attribute__((always_inline))

// Eight floats at any address.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));

constexpr int32_t lane_count = 8;
inline int32_t padded(int32_t size) { return (size + lane_count - 1) / lane_count * lane_count; }

// Treats denormal floats as zero during its lifetime: they are slow and too small to matter.
class FlushSmall {
 public:
#if defined(__SSE2__)
  FlushSmall() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); }
  ~FlushSmall() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#elif defined(__aarch64__)
  FlushSmall() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" : : "r"(before_ | uint64_t{1} << 24));
  }
  ~FlushSmall() { asm volatile("msr fpcr, %0" : : "r"(before_)); }

 private:
  uint64_t before_;
#endif
};

// 2^e; zero below the range of normal floats, the largest power above it.
WO_INLINE float power_of_two(int32_t e) {
  if (e < -126) return 0.0f;
  const uint32_t bits = static_cast<uint32_t>(std::min(e, 127) + 127) << 23;
  float out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

// The exponent e with 2^(e - 1) <= value < 2^e; 0 for zero.
WO_INLINE int32_t exponent_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return value > 0 ? static_cast<int32_t>(bits >> 23) - 126 : 0;
}

WO_INLINE float largest(const float *row, int32_t size) {
  float most = 0;
  for (int32_t i = 0; i < size; ++i) most = std::max(most, row[i]);
  return most;
}

// Scales a row so that its largest number is in [1/2, 1) and returns the exponent that was removed.
WO_INLINE int32_t normalise(float *row, int32_t size) {
  const int32_t e = exponent_of(largest(row, size));
  const float by = power_of_two(-e);
  for (int32_t i = 0; i < size; ++i) row[i] *= by;
  return e;
}

template <bool Max>
WO_INLINE void join(Lanes &sum, const Lanes &term) {
  if (Max) {
    sum = sum > term ? sum : term;
  } else {
    sum += term;
  }
}

// R rows and W groups of eight columns of a product; see `multiply`.
template <bool Max, int R, int W>
WO_INLINE void product_tile(const float *a, int64_t row_step, int64_t k_step, const float *b, int64_t b_step, int32_t k,
                            float *c, int64_t c_step, bool add) {
  Lanes sum[R][W];
  for (int r = 0; r < R; ++r) {
    for (int w = 0; w < W; ++w) {
      if (add) {
        sum[r][w] = *reinterpret_cast<const Lanes *>(c + r * c_step + w * lane_count);
      } else {
        sum[r][w] = Lanes{};
      }
    }
  }
  for (int32_t i = 0; i < k; ++i, a += k_step, b += b_step) {
    Lanes right[W];
    for (int w = 0; w < W; ++w) right[w] = *reinterpret_cast<const Lanes *>(b + w * lane_count);
    for (int r = 0; r < R; ++r) {
      const float x = a[r * row_step];
      const Lanes left = {x, x, x, x, x, x, x, x};
      for (int w = 0; w < W; ++w) join<Max>(sum[r][w], left * right[w]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int w = 0; w < W; ++w) *reinterpret_cast<Lanes *>(c + r * c_step + w * lane_count) = sum[r][w];
  }
}

template <bool Max, int R>
WO_INLINE void product_rows(const float *a, int64_t row_step, int64_t k_step, const float *b, int64_t b_step, int32_t k,
                            float *c, int64_t c_step, int32_t columns, bool add) {
  int32_t at = 0;
  for (; at + 2 * lane_count <= columns; at += 2 * lane_count) {
    product_tile<Max, R, 2>(a, row_step, k_step, b + at, b_step, k, c + at, c_step, add);
  }
  if (at < columns) product_tile<Max, R, 1>(a, row_step, k_step, b + at, b_step, k, c + at, c_step, add);
}

// c[r][x] = the sum over i < k of a[r][i] * b[i][x], or with Max the largest term; `columns` is a multiple of eight.
// a[r][i] is stored at a[r * row_step + i * k_step], so a may be transposed. With `add`, c is included in the sum.
template <bool Max = false>
WO_INLINE void multiply(const float *a, int64_t row_step, int64_t k_step, int32_t rows, const float *b, int64_t b_step,
                        int32_t k, float *c, int64_t c_step, int32_t columns, bool add) {
  int32_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    product_rows<Max, 4>(a + r * row_step, row_step, k_step, b, b_step, k, c + r * c_step, c_step, columns, add);
  }
  for (; r < rows; ++r) {
    product_rows<Max, 1>(a + r * row_step, row_step, k_step, b, b_step, k, c + r * c_step, c_step, columns, add);
  }
}

}  // namespace wordorder::base
