// Words as runs of letters: what separates them, in any script.
#pragma once

#include <cstdint>
#include <string_view>

namespace wordorder::text {

enum class Sign : int {
  other,   // white space, punctuation, symbols
  letter,  // letters, marks and digits: they make words together
  alone,   // Han characters and kana: a word each
};

// The class of a code point. Everything that is not listed as punctuation or symbol is a letter, so that
// marks and joiners stay inside their words.
Sign sign_of(int32_t point);

// The code point at `at` and its length in bytes; well-formed UTF-8 is expected.
struct Decoded {
  int32_t point;
  int bytes;
};
inline Decoded decoded(const char *at, const char *end) {
  const unsigned char c = *at;
  if (c < 0x80) return {c, 1};
  const int bytes = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  int32_t point = c & (0x7F >> bytes);
  for (int k = 1; k < bytes && at + k < end; ++k) point = point << 6 | (at[k] & 0x3F);
  return {point, bytes};
}

// Calls `each` with every word, cut to its first `most` characters (0: whole).
template <class Each>
void each_run(const char *at, const char *end, int most, Each &&each) {
  while (at < end) {
    Decoded one = decoded(at, end);
    Sign sign = sign_of(one.point);
    if (sign == Sign::other) {
      at += one.bytes;
      continue;
    }
    const char *const begin = at, *cut = nullptr;
    int length = 0;
    do {
      at += one.bytes;
      if (++length == most) cut = at;
      if (sign == Sign::alone || at >= end) break;
      one = decoded(at, end);
      sign = sign_of(one.point);
    } while (sign == Sign::letter);
    const char *const stop = cut ? cut : at;
    each(std::string_view(begin, static_cast<size_t>(stop - begin)));
  }
}

}  // namespace wordorder::text
