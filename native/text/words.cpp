#include "text/words.h"

#include <array>
#include <cstring>
#include <utility>

#include "text/letters.h"

namespace wordorder::text {

int wide_white(const char *at, const char *end) {
  const unsigned char c = *at;
  if (c < 0xc2) return 0;
  const auto byte = [&](int k) { return at + k < end ? static_cast<unsigned char>(at[k]) : 0u; };
  if (c == 0xc2) return byte(1) == 0x85 || byte(1) == 0xa0 ? 2 : 0;  // U+0085, U+00A0
  if (c == 0xe1) return byte(1) == 0x9a && byte(2) == 0x80 ? 3 : 0;  // U+1680
  if (c == 0xe2) {
    if (byte(1) == 0x80) {  // U+2000-200A, 2028, 2029, 202F
      const unsigned b = byte(2);
      return (b >= 0x80 && b <= 0x8a) || b == 0xa8 || b == 0xa9 || b == 0xaf ? 3 : 0;
    }
    return byte(1) == 0x81 && byte(2) == 0x9f ? 3 : 0;  // U+205F
  }
  if (c == 0xe3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;  // U+3000
  return 0;
}

namespace {

// What a byte is for the tokenisation. Bytes of characters beyond ASCII are neither digits nor stops.
enum Kind : uint8_t { plain, digit = 1, stop = 2, dash = 4, symbol = 8 };

constexpr std::array<uint8_t, 256> kKinds = [] {
  std::array<uint8_t, 256> kinds{};
  for (int c = '0'; c <= '9'; ++c) kinds[c] = digit;
  kinds['.'] = kinds[','] = stop;
  kinds['-'] = dash;
  // ASCII punctuation that is always a separate word: all except  ' , - .
  for (const auto &[first, last] : {std::pair{'{', '~'}, {'[', '`'}, {' ', '&'}, {'(', '+'}, {':', '@'}, {'/', '/'}}) {
    for (int c = first; c <= last; ++c) kinds[c] = symbol;
  }
  return kinds;
}();

uint8_t kind(char c) { return kKinds[static_cast<unsigned char>(c)]; }

// Writes `from` to `to` with a blank between two neighbours of certain kinds, and another one before or after both.
template <class First, class Second>
void separate(const std::string &from, std::string &to, First first, Second second, bool before, bool after) {
  to.resize(2 * from.size());
  const char *at = from.data(), *const last = at + from.size() - 1;  // there are two bytes at least
  char *out = to.data();
  while (at < last) {
    if (first(kind(at[0])) && second(kind(at[1]))) {
      if (before) *out++ = ' ';
      *out++ = at[0];
      *out++ = ' ';
      *out++ = at[1];
      if (after) *out++ = ' ';
      at += 2;
    } else {
      *out++ = *at++;
    }
  }
  if (at == last) *out++ = *at;
  to.resize(out - to.data());
}

void replace_all(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

// Replaces symbols and pairs of neighbours from left to right without overlap, like four regular expressions applied
// one after the other.
void tokenise_13a(std::string_view line, std::string &out, std::string &spare) {
  spare.assign(1, ' ');
  spare.append(line);
  spare.push_back(' ');
  replace_all(spare, "<skipped>", "");
  if (spare.find('&') != std::string::npos) {
    replace_all(spare, "&quot;", "\"");
    replace_all(spare, "&amp;", "&");
    replace_all(spare, "&lt;", "<");
    replace_all(spare, "&gt;", ">");
  }
  out.resize(3 * spare.size());
  char *to = out.data();
  uint8_t kinds = 0;
  for (const char c : spare) {  // symbols
    const uint8_t its = kind(c);
    kinds |= its;
    *to++ = ' ';
    to -= its != symbol;
    *to++ = c;
    *to = ' ';
    to += its == symbol;
  }
  out.resize(to - out.data());
  const auto no_digit = [](uint8_t its) { return its != digit; };
  const auto is_stop = [](uint8_t its) { return its == stop; };
  if (kinds & stop) {
    separate(out, spare, no_digit, is_stop, false, true);  // a stop not after a digit
    separate(spare, out, is_stop, no_digit, true, false);  // a stop not before a digit
  }
  if ((kinds & digit) && (kinds & dash)) {  // a dash after a digit
    const auto is_digit = [](uint8_t its) { return its == digit; };
    const auto is_dash = [](uint8_t its) { return its == dash; };
    separate(out, spare, is_digit, is_dash, false, true);
    out.swap(spare);
  }
}

int32_t WordTable::number(std::string_view word) {
  const int32_t before = numbers_.size(), number = numbers_.add(word);
  if (number == before) numbers_.move_last(kept_.emplace_back(word));  // to where it stays
  return number;
}

void WordTable::clear() {
  numbers_.begin(0);
  kept_.clear();
}

void WordTable::encode_line(std::string_view line, std::vector<int32_t> &ids) {
  each_word(line.data(), line.data() + line.size(), [&](std::string_view word) { ids.push_back(number(word)); });
}

void WordTable::encode(const char *text, int64_t size, Splitter splitter, std::vector<int32_t> &ids,
                       std::vector<int64_t> &ends) {
  const char *at = text, *const stop_at = text + size;
  while (at < stop_at) {
    const char *end = static_cast<const char *>(std::memchr(at, '\n', stop_at - at));
    if (end == nullptr) end = stop_at;
    const std::string_view line(at, end - at);
    if (splitter == Splitter::letters) {
      each_run(at, end, 0, [&](std::string_view word) { ids.push_back(number(word)); });
    } else if (splitter == Splitter::mteval_13a) {
      tokenise_13a(line, buffer_, other_);
      encode_line(buffer_, ids);
    } else {
      encode_line(line, ids);
    }
    ends.push_back(static_cast<int64_t>(ids.size()));
    at = end + 1;
  }
}

void WordTable::look_up(const char *text, int64_t size, std::vector<int32_t> &ids, std::vector<int64_t> &ends) const {
  const int32_t unknown = numbers_.size();
  const char *at = text, *const stop_at = text + size;
  while (at < stop_at) {
    const char *end = static_cast<const char *>(std::memchr(at, '\n', stop_at - at));
    if (end == nullptr) end = stop_at;
    each_word(at, end, [&](std::string_view word) {
      const int32_t known = numbers_.get(word);
      ids.push_back(known >= 0 ? known : unknown);
    });
    ends.push_back(static_cast<int64_t>(ids.size()));
    at = end + 1;
  }
}

}  // namespace wordorder::text
