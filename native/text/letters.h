// Words as runs of letters, in any script.
#pragma once

#include <cstdint>
#include <string_view>

namespace wordorder::text {

enum class Sign : int {
  other,   // white space, punctuation, symbols
  letter,  // letters, marks and digits, which form words together
  alone,   // Han characters and kana, each of which is a word
  open,    // letters of scripts without spaces, such as Thai: each of them is a word, with the marks that follow it
  mark,    // vowels and tones of these scripts, which belong to the letter before
};

// The class of a code point beyond ASCII, for the function below.
Sign wide_sign(int32_t point);

// The class of a code point. Everything that is not listed as punctuation or a symbol counts as a letter, so that
// marks and joiners stay inside their words.
inline Sign sign_of(int32_t point) {
  if (point >= 0x80) return wide_sign(point);
  const bool letter = (point >= '0' && point <= '9') || ((point | 32) >= 'a' && (point | 32) <= 'z');
  return letter ? Sign::letter : Sign::other;
}

// A code point and its length in bytes. The text must be well-formed UTF-8.
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

// Calls `each` with every word, truncated to its first `most` characters (0 keeps whole words).
template <class Each>
void each_run(const char *at, const char *end, int most, Each &&each) {
  while (at < end) {
    Decoded character = decoded(at, end);
    Sign sign = sign_of(character.point);
    if (sign == Sign::other) {
      at += character.bytes;
      continue;
    }
    const char *const begin = at, *cut = nullptr;
    int length = 0;
    do {
      at += character.bytes;
      if (++length == most) cut = at;
      if (sign == Sign::alone || at >= end) break;
      const bool was_open = sign == Sign::open || sign == Sign::mark;
      character = decoded(at, end);
      sign = sign_of(character.point);
      if (was_open && sign != Sign::mark) break;
    } while (sign == Sign::letter || sign == Sign::mark);
    const char *const stop = cut ? cut : at;
    each(std::string_view(begin, static_cast<size_t>(stop - begin)));
  }
}

}  // namespace wordorder::text
