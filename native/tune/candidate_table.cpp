#include "tune/candidate_table.h"

#include <algorithm>
#include <cstring>

#include "tune/plain_number.h"

namespace wordorder::tune {
namespace {

uint64_t hashed(const void *data, size_t size, uint64_t seed) {
  const char *at = static_cast<const char *>(data);
  uint64_t hash = seed ^ (size * 0x9E3779B97F4A7C15u);
  for (; size >= 8; at += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  std::memcpy(&word, at, size);
  hash = (hash ^ word) * 0xC4CEB9FE1A85EC53u;
  return hash ^ (hash >> 29);
}

bool blank(char c) { return c == ' ' || c == '\t'; }

// The next field of a line and where the one after it begins. A separator is ||| between two blanks that are its own; the
// line counts as if it had a blank at either end.
bool next_field(std::string_view line, size_t &begin, std::string_view &field) {
  if (begin > line.size()) return false;
  for (size_t at = begin;; ++at) {
    at = line.find("|||", at);
    if (at == std::string_view::npos) break;
    const bool before = at == 0 || (at > begin && line[at - 1] == ' ');
    if (before && (at + 3 == line.size() || line[at + 3] == ' ')) {
      field = line.substr(begin, at == 0 ? 0 : at - 1 - begin);
      begin = at + 4;
      return true;
    }
  }
  field = line.substr(begin);
  begin = line.size() + 1;
  return true;
}

// Calls `each` with every word between blanks until it returns false.
template <class Each>
bool each_plain_word(std::string_view text, Each each) {
  size_t at = 0;
  while (true) {
    while (at < text.size() && blank(text[at])) ++at;
    if (at == text.size()) return true;
    const size_t begin = at;
    while (at < text.size() && !blank(text[at])) ++at;
    if (!each(text.substr(begin, at - begin))) return false;
  }
}

}  // namespace

template <class Equal>
int64_t CandidateTable::Index::find_or_add(uint64_t hash, Equal equal) {
  if (2 * count_ >= static_cast<int64_t>(slots_.size())) grow();
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].number >= 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && equal(slots_[at].number)) return slots_[at].number;
  }
  slots_[at] = {hash, count_++};
  return -1;
}

