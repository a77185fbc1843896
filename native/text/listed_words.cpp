#include "text/listed_words.h"

#include <algorithm>
#include <iterator>

#include "text/letters.h"

namespace wordorder::text {
namespace {

constexpr size_t kExpected = 256;  // different words for which room is made at once
constexpr int kPart = 4;           // letters of a part of a compound of frequent words
constexpr int kRarePart = 5;       // and of other words
constexpr int kLongest = 100;      // letters of a compound or form; else the time would grow with the square of the length
constexpr int kStem = 5;           // letters of the stem of a form
constexpr int kOtherForms = 2;     // of which so many others must be listed
constexpr int kStrangers = 20;     // one word in so many may have a letter that is not of the language
constexpr std::string_view kLinks[] = {"", "s", "es", "n", "en", "er", "e"};

// The bytes of the first `characters` characters of a word, or of all of it.
size_t bytes_of(std::string_view word, int characters) {
  size_t at = 0;
  while (at < word.size() && characters > 0) {
    do {
      ++at;
    } while (at < word.size() && (word[at] & 0xC0) == 0x80);
    --characters;
  }
  return at;
}

int letters_of(std::string_view word) {
  return static_cast<int>(std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Whether a word has a letter that is neither ASCII nor in an alphabet.
bool has_stranger(std::string_view word, const std::vector<int32_t> &alphabet) {
  const char *const end = word.data() + word.size();
  for (const char *at = word.data(); at < end;) {
    const Decoded character = decoded(at, end);
    if (character.point >= 0x80 && !std::binary_search(alphabet.begin(), alphabet.end(), character.point)) return true;
    at += character.bytes;
  }
  return false;
}

// A word without its digits.
std::string without_digits(std::string_view word) {
  std::string letters;
  std::copy_if(word.begin(), word.end(), std::back_inserter(letters), [](char c) { return c < '0' || c > '9'; });
  return letters;
}

bool ends_with(std::string_view word, std::string_view end) {
  return word.size() >= end.size() && word.substr(word.size() - end.size()) == end;
}

}  // namespace

ListedWords::ListedWords(std::string words, std::vector<int64_t> classes, int64_t parts, std::string endings)
    : list_(std::move(words), 0, 0), classes_(std::move(classes)), parts_(parts), ending_lines_(std::move(endings)) {
  endings_.begin(kExpected);
  const std::string_view lines = ending_lines_;
  for (size_t at = 0; at < lines.size();) {
    const size_t stop = std::min(lines.find('\n', at), lines.size());
    std::vector<std::string_view> own;
    for (size_t end; at < stop; at = end + 1) {
      end = std::min(lines.find(' ', at), stop);
      own.push_back(lines.substr(at, end - at));
    }
    at = stop + 1;
    if (own.empty()) continue;
    if (endings_.add(own.front()) < static_cast<int32_t>(related_.size())) continue;  // given twice
    longest_ending_ = std::max(longest_ending_, letters_of(own.front()));
    own.erase(own.begin());
    std::replace(own.begin(), own.end(), std::string_view("-"), std::string_view());
    related_.push_back(std::move(own));
  }
}

int ListedWords::rarity(std::string_view word) const {
  const int64_t place = list_.place(word);
  int number = 1;
  for (const int64_t end : classes_) number += place < 0 || place >= end;
  return number;
}

bool ListedWords::is_form(std::string_view word) const {
  const int letters = letters_of(word);
  if (letters > kLongest) return false;
  std::string other;
  for (int k = std::max(kStem, letters - longest_ending_); k < letters; ++k) {
    const std::string_view stem = word.substr(0, bytes_of(word, k));
    const int32_t ending = endings_.get(word.substr(stem.size()));
    if (ending < 0) continue;
    int listed = 0;
    for (const std::string_view related : related_[ending]) {
      other.assign(stem).append(related);
      listed += list_.place(other) >= 0;
      if (listed == kOtherForms) return true;
    }
  }
  return false;
}

template <class First, class Last>
bool ListedWords::is_divided(std::string_view word, const First &is_first, const Last &is_last) const {
  const int letters = letters_of(word);
  if (letters > kLongest) return false;
  for (int k = kPart; k + kPart <= letters; ++k) {
    const size_t cut = bytes_of(word, k);
    if (!is_last(word.substr(cut))) continue;
    const std::string_view first = word.substr(0, cut);
    for (const std::string_view link : kLinks) {
      if (ends_with(first, link) && is_first(first.substr(0, first.size() - link.size()))) return true;
    }
  }
  return false;
}

bool ListedWords::is_compound(std::string_view word) const {
  const auto is_part = [&](std::string_view part) {
    const int64_t place = list_.place(part);
    return place >= 0 && place < parts_ && letters_of(part) >= kPart;
  };
  return is_divided(word, is_part, is_part);
}

bool ListedWords::is_derived(std::string_view word) const {
  const auto is_part = [&](std::string_view part) { return list_.place(part) >= 0 && letters_of(part) >= kRarePart; };
  const auto is_last = [&](std::string_view part) { return is_part(part) || is_form(part); };
  return is_form(word) || is_divided(word, is_part, is_last);
}

ListedWords::Facts ListedWords::facts(std::string_view word) const {
  const WordList::Facts own = list_.facts(word);
  const bool known = own.listed || is_compound(word), derived = !known && is_derived(word);
  return {rarity(word), known, derived, !known && !derived && own.strangeness > 0};
}

ListedTexts::ListedTexts(const ListedWords &list, const std::vector<std::string_view> &written,
                         const std::vector<std::string_view> &lowered) {
  numbers_.begin(kExpected);
  beginnings_.begin(kExpected);
  std::vector<std::string_view> words;
  for (size_t k = 0; k < lowered.size(); ++k) {
    words.clear();
    each_run(written[k].data(), written[k].data() + written[k].size(), 0, [&](std::string_view word) { words.push_back(word); });
    size_t run = 0;
    each_run(lowered[k].data(), lowered[k].data() + lowered[k].size(), 0, [&](std::string_view word) {
      const int32_t number = numbers_.add(word);
      const size_t beginning = bytes_of(word, 4);
      if (number == static_cast<int32_t>(facts_.size())) {
        // A number says nothing about the language, even if it has a unit; a digit does not hide a word.
        const std::string letters = without_digits(word);
        const bool numeral = letters.size() < word.size() && letters_of(letters) < kPart;
        facts_.push_back({list.facts(numeral ? word : letters), beginnings_.add(word.substr(0, beginning)), numeral});
      }
      // Lower case may have other words than the text in rare cases, such as that of the Turkish I with a dot.
      const size_t first = bytes_of(word, 1);
      const bool capital = run < words.size() && words[run].substr(0, std::min(first, words[run].size())) != word.substr(0, first);
      places_.push_back({number, capital});
      ++run;
    });
    begins_.push_back(static_cast<int64_t>(places_.size()));
  }
}

ListedShares ListedTexts::compare(int64_t hypothesis, int64_t reference, Room &room) const {
  const auto each = [&](int64_t text, auto &&see) {
    for (int64_t k = begins_[text]; k < begins_[text + 1]; ++k) see(places_[k], facts_[places_[k].word]);
  };
  double words = 0, all = 0, found = 0;
  ListedShares shares{};
  each(reference, [&](const Place &place, const Word &word) {
    ++room.left[place.word];
    ++room.beginning[word.beginning];
    words += !word.digits;
    all += word.rarity;
  });
  each(hypothesis, [&](const Place &place, const Word &word) {
    if (room.left[place.word] > 0) {
      --room.left[place.word];
      found += word.rarity;
    } else if (word.derived && !word.digits) {
      shares[5] += 1;
    } else if (!word.digits && !word.known) {
      const bool like = room.beginning[word.beginning] > 0;
      shares[2 * like + place.capital] += 1;
      shares[4] += word.strange && !like;
    }
  });
  each(reference, [&](const Place &place, const Word &word) { room.left[place.word] = room.beginning[word.beginning] = 0; });
  for (size_t k = 0; k + 1 < shares.size(); ++k) shares[k] = std::min(shares[k] / std::max(words, 1.0), 1.0);
  shares[6] = all > 0 ? found / all : (begins_[hypothesis + 1] == begins_[hypothesis] ? 1.0 : 0.0);
  return shares;
}

CommonWords::CommonWords(std::string words, int64_t each, const std::vector<std::string> &alphabets)
    : words_(std::move(words)) {
  for (const std::string &letters : alphabets) {
    std::vector<int32_t> &own = alphabets_.emplace_back();
    const char *const stop = letters.data() + letters.size();
    for (const char *letter = letters.data(); letter < stop;) {
      const Decoded character = decoded(letter, stop);
      own.push_back(character.point);
      letter += character.bytes;
    }
    std::sort(own.begin(), own.end());
  }
  numbers_.begin(kExpected);
  const char *at = words_.data(), *const end = at + words_.size();
  for (int64_t count = 0; at < end; ++count) {
    const char *const stop = std::find(at, end, '\n');
    const int32_t number = numbers_.add(std::string_view(at, static_cast<size_t>(stop - at)));
    if (number == static_cast<int32_t>(of_.size())) of_.push_back(0);
    languages_ = static_cast<int>(count / each) + 1;
    of_[number] |= uint32_t{1} << (count / each);
    at = stop + 1;
  }
}

bool CommonWords::is_written_with(std::string_view lowered, size_t language, int64_t words) const {
  if (language >= alphabets_.size() || alphabets_[language].empty()) return true;
  int64_t strangers = 0;
  each_run(lowered.data(), lowered.data() + lowered.size(), 0,
           [&](std::string_view word) { strangers += !has_digit(word) && has_stranger(word, alphabets_[language]); });
  return strangers <= 1 || kStrangers * strangers <= words;  // one may be a name
}

int CommonWords::language(std::string_view lowered, double least, double prior) const {
  std::array<int32_t, 32> found{};
  int64_t words = 0;
  each_run(lowered.data(), lowered.data() + lowered.size(), 0, [&](std::string_view word) {
    if (has_digit(word)) return;
    ++words;
    const int32_t number = numbers_.get(word);
    if (number < 0) return;
    for (uint32_t rest = of_[number]; rest; rest &= rest - 1) ++found[__builtin_ctz(rest)];
  });
  auto best = std::max_element(found.begin(), found.begin() + languages_);
  while (*best > 0 && !is_written_with(lowered, best - found.begin(), words)) {
    *best = 0;
    best = std::max_element(found.begin(), found.begin() + languages_);
  }
  // A single word that is common in one language says no more than another word that is common in another.
  if (*best <= 1 && std::count(best + 1, found.begin() + languages_, *best) > 0) return -1;
  return (*best + prior) / static_cast<double>(words + 1) > least ? static_cast<int>(best - found.begin()) : -1;
}

}  // namespace wordorder::text
