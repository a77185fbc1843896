#include "text/word_list.h"

#include <algorithm>

#include "text/letters.h"

namespace wordorder::text {
namespace {

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The first four characters of a word, or the whole word if it is shorter.
std::string_view beginning(std::string_view word) {
  size_t at = 0;
  for (int k = 0; k < 4; ++k) {
    if (at >= word.size()) return word;
    do {
      ++at;
    } while (at < word.size() && (word[at] & 0xC0) == 0x80);
  }
  return word.substr(0, at);
}

}  // namespace

template <class Each>
void WordList::each_four(std::string_view word, Each &&each) {
  constexpr int32_t kBegin = 2, kEnd = 3;  // control characters, which no word contains
  const char *at = word.data(), *const end = at + word.size();
  uint64_t window = kBegin;
  int length = 1;
  const auto push = [&](int32_t point) {
    window = window << 16 | static_cast<uint64_t>(point > 0xFFFF ? 0 : point);
    if (++length >= 4) each(window);
  };
  while (at < end) {
    const Decoded character = decoded(at, end);
    push(character.point);
    at += character.bytes;
  }
  push(kEnd);
}

WordList::WordList(std::string words, int64_t frequent, int64_t text)
    : words_(std::move(words)), frequent_(frequent), text_(text) {
  const char *at = words_.data(), *const end = at + words_.size();
  while (at < end) {
    const char *const stop = std::find(at, end, '\n');
    const std::string_view word(at, static_cast<size_t>(stop - at));
    places_.emplace(word, static_cast<int64_t>(places_.size()));
    each_four(word, [&](uint64_t four) { seen_.insert(four); });
    at = stop + 1;
  }
}

UnmatchedWords WordList::count(std::string_view hypothesis, std::string_view reference, Room &room) const {
  UnmatchedWords counts;
  room.left.clear();
  room.reference.clear();
  room.numbers.begin(reference.size() / 2 + 1);
  each_run(reference.data(), reference.data() + reference.size(), 0, [&](std::string_view word) {
    if (has_digit(word)) return;
    const int32_t number = room.numbers.add(word);
    if (number == static_cast<int32_t>(room.left.size())) {
      room.left.push_back(0);
      room.reference.push_back(word);
    }
    ++room.left[number];
    counts.reference += 1;
    const auto place = places_.find(word);
    counts.frequent += place != places_.end() && place->second < frequent_;
  });
  each_run(hypothesis.data(), hypothesis.data() + hypothesis.size(), 0, [&](std::string_view word) {
    if (has_digit(word)) return;
    const int32_t number = room.numbers.get(word);
    if (number >= 0 && room.left[number] > 0) {
      --room.left[number];
      return;
    }
    const auto place = places_.find(word);
    if (place != places_.end()) {
      if (place->second >= text_) return;
      int letters = 0;
      for (const char c : word) letters += (c & 0xC0) != 0x80;
      counts.known += letters >= 4;
      return;
    }
    const std::string_view begin = beginning(word);
    for (const std::string_view other : room.reference) {
      if (beginning(other) == begin) return;  // another form or spelling of a reference word
    }
    counts.unknown += 1;
    int all = 0, unseen = 0;
    each_four(word, [&](uint64_t four) {
      ++all;
      unseen += seen_.count(four) == 0;
    });
    counts.strange += unseen > 0;
    if (all > 0) counts.strangeness += static_cast<double>(unseen) / all;
  });
  return counts;
}

}  // namespace wordorder::text
