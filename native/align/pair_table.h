// The pairs of a source word and a target word that occur in the same sentence pair. They are numbered as the cells of
// a sparse table: row by row, and by target word within a row.
#pragma once

#include <vector>

#include "base/batch.h"

namespace wordorder::align {

class PairTable {
 public:
  static constexpr int64_t none = -1;

  // Skips sentence pairs with an empty side or with a side of more than `longest` words. If the cells of all sentences
  // fit into `room` entries of four bytes, they are stored; otherwise they must be looked up.
  void build(const base::Batch &source, const base::Batch &target, int32_t source_words, int32_t target_words,
             int32_t longest, int64_t room, int threads);
  void assign(std::vector<int64_t> rows, std::vector<int32_t> columns, int32_t target_words);

  int32_t source_words() const { return static_cast<int32_t>(rows_.size()) - 1; }
  int32_t target_words() const { return target_words_; }
  int64_t cells() const { return rows_.back(); }
  const std::vector<int64_t> &rows() const { return rows_; }
  const std::vector<int32_t> &columns() const { return columns_; }

  // The cell of a pair of words, or `none`.
  int64_t find(int32_t source, int32_t target) const;
  // The cells of sentence s of the corpus, source position by source position; null if they are not stored.
  const uint32_t *stored(int64_t s) const { return index_.empty() ? nullptr : index_.data() + starts_[s]; }
  // Whether the table was built from sentences of these lengths.
  bool fits(const base::Batch &source, const base::Batch &target, int32_t longest) const;

 private:
  std::vector<int64_t> rows_{0};
  std::vector<int32_t> columns_;
  int32_t target_words_ = 0;
  std::vector<int64_t> starts_{0};
  std::vector<uint32_t> index_;
};

// Whether a sentence pair is used for training.
inline bool trainable(int32_t source, int32_t target, int32_t longest) {
  return source > 0 && target > 0 && source <= longest && target <= longest;
}

}  // namespace wordorder::align
