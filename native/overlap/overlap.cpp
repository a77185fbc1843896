#include "overlap/overlap.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/parallel.h"
#include "overlap/many_pairs.h"
#include "overlap/side.h"
#include "overlap/skips.h"

namespace wordorder::overlap {
namespace {

int64_t pieces(int64_t length, int64_t size, int64_t drop) { return std::max<int64_t>(0, length - size + 1 - drop); }

class Counter {
 public:
  Counter(const std::vector<Template> &templates, const Cutting &cutting) : cutting_(cutting) {
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
      const int32_t symbols = number_characters();
      chain(hyp_.characters, ref_.characters, symbols);
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
    chain(hyp_.numbers, ref_.numbers, symbols);  // overwrites the numbers of single words
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

  int32_t number_characters() {
    numbers_.begin(0x110000, ref_.characters.size());
    return number(ref_.characters, hyp_.characters, ref_.characters.size(), hyp_.characters.size(),
                  [](const Symbols &from, size_t i) { return static_cast<int64_t>(from[i]); });
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

  // Numbers the pieces at the first `ref_size` and `hyp_size` places, in place; -1 if a piece is not on both sides.
  template <class Key>
  int32_t number(Symbols &ref, Symbols &hyp, size_t ref_size, size_t hyp_size, Key key) {
    for (size_t i = 0; i < ref_size; ++i) {
      const int64_t k = key(ref, i);
      ref[i] = k < 0 ? -1 : numbers_.add(k);
    }
    const int32_t distinct = numbers_.size();
    seen_.assign(distinct, 0);
    for (size_t i = 0; i < hyp_size; ++i) {
      const int64_t k = key(hyp, i);
      const int32_t n = k < 0 ? -1 : numbers_.get(k);
      if (n >= 0) seen_[n] = 1;
      hyp[i] = n;
    }
    for (size_t i = 0; i < ref_size; ++i) {
      if (ref[i] >= 0 && !seen_[ref[i]]) ref[i] = -1;
    }
    return distinct;
  }

  // Counts n-grams of numbered symbols for all of wants_, which are sorted by size.
  void chain(Symbols &hyp, Symbols &ref, int32_t symbols) {
    const int64_t h = hyp.size(), r = ref.size();
    int32_t size = 1, distinct = symbols;
    last_hyp_.assign(hyp.begin(), hyp.end());  // single symbols; hyp and ref become longer n-grams
    last_ref_.assign(ref.begin(), ref.end());
    for (const Want &want : wants_) {
      const int64_t hyp_pieces = pieces(h, want.size, want.drop), ref_pieces = pieces(r, want.size, want.drop);
      want.out[1] = hyp_pieces;
      want.out[2] = ref_pieces;
      if (hyp_pieces == 0 || ref_pieces == 0) {
        want.out[0] = 0;
        continue;
      }
      if (want.size == 0) {  // the empty piece
        want.out[0] = std::min(hyp_pieces, ref_pieces);
        continue;
      }
      while (size < want.size && distinct > 0) {
        const int32_t step = size++;
        numbers_.begin(static_cast<uint64_t>(distinct) * symbols, r);
        const auto longer = [&](const Symbols &from, size_t i) -> int64_t {
          if ((from[i] | from[i + 1]) < 0) return -1;
          const Symbols &last = &from == &ref ? last_ref_ : last_hyp_;
          return static_cast<int64_t>(from[i]) * symbols + last[i + step];
        };
        distinct = number(ref, hyp, std::max<int64_t>(0, r - step), std::max<int64_t>(0, h - step), longer);
      }
      want.out[0] = distinct == 0 ? 0 : clipped(hyp, hyp_pieces, ref, ref_pieces, distinct);
    }
  }

  int64_t clipped(const Symbols &hyp, int64_t hyp_pieces, const Symbols &ref, int64_t ref_pieces, int32_t distinct) {
    left_.assign(distinct, 0);
    for (int64_t i = 0; i < ref_pieces; ++i) {
      if (ref[i] >= 0) ++left_[ref[i]];
    }
    int64_t matched = 0;
    for (int64_t i = 0; i < hyp_pieces; ++i) {
      if (hyp[i] >= 0 && left_[hyp[i]] > 0) {
        --left_[hyp[i]];
        ++matched;
      }
    }
    return matched;
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

  Cutting cutting_;
  std::vector<Place> places_[5];
  Side hyp_, ref_;
  base::Numbers numbers_;
  base::WordNumbers words_;
  std::vector<Want> wants_;
  std::vector<int> edges_;
  std::vector<char> seen_;
  std::vector<int32_t> left_;
  Symbols last_hyp_, last_ref_;
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
  std::vector<Counter> counters(std::max(threads, 1), Counter(templates, cutting));
  const size_t columns = 3 * templates.size();
  base::parallel_blocks(pairs, 64, threads, [&](int64_t begin, int64_t end, int thread) {
    std::vector<int64_t> row(columns);
    for (int64_t p = begin; p < end; ++p) {
      counters[thread].count(texts[first[p]], texts[second[p]], row.data());
      for (size_t c = 0; c < columns; ++c) out[c * pairs + p] = row[c];
    }
  });
}

}  // namespace wordorder::overlap
