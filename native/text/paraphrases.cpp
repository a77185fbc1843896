#include "text/paraphrases.h"

#include <algorithm>

namespace wordorder::text {

namespace {

constexpr uint64_t kSeed = 0x243F6A8885A308D3u;
constexpr int32_t most_words = 1000;  // of a phrase; lengths of candidates have 16 bits

// Phrases are identified by a 64-bit hash: among ten million phrases, the odds that any two collide are about 1 : 10^5.
uint64_t extend(uint64_t hash, int32_t word) {
  hash = (hash ^ (static_cast<uint32_t>(word) + 1)) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

// Removes the next word from `text` and returns it; empty at the end.
std::string_view next_word(std::string_view &text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

}  // namespace

int32_t Paraphrases::word(std::string_view word) const {
  const auto at = words_.find(word);
  return at == words_.end() ? -1 : at->second;
}

int32_t Paraphrases::number(std::string_view text) {
  const int32_t known = word(text);
  if (known >= 0) return known;
  texts_.emplace_back(text);
  return words_.emplace(texts_.back(), static_cast<int32_t>(words_.size())).first->second;
}

int32_t Paraphrases::phrase_with(uint64_t hash) const {
  size_t at = hash & (table_.size() - 1);
  while (table_[at].second >= 0 && table_[at].first != hash) at = (at + 1) & (table_.size() - 1);
  return table_[at].second;
}

void Paraphrases::grow() {
  std::vector<std::pair<uint64_t, int32_t>> old(std::max<size_t>(1024, 2 * table_.size()), {0, -1});
  old.swap(table_);
  for (const auto &entry : old) {
    if (entry.second < 0) continue;
    size_t at = entry.first & (table_.size() - 1);
    while (table_[at].second >= 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = entry;
  }
}

int32_t Paraphrases::phrase(std::string_view text) {
  uint64_t hash = kSeed;
  int32_t length = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text), ++length) {
    hash = extend(hash, number(word));
  }
  if (!length || length > most_words) return -1;
  longest_ = std::max(longest_, length);
  if (2 * static_cast<size_t>(count_) >= table_.size()) grow();
  size_t at = hash & (table_.size() - 1);
  while (table_[at].second >= 0 && table_[at].first != hash) at = (at + 1) & (table_.size() - 1);
  if (table_[at].second < 0) table_[at] = {hash, count_++};
  return table_[at].second;
}

bool Paraphrases::read(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++line_) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view here = text.substr(at, end - at);
    at = end + 1;
    if (line_ % 3 == 0) {
      if (here.empty() || (here[0] != '.' && (here[0] < '0' || here[0] > '9'))) return false;
    } else if (line_ % 3 == 1) {
      if (first_ < 0 || here != first_text_) {  // the paraphrases of a phrase are listed one after the other
        first_ = phrase(here);
        first_text_ = here;
      }
      if (first_ < 0) return false;
    } else {
      const int32_t second = phrase(here);
      if (second < 0) return false;
      pairs_.emplace_back(first_, second);
    }
  }
  return true;
}

bool Paraphrases::finish() {
  if (line_ % 3) return false;
  const size_t size = pairs_.size();
  ends_.assign(count_ + 1, 0);
  for (const auto &[a, b] : pairs_) ++ends_[a + 1], ++ends_[b + 1];
  for (int32_t k = 0; k < count_; ++k) ends_[k + 1] += ends_[k];
  others_.resize(2 * size);
  std::vector<int64_t> next(ends_.begin(), ends_.end() - 1);
  for (const auto &[a, b] : pairs_) others_[next[a]++] = b, others_[next[b]++] = a;
  for (int32_t k = 0; k < count_; ++k) std::sort(others_.begin() + ends_[k], others_.begin() + ends_[k + 1]);
  pairs_ = {};
  if (table_.empty()) grow();
  return true;
}

void Paraphrases::find(const int32_t *numbers, int32_t n, std::vector<PhraseAt> &phrases) const {
  phrases.clear();
  for (int32_t begin = 0; begin < n; ++begin) {
    uint64_t hash = kSeed;
    for (int32_t k = begin; k < n && k - begin < longest_ && numbers[k] >= 0; ++k) {
      hash = extend(hash, numbers[k]);
      const int32_t phrase = phrase_with(hash);
      if (phrase >= 0) phrases.push_back({phrase, begin, k - begin + 1});
    }
  }
}

}  // namespace wordorder::text
