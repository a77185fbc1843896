#include "text/letters.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace wordorder::text {
namespace {

struct Range {
  int32_t first, last;
};

// Punctuation, symbols and white space beyond ASCII, in ascending order.
constexpr Range kOther[] = {
#include "text/letters_table.h"
};
constexpr Range kAlone[] = {
    {0x3005, 0x3007}, {0x3041, 0x3096}, {0x309D, 0x309F}, {0x30A1, 0x30FA}, {0x30FC, 0x30FF},
    {0x31F0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x3FFFF},
};

template <size_t N>
bool in(const Range (&ranges)[N], int32_t point) {
  const Range *const after = std::upper_bound(std::begin(ranges), std::end(ranges), point,
                                              [](int32_t p, const Range &range) { return p < range.first; });
  return after != std::begin(ranges) && point <= std::prev(after)->last;
}

Sign looked_up(int32_t point) {
  if (in(kOther, point)) return Sign::other;
  return in(kAlone, point) ? Sign::alone : Sign::letter;
}

// Most text is below U+0800, where a table replaces the search.
const std::array<Sign, 0x800> kLow = [] {
  std::array<Sign, 0x800> low{};
  for (int32_t point = 0; point < 0x800; ++point) low[point] = looked_up(point);
  return low;
}();

}  // namespace

Sign wide_sign(int32_t point) { return point < 0x800 ? kLow[point] : looked_up(point); }

}  // namespace wordorder::text
