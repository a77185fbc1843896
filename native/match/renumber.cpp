#include "match/renumber.h"

#include <algorithm>

#include "base/bits.h"

namespace wordorder::match {

void renumber(const base::Batch &positions, std::vector<int32_t> &values, std::vector<int64_t> &ends) {
  std::vector<int32_t> counts;
  ends.assign(positions.size + 1, 0);
  values.resize(positions.offsets[positions.size]);
  int32_t *out = values.data();
  for (int64_t s = 0; s < positions.size; ++s) {
    const int32_t *const begin = positions.begin(s), *const end = begin + positions.length(s);
    uint64_t present = 0, high = 0;
    bool twice = false;
    for (const int32_t *at = begin; at < end; ++at) {
      if (*at < 0) continue;
      if (*at >= 64) {
        high = 1;
        continue;
      }
      twice |= present >> *at & 1;
      present |= uint64_t{1} << *at;
    }
    if (!high && !twice) {  // true for nearly all sentences: a rank is a count of bits
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) *out++ = base::count_ones(present & ((uint64_t{1} << *at) - 1));
      }
    } else {
      const int32_t largest = begin == end ? -1 : *std::max_element(begin, end);
      counts.assign(largest + 2, 0);
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) ++counts[*at + 1];
      }
      for (int32_t j = 0; j <= largest; ++j) counts[j + 1] += counts[j];
      // counts[j + 1] is one past the last rank of position j: words at equal positions take ranks downwards.
      for (const int32_t *at = begin; at < end; ++at) {
        if (*at >= 0) *out++ = --counts[*at + 1];
      }
    }
    ends[s + 1] = out - values.data();
  }
  values.resize(out - values.data());
}

}  // namespace wordorder::match
