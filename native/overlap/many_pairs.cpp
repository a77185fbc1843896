#include "overlap/many_pairs.h"

#include <algorithm>

#include "base/batch.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "overlap/ngrams.h"
#include "overlap/piece_sets.h"
#include "overlap/side.h"

namespace wordorder::overlap {
namespace {

constexpr int64_t kMany = 2;             // pairs per text
constexpr int64_t kMostPairs = 1 << 23;  // of words of one text, over all texts
constexpr int64_t kSparse = 4;           // keys per piece up to which a key serves as the number of a piece
constexpr int64_t kExpected = 1 << 14;   // different pieces for which room is made at once

// Numbered symbols of all texts, one text after the other.
struct Lines {
  Symbols symbols;
  std::vector<int64_t> offsets{0};
  int64_t distinct = 0;

  void end_line() { offsets.push_back(static_cast<int64_t>(symbols.size())); }
  base::Batch batch() const { return {symbols.data(), offsets.data(), static_cast<int64_t>(offsets.size()) - 1}; }
};

class TextPieces {
 public:
  TextPieces(const std::vector<std::string_view> &texts, const Cutting &cutting) {
    std::vector<Side> sides(texts.size());  // words refer to their buffers
    size_t characters = 0, words = 0;
    for (size_t t = 0; t < texts.size(); ++t) {
      sides[t].cut(texts[t], cutting);
      characters += sides[t].characters.size();
      words += sides[t].words.size();
    }
    base::Numbers points;
    points.begin(0x110000, characters);
    base::WordNumbers numbers;
    numbers.begin(words);
    for (const Side &side : sides) {
      for (const int32_t point : side.characters) chars_.symbols.push_back(points.add(point));
      for (const std::string_view word : side.words) words_.symbols.push_back(numbers.add(word));
      chars_.end_line();
      words_.end_line();
    }
    chars_.distinct = points.size();
    words_.distinct = numbers.size();
  }

  const Lines &chars() const { return chars_; }
  const Lines &words() const { return words_; }

 private:
  Lines chars_, words_;
};

// Where the counts of one template go, and which pairs are counted.
struct Columns {
  const int64_t *first, *second;
  int64_t pairs;
  int threads;
  int64_t *out;

  int64_t *matched(size_t t) const { return out + 3 * t * pairs; }
  // Writes the number of pieces of both sides.
  template <class Count>
  void totals(size_t t, Count count) const {
    for (int64_t p = 0; p < pairs; ++p) {
      matched(t)[pairs + p] = count(first[p]);
      matched(t)[2 * pairs + p] = count(second[p]);
    }
  }
  // Writes the smaller of the two as the number of matched pieces.
  void all_matched(size_t t) const {
    for (int64_t p = 0; p < pairs; ++p) matched(t)[p] = std::min(matched(t)[pairs + p], matched(t)[2 * pairs + p]);
  }
  void intersect(size_t t, const PieceSets &sets) const {
    base::parallel_blocks(pairs, 1024, threads, [&](int64_t begin, int64_t end, int) {
      sets.count_shared(first, second, begin, end, matched(t));
    });
  }
};

// N-grams of all sizes that templates of this kind ask for.
void count_ngrams(const Lines &lines, Piece piece, const std::vector<Template> &templates, const Columns &columns) {
  const base::Batch texts = lines.batch();
  NgramNumbers numbers(texts, std::max<int64_t>(lines.distinct, 1));
  std::vector<size_t> order;
  for (size_t t = 0; t < templates.size(); ++t) {
    if (templates[t].piece == piece) order.push_back(t);
  }
  std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return templates[x].size < templates[y].size; });
  for (const size_t t : order) {
    const int64_t size = templates[t].size, drop = piece == Piece::chars ? templates[t].rule : 0;
    const auto count = [&](int64_t text) { return std::max<int64_t>(0, texts.length(text) - size + 1 - drop); };
    columns.totals(t, count);
    if (size == 0) {  // the empty piece
      columns.all_matched(t);
      continue;
    }
    const int64_t longest = std::min<int64_t>(size, lines.symbols.size());
    while (numbers.size() < longest) numbers.lengthen();
    PieceSets sets;
    for (int64_t text = 0; text < texts.size; ++text) {
      for (int64_t i = 0; i < count(text); ++i) sets.add(numbers.of(text)[i]);
      sets.next_text();
    }
    columns.intersect(t, sets);
  }
}

