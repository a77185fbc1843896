#include "align/pair_table.h"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.h"

namespace wordorder::align {

namespace {

// The occurrences of each source word: those of word e are places[starts[e]] .. places[starts[e + 1]].
struct Occurrences {
  struct Place {
    int64_t sentence;
    int32_t position;
  };
  std::vector<int64_t> starts;
  std::vector<Place> places;

  Occurrences(const base::Batch &source, const base::Batch &target, int32_t words, int32_t longest)
      : starts(words + 1, 0) {
    for (int64_t s = 0; s < source.size; ++s) {
      if (!trainable(source.length(s), target.length(s), longest)) continue;
      for (int32_t i = 0; i < source.length(s); ++i) ++starts[source.begin(s)[i] + 1];
    }
    for (int32_t e = 0; e < words; ++e) starts[e + 1] += starts[e];
    places.resize(starts[words]);
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (int64_t s = 0; s < source.size; ++s) {
      if (!trainable(source.length(s), target.length(s), longest)) continue;
      for (int32_t i = 0; i < source.length(s); ++i) places[next[source.begin(s)[i]]++] = {s, i};
    }
  }
};

}  // namespace

void PairTable::build(const base::Batch &source, const base::Batch &target, int32_t source_words, int32_t target_words,
                      int32_t longest, int64_t room, int threads) {
  const Occurrences occurrences(source, target, source_words, longest);
  target_words_ = target_words;
  starts_.assign(source.size + 1, 0);
  for (int64_t s = 0; s < source.size; ++s) {
    const bool used = trainable(source.length(s), target.length(s), longest);
    starts_[s + 1] = starts_[s] + (used ? static_cast<int64_t>(source.length(s)) * target.length(s) : 0);
  }

  // Each block of source words collects its own rows, which are concatenated afterwards.
  constexpr int64_t block = 64;
  std::vector<std::vector<int32_t>> parts((source_words + block - 1) / block);
  rows_.assign(source_words + 1, 0);
  std::vector<std::vector<int32_t>> seen(threads, std::vector<int32_t>(target_words, -1));
  base::parallel_blocks(source_words, block, threads, [&](int64_t first, int64_t last, int thread) {
    std::vector<int32_t> &part = parts[first / block], &last_seen = seen[thread];
    for (int64_t e = first; e < last; ++e) {
      const size_t begin = part.size();
      for (int64_t at = occurrences.starts[e]; at < occurrences.starts[e + 1]; ++at) {
        const int64_t s = occurrences.places[at].sentence;
        const int32_t *words = target.begin(s);
        for (int32_t j = 0; j < target.length(s); ++j) {
          if (last_seen[words[j]] == e) continue;
          last_seen[words[j]] = static_cast<int32_t>(e);
          part.push_back(words[j]);
        }
      }
      std::sort(part.begin() + begin, part.end());
      rows_[e + 1] = static_cast<int64_t>(part.size() - begin);
    }
  });
  for (int32_t e = 0; e < source_words; ++e) rows_[e + 1] += rows_[e];
  if (rows_[source_words] > UINT32_MAX)
    throw std::length_error("the corpus has more than 2^32 pairs of words; align it in parts");
  columns_.clear();
  columns_.reserve(rows_[source_words]);
  for (std::vector<int32_t> &part : parts) {
    columns_.insert(columns_.end(), part.begin(), part.end());
    std::vector<int32_t>().swap(part);
  }

  index_.clear();
  if (starts_[source.size] > room) return;
  index_.resize(starts_[source.size]);
  std::vector<std::vector<uint32_t>> slots(threads, std::vector<uint32_t>(target_words));
  base::parallel_blocks(source_words, block, threads, [&](int64_t first, int64_t last, int thread) {
    std::vector<uint32_t> &slot = slots[thread];
    for (int64_t e = first; e < last; ++e) {
      for (int64_t c = rows_[e]; c < rows_[e + 1]; ++c) slot[columns_[c]] = static_cast<uint32_t>(c);
      for (int64_t at = occurrences.starts[e]; at < occurrences.starts[e + 1]; ++at) {
        const auto [s, i] = occurrences.places[at];
        const int32_t width = target.length(s);
        uint32_t *out = index_.data() + starts_[s] + static_cast<int64_t>(i) * width;
        for (int32_t j = 0; j < width; ++j) out[j] = slot[target.begin(s)[j]];
      }
    }
  });
}

void PairTable::assign(std::vector<int64_t> rows, std::vector<int32_t> columns, int32_t target_words) {
  rows_ = std::move(rows);
  columns_ = std::move(columns);
  target_words_ = target_words;
  starts_.clear();
  index_.clear();
}

bool PairTable::fits(const base::Batch &source, const base::Batch &target, int32_t longest) const {
  if (static_cast<int64_t>(starts_.size()) != source.size + 1) return false;
  for (int64_t s = 0; s < source.size; ++s) {
    const int32_t I = source.length(s), J = target.length(s);
    if (starts_[s + 1] - starts_[s] != (trainable(I, J, longest) ? static_cast<int64_t>(I) * J : 0)) return false;
  }
  return true;
}

int64_t PairTable::find(int32_t source, int32_t target) const {
  if (source < 0 || source >= source_words() || target < 0 || target >= target_words_) return none;
  const auto first = columns_.begin() + rows_[source], last = columns_.begin() + rows_[source + 1];
  const auto at = std::lower_bound(first, last, target);
  return at != last && *at == target ? at - columns_.begin() : none;
}

}  // namespace wordorder::align
