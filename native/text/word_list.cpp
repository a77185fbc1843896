#include "text/word_list.h"

#include <algorithm>
#include <stdexcept>

#include "text/letters.h"

namespace wordorder::text {
namespace {

constexpr size_t kExpected = 256;  // different words for which room is made at once

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

std::string front_decoded(std::string_view stored) {
  constexpr unsigned char kLeast = 32, kMost = 96;  // words consist of letters, all bytes of which are larger
  std::string words;
  words.reserve(4 * stored.size());
  size_t before = 0, length = 0;
  for (size_t at = 0; at < stored.size();) {
    const size_t shared = static_cast<unsigned char>(stored[at]) - size_t{kLeast};
    if (shared >= kMost - kLeast || shared > length) throw std::invalid_argument("words are not stored as expected");
    const size_t begin = words.size();
    words.resize(begin + shared);
    std::copy_n(words.begin() + before, shared, words.begin() + begin);
    for (++at; at < stored.size() && static_cast<unsigned char>(stored[at]) >= kMost; ++at) words += stored[at];
    before = begin;
    length = words.size() - begin;
    words += '\n';
  }
  return words;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::array<double, 5> shares(const UnmatchedWords &counts, double least, double prior) {
  const bool of_the_language = (counts.frequent + prior) / (counts.reference + 1) > least;
  const auto share = [&](double words, bool counted) {
    return counted ? std::min(words / std::max(counts.reference, 1.0), 1.0) : 0.0;
  };
  return {share(counts.unknown, of_the_language), share(counts.strange, of_the_language),
          share(counts.strangeness, of_the_language), share(counts.misspelt, of_the_language),
          share(counts.known, !of_the_language)};
}

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
  const size_t count = static_cast<size_t>(std::count(at, end, '\n'));
  places_.begin(count);
  while (at < end) {
    const char *const stop = std::find(at, end, '\n');
    places_.add({at, static_cast<size_t>(stop - at)});
    at = stop + 1;
  }
}

void WordList::see_all() const {
  seen_.begin(~uint64_t{0}, static_cast<size_t>(size()));
  const char *at = words_.data(), *const end = at + words_.size();
  while (at < end) {
    const char *const stop = std::find(at, end, '\n');
    each_four({at, static_cast<size_t>(stop - at)}, [&](uint64_t four) { seen_.add(four); });
    at = stop + 1;
  }
}

WordList::Facts WordList::facts(std::string_view word) const {
  Facts facts;
  const int64_t place = places_.get(word);
  if (place >= 0) {
    facts.listed = true;
    facts.frequent = place < frequent_;
    int letters = 0;
    for (const char c : word) letters += (c & 0xC0) != 0x80;
    facts.known = place < text_ && letters >= 4;
    return facts;
  }
  std::call_once(has_seen_, [this] { see_all(); });
  int all = 0, unseen = 0;
  each_four(word, [&](uint64_t four) {
    ++all;
    unseen += seen_.get(four) < 0;
  });
  if (all > 0) facts.strangeness = static_cast<double>(unseen) / all;
  return facts;
}

NumberedTexts::NumberedTexts(const WordList &list, const std::vector<std::string_view> &texts) {
  numbers_.begin(kExpected);
  beginnings_.begin(kExpected);
  for (const std::string_view text : texts) {
    int32_t frequent = 0;
    text::each_run(text.data(), text.data() + text.size(), 0, [&](std::string_view word) {
      if (has_digit(word)) return;
      const int32_t number = numbers_.add(word);
      if (number == static_cast<int32_t>(facts_.size())) {
        facts_.push_back({list.facts(word), beginnings_.add(beginning(word))});
      }
      frequent += facts_[number].frequent;
      words_.push_back(number);
    });
    begins_.push_back(static_cast<int64_t>(words_.size()));
    frequent_.push_back(frequent);
  }
}

UnmatchedWords NumberedTexts::count(int64_t hypothesis, int64_t reference, Room &room) const {
  const auto each = [&](int64_t text, auto &&see) {
    for (int64_t k = begins_[text]; k < begins_[text + 1]; ++k) see(words_[k], facts_[words_[k]]);
  };
  UnmatchedWords counts;
  counts.reference = static_cast<double>(begins_[reference + 1] - begins_[reference]);
  counts.frequent = frequent_[reference];
  each(reference, [&](int32_t number, const Word &word) {
    ++room.left[number];
    ++room.beginning[word.beginning];
  });
  each(hypothesis, [&](int32_t number, const Word &word) {
    if (room.left[number] > 0) {
      --room.left[number];
    } else if (word.listed) {
      counts.known += word.known;
    } else if (room.beginning[word.beginning] > 0) {  // another form or spelling of a reference word
      counts.misspelt += 1;
    } else {
      counts.unknown += 1;
      counts.strange += word.strangeness > 0;
      counts.strangeness += word.strangeness;
    }
  });
  each(reference, [&](int32_t number, const Word &word) { room.left[number] = room.beginning[word.beginning] = 0; });
  return counts;
}

}  // namespace wordorder::text
