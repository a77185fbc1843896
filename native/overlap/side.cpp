#include "overlap/side.h"

#include "text/letters.h"
#include "text/words.h"

namespace wordorder::overlap {

void Side::cut(std::string_view line, const Cutting &cutting) {
  words.clear();
  const char *at = line.data(), *end = at + line.size();
  if (cutting.split == Cutting::spaces) {
    cut_at_spaces(at, end);
  } else if (cutting.split == Cutting::letters) {
    text::each_run(at, end, cutting.most, [&](std::string_view word) { words.emplace_back(word); });
  } else {
    if (cutting.split == Cutting::mteval_13a) {
      text::tokenise_13a(line, buffer, spare);
      at = buffer.data();
      end = at + buffer.size();
    }
    text::each_word(at, end, [&](std::string_view word) { words.emplace_back(word); });
  }
  decode(cutting);
}

void Side::cut_at_spaces(const char *at, const char *end) {
  const bool empty = at == end;
  while (at < end && end[-1] == ' ') --end;
  while (at < end) {
    const char *const begin = at;
    while (at < end && *at != ' ') ++at;
    words.emplace_back(begin, at - begin);
    while (at < end && *at == ' ') ++at;
  }
  if (empty) words.emplace_back("", 0);
}

// The text must be well-formed UTF-8, as Python writes it.
void Side::decode(const Cutting &cutting) {
  size_t most = words.size();  // blanks; no character has more symbols than bytes
  for (const std::string_view word : words) most += word.size();
  characters.resize(most);
  int32_t *out = characters.data();
  for (size_t w = 0; w < words.size(); ++w) {
    if (w > 0 && !cutting.solid) *out++ = ' ';
    const char *at = words[w].data(), *const end = at + words[w].size();
    while (at < end) {
      if (static_cast<unsigned char>(*at) < 0x80) {
        *out++ = *at++;
        continue;
      }
      const auto [point, bytes] = text::decoded(at, end);
      at += bytes;
      if (cutting.utf16 && point > 0xFFFF) {
        *out++ = 0xD800 + ((point - 0x10000) >> 10);
        *out++ = 0xDC00 + ((point - 0x10000) & 0x3FF);
      } else {
        *out++ = point;
      }
    }
  }
  characters.resize(static_cast<size_t>(out - characters.data()));
}

}  // namespace wordorder::overlap