void CandidateTable::Index::grow() {
  std::vector<Slot> old(std::max<size_t>(64, 2 * slots_.size()), Slot{0, -1});
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot &slot : old) {
    if (slot.number < 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].number >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

CandidateTable::NameFacts &CandidateTable::name_facts(int32_t name) {
  if (facts_.size() <= static_cast<size_t>(name)) facts_.resize(name + 1);
  return facts_[name];
}

// The number, among the features of the candidate at hand, of one that does not fit; -1 if all do.
int64_t CandidateTable::bad_feature() {
  ++attempts_;
  for (size_t f = 0; f < used_.size(); ++f) {
    NameFacts &facts = name_facts(used_[f]);
    const int64_t size = ends_[f] - (f ? ends_[f - 1] : 0);
    if (size == 0 || (facts.size && facts.size != size) || facts.used_by == attempts_) return static_cast<int64_t>(f);
    facts.used_by = attempts_;
  }
  return -1;
}

// Keeps the candidate whose features are at hand, unless it is known.
void CandidateTable::keep(int64_t sentence, std::string_view text) {
  row_.clear();
  for (size_t f = 0, k = 0; f < used_.size(); ++f) {
    NameFacts &facts = name_facts(used_[f]);
    const size_t begin = k;
    if (!facts.size) {
      facts.size = ends_[f] - static_cast<int64_t>(begin);
      facts.column = columns_;
      columns_ += static_cast<int32_t>(facts.size);
    }
    for (; k < static_cast<size_t>(ends_[f]); ++k) {
      row_.emplace_back(facts.column + static_cast<int32_t>(k - begin), read_[k] == 0 ? 0.0 : read_[k]);
    }
  }
  if (!std::is_sorted(row_.begin(), row_.end())) std::sort(row_.begin(), row_.end());

  const uint64_t text_hash = hashed(text.data(), text.size(), static_cast<uint64_t>(sentence));
  int64_t number = text_index_.find_or_add(text_hash, [&](int64_t other) {
    const Text &known = texts_[other];
    return known.sentence == sentence && std::string_view(pool_).substr(known.begin, known.size) == text;
  });
  if (number < 0) {
    number = static_cast<int64_t>(texts_.size());
    texts_.push_back({sentence, static_cast<int64_t>(pool_.size()), static_cast<int64_t>(text.size())});
    pool_ += text;
  }
  uint64_t hash = static_cast<uint64_t>(number);
  for (const auto &[column, value] : row_) {
    hash = hashed(&value, sizeof value, hash ^ static_cast<uint64_t>(column));
  }
  const int64_t known = candidate_index_.find_or_add(hash, [&](int64_t other) {
    const size_t begin = candidates_[other].row;
    const size_t end = other + 1 < size() ? candidates_[other + 1].row : column_.size();
    if (candidates_[other].text != number || end - begin != row_.size()) return false;
    for (size_t k = 0; k < row_.size(); ++k) {
      if (column_[begin + k] != row_[k].first || value_[begin + k] != row_[k].second) return false;
    }
    return true;
  });
  if (known >= 0) return;
  candidates_.push_back({number, static_cast<int64_t>(column_.size())});
  for (const auto &[column, value] : row_) {
    column_.push_back(column);
    value_.push_back(value);
  }
}

bool CandidateTable::parse_features(std::string_view field) {
  used_.clear();
  ends_.clear();
  read_.clear();
  return each_plain_word(field, [&](std::string_view word) {
    const size_t equals = word.rfind('=');
    std::string_view number = word;
    if (equals != std::string_view::npos) {
      if (equals == 0) return false;
      used_.push_back(names_.number(word.substr(0, equals)));
      ends_.push_back(static_cast<int64_t>(read_.size()));
      number = word.substr(equals + 1);
      if (number.empty()) return true;
    } else if (used_.empty()) {
      return false;
    }
    double value;
    if (!plain_number(number, value)) return false;
    read_.push_back(value);
    ends_.back() = static_cast<int64_t>(read_.size());
    return true;
  });
}

bool CandidateTable::parse_line(std::string_view line) {
  size_t at = 0;
  std::string_view first, text, features, score;
  if (!next_field(line, at, first) || !next_field(line, at, text) || !next_field(line, at, features)) return false;
  int64_t sentence = 0;
  if (first.empty() || first.size() > 9) return false;
  for (const char c : first) {
    if (c < '0' || c > '9') return false;
    sentence = 10 * sentence + (c - '0');
  }
  if (!parse_features(features) || bad_feature() >= 0) return false;
  if (next_field(line, at, score)) {
    double unused;
    while (!score.empty() && score.back() == ' ') score.remove_suffix(1);
    if (!score.empty() && !plain_number(score, unused)) return false;
  }
  words_.clear();
  each_plain_word(text, [&](std::string_view word) {
    if (!words_.empty()) words_ += ' ';
    words_ += word;
    return true;
  });
  keep(sentence, words_);
  return true;
}

int64_t CandidateTable::add_lines(const char *text, int64_t size, int64_t begin) {
  while (begin < size) {
    const void *const found = std::memchr(text + begin, '\n', size - begin);
    const int64_t end = found ? static_cast<const char *>(found) - text : size;
    const bool carriage_return = end > begin && text[end - 1] == '\r';
    if (!parse_line(std::string_view(text + begin, end - begin - carriage_return))) return begin;
    begin = std::min(end + 1, size);
  }
  return size;
}

int64_t CandidateTable::add(int64_t sentence, std::string_view text, const std::vector<Feature> &features) {
  used_.clear();
  ends_.clear();
  read_.clear();
  for (const Feature &feature : features) {
    used_.push_back(names_.number(feature.first));
    read_.insert(read_.end(), feature.second.begin(), feature.second.end());
    ends_.push_back(static_cast<int64_t>(read_.size()));
  }
  const int64_t bad = bad_feature();
  if (bad < 0) keep(sentence, text);
  return bad;
}

CandidateTable::Sorted CandidateTable::sorted() {
  Sorted out;
  const int64_t count = size();
  std::vector<int64_t> order(count), place(texts_.size(), -1);
  for (int64_t c = 0; c < count; ++c) order[c] = c;
  const auto sentence = [&](int64_t c) { return texts_[candidates_[c].text].sentence; };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return sentence(a) < sentence(b); });
  text_index_ = candidate_index_ = Index();
  out.rows.push_back(0);
  out.columns.reserve(column_.size());
  out.values.reserve(value_.size());
  for (const int64_t c : order) {
    int64_t &text = place[candidates_[c].text];
    if (text < 0) {
      const Text &known = texts_[candidates_[c].text];
      text = static_cast<int64_t>(out.texts.size());
      out.texts.emplace_back(pool_, known.begin, known.size);
    }
    out.sentence.push_back(sentence(c));
    out.text.push_back(text);
    const int64_t end = c + 1 < count ? candidates_[c + 1].row : static_cast<int64_t>(column_.size());
    out.columns.insert(out.columns.end(), column_.begin() + candidates_[c].row, column_.begin() + end);
    out.values.insert(out.values.end(), value_.begin() + candidates_[c].row, value_.begin() + end);
    out.rows.push_back(static_cast<int64_t>(out.columns.size()));
  }
  std::vector<std::pair<int32_t, size_t>> used;  // names by their first column
  for (size_t name = 0; name < facts_.size(); ++name) {
    if (facts_[name].size) used.emplace_back(facts_[name].column, name);
  }
  std::sort(used.begin(), used.end());
  for (const auto &[column, name] : used) out.features.emplace_back(names_.words()[name], facts_[name].size);
  *this = CandidateTable();
  return out;
}

}  // namespace wordorder::tune