void count_skips(const Lines &words, int32_t limit, size_t t, const Columns &columns) {
  const base::Batch texts = words.batch();
  const auto reach = [&](int64_t text) {
    const int64_t last = std::max<int64_t>(texts.length(text) - 1, 0);
    return limit < 0 ? last : std::min<int64_t>(last, limit + int64_t{1});
  };
  const auto count = [&](int64_t text) {
    const int64_t distance = reach(text);
    return distance * texts.length(text) - distance * (distance + 1) / 2;
  };
  columns.totals(t, count);
  int64_t total = 0;
  for (int64_t text = 0; text < texts.size; ++text) total += count(text);
  const int64_t keys = words.distinct * words.distinct;
  const bool direct = keys <= kSparse * total;
  base::Numbers numbers;
  if (!direct) numbers.begin(keys, std::min(total, kExpected));
  PieceSets sets;
  for (int64_t text = 0; text < texts.size; ++text) {
    const int32_t *const word = texts.begin(text);
    const int64_t length = texts.length(text), farthest = reach(text);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t row = word[i] * words.distinct, end = std::min(length, i + farthest + 1);
      for (int64_t j = i + 1; j < end; ++j) {
        sets.add(direct ? static_cast<int32_t>(row + word[j]) : numbers.add(row + word[j]));
      }
    }
    sets.next_text();
  }
  columns.intersect(t, sets);
}

// The first and the last `size` words of both texts, or all of them if there are fewer, are one more piece each.
void add_edges(const Lines &words, int64_t size, size_t t, const Columns &columns) {
  const base::Batch texts = words.batch();
  for (int64_t p = 0; p < columns.pairs; ++p) {
    const int64_t hyp = columns.first[p], ref = columns.second[p];
    const int64_t n = std::min<int64_t>(size, texts.length(hyp)), m = std::min<int64_t>(size, texts.length(ref));
    const int32_t *const x = texts.begin(hyp), *const y = texts.begin(ref);
    if (n == m) {
      columns.matched(t)[p] += std::equal(x, x + n, y);
      columns.matched(t)[p] += std::equal(x + texts.length(hyp) - n, x + texts.length(hyp), y + texts.length(ref) - n);
    }
    columns.matched(t)[columns.pairs + p] += 2;
    columns.matched(t)[2 * columns.pairs + p] += 2;
  }
}

}  // namespace

bool has_many_pairs(const std::vector<std::string_view> &texts, int64_t pairs, const std::vector<Template> &templates) {
  if (pairs <= kMany * static_cast<int64_t>(texts.size())) return false;
  const auto is_skip = [](const Template &t) { return t.piece == Piece::skips; };
  if (std::none_of(templates.begin(), templates.end(), is_skip)) return true;
  int64_t most = 0;
  for (const std::string_view text : texts) {
    const int64_t words = static_cast<int64_t>(text.size()) / 2 + 1;  // at most
    most += words * words / 2;
  }
  return most <= kMostPairs;
}

void count_many_pairs(const std::vector<std::string_view> &texts, const int64_t *first, const int64_t *second,
                      int64_t pairs, const std::vector<Template> &templates, const Cutting &cutting, int threads,
                      int64_t *out) {
  const TextPieces pieces(texts, cutting);
  const Columns columns{first, second, pairs, threads, out};
  count_ngrams(pieces.chars(), Piece::chars, templates, columns);
  count_ngrams(pieces.words(), Piece::words, templates, columns);
  for (size_t t = 0; t < templates.size(); ++t) {
    const Lines &lines = templates[t].piece == Piece::char_length ? pieces.chars() : pieces.words();
    if (templates[t].piece == Piece::skips) {
      count_skips(lines, templates[t].size, t, columns);
    } else if (templates[t].piece == Piece::words && templates[t].rule) {
      add_edges(lines, templates[t].size, t, columns);
    } else if (templates[t].piece == Piece::char_length || templates[t].piece == Piece::word_length) {
      columns.totals(t, [&](int64_t text) { return lines.batch().length(text); });
      columns.all_matched(t);
    }
  }
}

}  // namespace wordorder::overlap
