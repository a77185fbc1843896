// A batch of sentences, for example permutations or word numbers, in one array: sentence s is values[offsets[s]] ..
// values[offsets[s + 1]]. Values are 0-based and already validated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wordorder::base {

struct Batch {
  const int32_t *values;
  const int64_t *offsets;
  int64_t size;

  const int32_t *begin(int64_t s) const { return values + offsets[s]; }
  int32_t length(int64_t s) const { return static_cast<int32_t>(offsets[s + 1] - offsets[s]); }
};

}  // namespace wordorder::base
