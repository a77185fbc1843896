#include "align/word_facts.h"

#include <algorithm>
#include <unordered_map>

#include "base/fixed_point.h"
#include "base/parallel.h"

namespace wordorder::align {

namespace {

std::u32string characters(const std::string &word) {
  std::u32string out;
  for (const unsigned char byte : word) {
    if ((byte & 0xC0) != 0x80) {
      out.push_back(byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1F : byte < 0xF0 ? byte & 0x0F : byte & 0x07);
    } else if (!out.empty()) {
      out.back() = out.back() << 6 | (byte & 0x3F);
    }
  }
  return out;
}

std::vector<std::u32string> characters(const std::vector<std::string> &words) {
  std::vector<std::u32string> out;
  out.reserve(words.size());
  for (const std::string &word : words) out.push_back(characters(word));
  return out;
}

// Writes the class of each word, numbered in order of appearance, and returns the number of classes.
int32_t classify(const std::vector<std::u32string> &words, int32_t prefix, std::vector<int32_t> &classes) {
  std::unordered_map<std::u32string, int32_t> numbers;
  classes.reserve(words.size());
  for (const std::u32string &word : words) {
    classes.push_back(numbers.emplace(word.substr(0, prefix), static_cast<int32_t>(numbers.size())).first->second);
  }
  return static_cast<int32_t>(numbers.size());
}

std::vector<float> shares(const std::vector<int64_t> &counts, const std::vector<int32_t> &classes, int32_t number) {
  std::vector<int64_t> total(number, 0);
  for (size_t w = 0; w < classes.size(); ++w) total[classes[w]] += counts[w];
  std::vector<float> out(classes.size());
  for (size_t w = 0; w < classes.size(); ++w) {
    out[w] = static_cast<float>(counts[w]) / static_cast<float>(std::max<int64_t>(total[classes[w]], 1));
  }
  return out;
}

}  // namespace

float likeness(const std::u32string &first, const std::u32string &second) {
  const size_t longer = std::max(first.size(), second.size()), shorter = std::min(first.size(), second.size());
  size_t common = 0;
  while (common < shorter && first[common] == second[common]) ++common;
  if (common == longer) return 1.0f;
  if (common < 3 || (common == 3 && 10 * common < 6 * longer)) return 0.0f;
  return static_cast<float>(common) / static_cast<float>(longer);
}

void WordFacts::build(const PairTable &table, const Vocabularies &words, int32_t prefix, double spelling,
                      double classes, int threads) {
  *this = WordFacts();
  spelling_ = spelling;
  classes_ = prefix > 0 ? classes : 0;
  const std::vector<std::u32string> source = characters(words.source), target = characters(words.target);
  const std::vector<int64_t> &rows = table.rows();
  const std::vector<int32_t> &columns = table.columns();
  if (spelling_ > 0) {
    likeness_.resize(table.cells());
    base::parallel_blocks(table.source_words(), 64, threads, [&](int64_t first, int64_t last, int) {
      for (int64_t e = first; e < last; ++e) {
        for (int64_t c = rows[e]; c < rows[e + 1]; ++c) likeness_[c] = likeness(source[e], target[columns[c]]);
      }
    });
  }
  if (classes_ <= 0) return;

  std::vector<int32_t> row_class, column_class;
  row_classes_ = classify(source, prefix, row_class);
  column_classes_ = classify(target, prefix, column_class);
  share_ = {shares(words.target_count, column_class, column_classes_),
            shares(words.source_count, row_class, row_classes_)};
  std::vector<std::vector<int32_t>> members(row_classes_);
  for (int32_t e = 0; e < table.source_words(); ++e) members[row_class[e]].push_back(e);
  class_of_cell_.resize(table.cells());
  // The last pair of each column class; a pair before `first` has an earlier row class.
  std::vector<int64_t> slot(column_classes_, -1);
  for (int32_t r = 0; r < row_classes_; ++r) {
    const int64_t first = static_cast<int64_t>(row_.size());
    for (const int32_t e : members[r]) {
      for (int64_t c = rows[e]; c < rows[e + 1]; ++c) {
        int64_t &pair = slot[column_class[columns[c]]];
        if (pair < first) {
          pair = static_cast<int64_t>(row_.size());
          row_.push_back(r);
          column_.push_back(column_class[columns[c]]);
        }
        class_of_cell_[c] = static_cast<uint32_t>(pair);
      }
    }
  }
  for (auto &direction : together_) direction.assign(row_.size(), 0.0f);
}

void WordFacts::update(const PairTable &table, const std::vector<int64_t> &counts) {
  if (classes_ <= 0) return;
  for (int d = 0; d < 2; ++d) {
    const std::vector<int32_t> &condition = d == 0 ? row_ : column_;
    std::vector<int64_t> pairs(row_.size(), 0), total(d == 0 ? row_classes_ : column_classes_, 0);
    for (int64_t c = 0; c < table.cells(); ++c) pairs[class_of_cell_[c]] += counts[2 * c + d];
    for (size_t p = 0; p < pairs.size(); ++p) total[condition[p]] += pairs[p];
    for (size_t p = 0; p < pairs.size(); ++p) {
      const int64_t sum = total[condition[p]];
      together_[d][p] = sum > 0 ? static_cast<float>(static_cast<double>(pairs[p]) / static_cast<double>(sum)) : 0.0f;
    }
  }
}

double WordFacts::pseudo_count(int64_t cell, int32_t source, int32_t target, int direction) const {
  double value = likeness_.empty() ? 0 : spelling_ * likeness_[cell];
  if (!class_of_cell_.empty()) {
    const float share = share_[direction][direction == 0 ? target : source];
    value += classes_ * together_[direction][class_of_cell_[cell]] * share;
  }
  return value < 1e-7 ? 0 : value;  // so that cells without facts are exactly zero
}

}  // namespace wordorder::align
