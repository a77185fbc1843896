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

// Thai, Lao, Burmese and Khmer, and their vowels and tones after or around a consonant.
constexpr Range kOpen[] = {
    {0x0E01, 0x0E4E}, {0x0E81, 0x0ECE}, {0x1000, 0x103F}, {0x1050, 0x108F}, {0x109A, 0x109D}, {0x1780, 0x17DD},
};
constexpr Range kMark[] = {
    {0x0E30, 0x0E3A}, {0x0E45, 0x0E45}, {0x0E47, 0x0E4E}, {0x0EB0, 0x0EBC}, {0x0EC8, 0x0ECE}, {0x102B, 0x103E},
    {0x1056, 0x1059}, {0x105E, 0x1060}, {0x1062, 0x1064}, {0x1067, 0x106D}, {0x1071, 0x1074}, {0x1082, 0x108D},
    {0x108F, 0x108F}, {0x109A, 0x109D}, {0x17B4, 0x17D3}, {0x17DD, 0x17DD},
};

template <size_t N>
bool in(const Range (&ranges)[N], int32_t point) {
  const Range *const after = std::upper_bound(std::begin(ranges), std::end(ranges), point,
                                              [](int32_t p, const Range &range) { return p < range.first; });
  return after != std::begin(ranges) && point <= std::prev(after)->last;
}

Sign looked_up(int32_t point) {
  if (in(kOther, point)) return Sign::other;
  if (in(kAlone, point)) return Sign::alone;
  if (in(kOpen, point)) return in(kMark, point) ? Sign::mark : Sign::open;
  return Sign::letter;
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
