#include "text/words.h"

#include <cstring>

#include "text/letters.h"

namespace wordorder::text {

int white(const char *at, const char *end) {
  const unsigned char c = *at;
  if (c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f)) return 1;
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

bool digit(char c) { return c >= '0' && c <= '9'; }
bool stop(char c) { return c == '.' || c == ','; }
// ASCII punctuation that is always a separate word: all except  ' , - .
bool symbol(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

void replace_all(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

// Replaces symbols and pairs of neighbours from left to right without overlap, like four regular expressions applied
// one after the other. Bytes of characters beyond ASCII are neither digits nor stops.
void tokenise_13a(std::string_view line, std::string &out, std::string &spare) {
  out.assign(1, ' ');
  out.append(line);
  out.push_back(' ');
  replace_all(out, "<skipped>", "");
  if (out.find('&') != std::string::npos) {
    replace_all(out, "&quot;", "\"");
    replace_all(out, "&amp;", "&");
    replace_all(out, "&lt;", "<");
    replace_all(out, "&gt;", ">");
  }
  spare.clear();
  for (const char c : out) {  // symbols
    if (symbol(c)) {
      spare.push_back(' ');
      spare.push_back(c);
      spare.push_back(' ');
    } else {
      spare.push_back(c);
    }
  }
  const auto pairs = [](const std::string &from, std::string &to, auto first, auto second, bool before, bool after) {
    to.clear();
    for (size_t i = 0; i < from.size(); ++i) {
      if (i + 1 < from.size() && first(from[i]) && second(from[i + 1])) {
        if (before) to.push_back(' ');
        to.push_back(from[i]);
        to.push_back(' ');
        to.push_back(from[++i]);
        if (after) to.push_back(' ');
      } else {
        to.push_back(from[i]);
      }
    }
  };
  const auto no_digit = [](char c) { return !digit(c); };
  pairs(spare, out, no_digit, stop, false, true);                          // a stop not after a digit
  pairs(out, spare, stop, no_digit, true, false);                          // a stop not before a digit
  pairs(spare, out, digit, [](char c) { return c == '-'; }, false, true);  // a dash after a digit
}

int32_t WordTable::number(std::string_view word) {
  const auto known = numbers_.find(word);
  if (known != numbers_.end()) return known->second;
  const int32_t id = static_cast<int32_t>(words_.size());
  words_.emplace_back(word);
  numbers_.emplace(words_.back(), id);
  return id;
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
  const auto unknown = static_cast<int32_t>(words_.size());
  const char *at = text, *const stop_at = text + size;
  while (at < stop_at) {
    const char *end = static_cast<const char *>(std::memchr(at, '\n', stop_at - at));
    if (end == nullptr) end = stop_at;
    each_word(at, end, [&](std::string_view word) {
      const auto known = numbers_.find(word);
      ids.push_back(known != numbers_.end() ? known->second : unknown);
    });
    ends.push_back(static_cast<int64_t>(ids.size()));
    at = end + 1;
  }
}

}  // namespace wordorder::text
