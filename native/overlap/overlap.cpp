#include "overlap/overlap.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/parallel.h"
#include "overlap/many_pairs.h"
#include "overlap/ngram_chain.h"
#include "overlap/side.h"
#include "overlap/skips.h"

namespace wordorder::overlap {
namespace {

constexpr size_t kFewBytes = 1 << 12;  // of a pair of texts, for which a counter is kept

class Counter {
 public:
  // Goes on with other settings; keeps its memory.
  void use(const std::vector<Template> &templates, const Cutting &cutting) {
    cutting_ = cutting;
    for (auto &places : places_) places.clear();
    for (size_t t = 0; t < templates.size(); ++t) {
      const int piece = static_cast<int>(templates[t].piece);
      places_[piece].push_back({templates[t], 3 * t});
    }
    for (auto &places : places_) {
      // Sort by size; skips of any width (-1) come last.
      std::stable_sort(places.begin(), places.end(), [](const Place &x, const Place &y) {
        return static_cast<uint32_t>(x.counted.size) < static_cast<uint32_t>(y.counted.size);
      });
    }
  }

  void count(std::string_view hypothesis, std::string_view reference, int64_t *out) {
    hyp_.cut(hypothesis, cutting_);
    ref_.cut(reference, cutting_);
    lengths(Piece::char_length, hyp_.characters.size(), ref_.characters.size(), out);
    lengths(Piece::word_length, hyp_.words.size(), ref_.words.size(), out);
    if (!of(Piece::chars).empty()) {
      wants_.clear();
      for (const Place &p : of(Piece::chars)) wants_.push_back({p.counted.size, p.counted.rule, out + p.at});
      chain_.count(hyp_.characters, ref_.characters, bound(ref_.characters, bound(hyp_.characters, 1)), wants_);
    }
    if (of(Piece::words).empty() && of(Piece::skips).empty()) return;
    const int32_t symbols = number_words();
    if (!of(Piece::skips).empty()) {
      wants_.clear();
      for (const Place &p : of(Piece::skips)) wants_.push_back({p.counted.size, 0, out + p.at});
      skips_.count(hyp_.numbers, ref_.numbers, symbols, wants_);
    }
    wants_.clear();
    for (const Place &p : of(Piece::words)) wants_.push_back({p.counted.size, 0, out + p.at});
    edges_.assign(of(Piece::words).size(), 0);
    for (size_t k = 0; k < wants_.size(); ++k) {
      if (of(Piece::words)[k].counted.rule) edges_[k] = shared_edges(wants_[k].size);
    }
    chain_.count(hyp_.numbers, ref_.numbers, static_cast<uint64_t>(symbols), wants_);
    for (size_t k = 0; k < wants_.size(); ++k) {
      if (!of(Piece::words)[k].counted.rule) continue;
      wants_[k].out[0] += edges_[k];
      wants_[k].out[1] += 2;
      wants_[k].out[2] += 2;
    }
  }

 private:
  struct Place {
    Template counted;
    size_t at;
  };
  const std::vector<Place> &of(Piece piece) const { return places_[static_cast<int>(piece)]; }

  void lengths(Piece piece, int64_t hyp, int64_t ref, int64_t *out) const {
    for (const Place &p : of(piece)) {
      out[p.at] = std::min(hyp, ref);
      out[p.at + 1] = hyp;
      out[p.at + 2] = ref;
    }
  }

  // One more than the largest code point.
  static uint64_t bound(const Symbols &characters, uint64_t least) {
    int32_t largest = 0;
    for (const int32_t point : characters) largest = std::max(largest, point);
    return std::max(least, static_cast<uint64_t>(largest) + 1);
  }

  int32_t number_words() {
    words_.begin(ref_.words.size());
    ref_.numbers.clear();
    hyp_.numbers.clear();
    for (const std::string_view word : ref_.words) ref_.numbers.push_back(words_.add(word));
    seen_.assign(words_.size(), 0);
    for (const std::string_view word : hyp_.words) {
      const int32_t n = words_.get(word);
      if (n >= 0) seen_[n] = 1;
      hyp_.numbers.push_back(n);
    }
    for (int32_t &n : ref_.numbers) n = seen_[n] ? n : -1;
    return words_.size();
  }

  // Compares the first and the last `size` words of both texts, or all of them if there are fewer; returns how many
  // agree.
  int shared_edges(int64_t size) const {
    const Symbols &x = hyp_.numbers, &y = ref_.numbers;
    const int64_t h = x.size(), r = y.size(), n = std::min(size, h);
    if (n != std::min(size, r)) return 0;
    bool begin = true, end = true;
    for (int64_t k = 0; k < n; ++k) {
      begin &= x[k] >= 0 && x[k] == y[k];
      end &= x[h - n + k] >= 0 && x[h - n + k] == y[r - n + k];
    }
    return begin + end;
  }

  Cutting cutting_{};
  std::vector<Place> places_[5];
  Side hyp_, ref_;
  NgramChain chain_;
  base::WordNumbers words_;
  std::vector<Want> wants_;
  std::vector<int> edges_;
  std::vector<char> seen_;
  SkipCounter skips_;
};

}  // namespace

void count_overlaps(const std::vector<std::string_view> &texts, const int64_t *first, const int64_t *second,
                    int64_t pairs, const std::vector<Template> &templates, const Cutting &cutting, int threads,
                    int64_t *out) {
  if (has_many_pairs(texts, pairs, templates)) {
    count_many_pairs(texts, first, second, pairs, templates, cutting, threads, out);
    return;
  }
  const size_t columns = 3 * templates.size();
  const auto count = [&](Counter &counter, int64_t begin, int64_t end) {
    std::vector<int64_t> row(columns);
    for (int64_t p = begin; p < end; ++p) {
      counter.count(texts[first[p]], texts[second[p]], row.data());
      for (size_t c = 0; c < columns; ++c) out[c * pairs + p] = row[c];
    }
  };
  // Most of the time for a single pair would go into the memory of the counter, so each thread keeps one for short texts.
  if (pairs == 1 && texts[*first].size() + texts[*second].size() <= kFewBytes) {
    thread_local Counter counter;
    counter.use(templates, cutting);
    return count(counter, 0, 1);
  }
  std::vector<Counter> counters(std::max(threads, 1));
  for (Counter &counter : counters) counter.use(templates, cutting);
  base::parallel_blocks(pairs, 64, threads,
                        [&](int64_t begin, int64_t end, int thread) { count(counters[thread], begin, end); });
}

}  // namespace wordorder::overlap
