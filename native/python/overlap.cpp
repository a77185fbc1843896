// Bindings of overlap, and of the word list: counts of shared pieces and of unmatched words.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "overlap/ngrams.h"
#include "overlap/overlap.h"
#include "overlap/similarity.h"
#include "python/checks.h"
#include "text/listed_words.h"
#include "text/word_list.h"

namespace wordorder::python {

using namespace overlap;

namespace {

std::vector<std::string_view> lines_of(const nb::bytes &text) {
  std::vector<std::string_view> lines;
  const char *at = text.c_str(), *const stop = at + text.size();
  while (at < stop) {
    const char *end = static_cast<const char *>(std::memchr(at, '\n', stop - at));
    if (end == nullptr) end = stop;
    lines.emplace_back(at, end - at);
    at = end + 1;
  }
  return lines;
}

void check_pairs(const Longs &first, const Longs &second, size_t texts) {
  require(first.shape(0) == second.shape(0), "the two sides of the pairs differ in number");
  for (const Longs *side : {&first, &second}) {
    check_below(*side, static_cast<int64_t>(texts), "a text is out of range");
  }
}

// Templates x 3 x pairs: for each template matched pieces, pieces of the first text, pieces of the second.
auto overlaps(const nb::bytes &lines, const Longs &first, const Longs &second,
              const std::vector<std::tuple<int32_t, int32_t, int32_t>> &templates, int split, bool utf16, int most,
              bool solid, int threads) {
  std::vector<Template> counted;
  for (const auto &[kind, size, rule] : templates) {
    const Piece piece = option_of(kind, Piece::word_length);
    const int32_t least = piece == Piece::chars || piece == Piece::words ? 0 : -1;
    require(size >= least && size <= 1 << 30 && rule >= 0 && rule <= 1 << 30,
            "the size or rule of a template is out of range");
    counted.push_back({piece, size, rule});
  }
  const std::vector<std::string_view> texts = lines_of(lines);
  check_pairs(first, second, texts.size());
  const Cutting cutting{option_of(split, Cutting::letters), utf16, most, solid};
  require(most >= 0, "the most letters of a word must not be negative");
  threads = threads_of(threads);
  const size_t pairs = first.shape(0), kinds = counted.size();
  std::vector<int64_t> out(kinds * 3 * pairs);
  {
    nb::gil_scoped_release release;
    count_overlaps(texts, first.data(), second.data(), static_cast<int64_t>(pairs), counted,
                   cutting, threads, out.data());
  }
  return to_numpy<int64_t>(std::move(out), {kinds, 3, pairs});
}

using Counts = nb::ndarray<const int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Similarities x pairs, from the counts of `overlaps`; see similarity.h.
auto similarities(const Counts &counts, const std::vector<int32_t> &instead, const Ints &pieces, const Ints &others,
                  const Ints &measures, const Doubles &betas, const Doubles &copies, double most) {
  const auto kinds = static_cast<int32_t>(counts.shape(0));
  const size_t pairs = counts.shape(2), size = pieces.shape(0);
  require(counts.shape(1) == 3 && instead.size() == counts.shape(0), "the counts do not fit their kinds");
  for (int32_t k = 0; k < kinds; ++k) {
    require(instead[k] >= kNothing && instead[k] < k, "a kind of pieces can only be replaced by one before it");
  }
  require(others.shape(0) == size && measures.shape(0) == size && betas.shape(0) == size && copies.shape(0) == size,
          "the parts of the similarities differ in number");
  check_below(pieces, kinds, "a kind of pieces is out of range");
  check_below(others, kinds, "a kind of pieces is out of range");
  check_below(counts, int64_t{1} << 62, "a count is out of range");
  std::vector<Similarity> wanted;
  for (size_t f = 0; f < size; ++f) {
    wanted.push_back({pieces.data()[f], others.data()[f], option_of(measures.data()[f], Measure::lost_order),
                      betas.data()[f], copies.data()[f]});
    if (wanted.back().measure != Measure::lost_order) continue;
    for (int32_t k = pieces.data()[f]; k >= 0; k = instead[k]) {  // whose number of words is squared
      const int64_t *const words = counts.data() + 3 * static_cast<size_t>(k) * pairs;
      require(std::all_of(words, words + pairs, [](int64_t count) { return count <= python::most; }),
              "a number of words is out of range");
    }
  }
  std::vector<double> out(size * pairs);
  {
    nb::gil_scoped_release release;
    overlap::similarities(counts.data(), static_cast<int64_t>(pairs), instead, wanted, most, out.data());
  }
  return to_numpy<double>(std::move(out), {size, pairs});
}

// The sum of weighted rows, one after the other: so it does not depend on the number of columns.
auto weighted_rows(const std::vector<Table<double>> &tables, const Doubles &weights) {
  size_t rows = 0;
  for (const Table<double> &table : tables) {
    rows += given(table).shape(0);
    require(table.shape(1) == tables[0].shape(1), "the tables differ in their columns");
  }
  require(rows == weights.shape(0), "the weights differ in number from the rows");
  const size_t columns = tables.empty() ? 0 : tables[0].shape(1);
  std::vector<double> sums(columns, 0.0);
  const double *weight = weights.data();
  for (const Table<double> &table : tables) {
    const double *row = table.data();
    for (size_t k = 0; k < table.shape(0); ++k, ++weight, row += columns) {
      for (size_t c = 0; c < columns; ++c) sums[c] += *weight * row[c];
    }
  }
  return to_numpy(std::move(sums));
}

base::Batch symbols_of(const Ints &symbols, const Longs &offsets, int order) {
  require(order >= 1 && order <= 1000, "the order of n-grams must be from 1 to 1000");
  return words_of(symbols, offsets, std::numeric_limits<int32_t>::max());
}

// Orders x pairs: the number of n-grams that both texts have.
auto ngrams(const Ints &symbols, const Longs &offsets, int order, const Longs &first, const Longs &second,
            int threads) {
  const base::Batch texts = symbols_of(symbols, offsets, order);
  check_pairs(first, second, static_cast<size_t>(texts.size));
  threads = threads_of(threads);
  const size_t pairs = first.shape(0), orders = static_cast<size_t>(order);
  std::vector<int64_t> out(orders * pairs);
  {
    nb::gil_scoped_release release;
    shared_ngrams(texts, order, first.data(), second.data(), static_cast<int64_t>(pairs), threads, out.data());
  }
  return to_numpy<int64_t>(std::move(out), {orders, pairs});
}

// Orders x texts: the number of n-grams that a text shares with the expected counts of its list.
auto ngrams_expected(const Ints &symbols, const Longs &offsets, int order, const Longs &starts,
                     const Doubles &weights) {
  const base::Batch texts = symbols_of(symbols, offsets, order);
  const int64_t lists = check_offsets(starts, texts.size);
  const size_t size = static_cast<size_t>(texts.size), orders = static_cast<size_t>(order);
  require(weights.shape(0) == size, "the weights differ in number from the texts");
  check_finite(weights.data(), size);
  std::vector<double> out(orders * size);
  {
    nb::gil_scoped_release release;
    expected_ngrams(texts, order, starts.data(), lists, weights.data(), out.data());
  }
  return to_numpy<double>(std::move(out), {orders, size});
}

// Shares of unmatched words (text::shares) x pairs.
auto unmatched_shares(const text::WordList &words, const nb::bytes &lines, const Longs &first, const Longs &second,
                      double least, double prior, int threads) {
  const std::vector<std::string_view> texts = lines_of(lines);
  check_pairs(first, second, texts.size());
  threads = threads_of(threads);
  const size_t pairs = first.shape(0);
  constexpr size_t kShares = std::tuple_size_v<decltype(text::shares({}, 0, 0))>;
  std::vector<double> out(pairs * kShares);
  {
    nb::gil_scoped_release release;
    const text::NumberedTexts numbered(words, texts);
    base::parallel_blocks(static_cast<int64_t>(pairs), 256, threads, [&](int64_t begin, int64_t end, int) {
      text::NumberedTexts::Room room = numbered.room();
      for (int64_t p = begin; p < end; ++p) {
        const auto row = text::shares(numbered.count(first.data()[p], second.data()[p], room), least, prior);
        for (size_t k = 0; k < row.size(); ++k) out[k * pairs + p] = row[k];
      }
    });
  }
  return to_numpy<double>(std::move(out), {kShares, pairs});
}

// Shares of text::ListedTexts x pairs.
auto listed_shares(const text::ListedWords &words, const nb::bytes &written, const nb::bytes &lowered, const Longs &first,
                   const Longs &second, int threads) {
  const std::vector<std::string_view> texts = lines_of(written), lower = lines_of(lowered);
  require(texts.size() == lower.size(), "texts as written and in lower case differ in number");
  check_pairs(first, second, texts.size());
  threads = threads_of(threads);
  const size_t pairs = first.shape(0);
  std::vector<double> out(pairs * text::kListedShares);
  {
    nb::gil_scoped_release release;
    const text::ListedTexts listed(words, texts, lower);
    base::parallel_blocks(static_cast<int64_t>(pairs), 256, threads, [&](int64_t begin, int64_t end, int) {
      text::ListedTexts::Room room = listed.room();
      for (int64_t p = begin; p < end; ++p) {
        const text::ListedShares row = listed.compare(first.data()[p], second.data()[p], room);
        for (size_t k = 0; k < row.size(); ++k) out[k * pairs + p] = row[k];
      }
    });
  }
  return to_numpy<double>(std::move(out), {text::kListedShares, pairs});
}

// The number of the language of each of some texts, or -1; a text that is named several times is looked at once.
auto languages_of(const text::CommonWords &words, const nb::bytes &lowered, const Longs &chosen, double least, double prior) {
  const std::vector<std::string_view> texts = lines_of(lowered);
  check_pairs(chosen, chosen, texts.size());
  constexpr int64_t kUnseen = -2;
  std::vector<int64_t> of(texts.size(), kUnseen), out(chosen.shape(0));
  {
    nb::gil_scoped_release release;
    for (size_t k = 0; k < out.size(); ++k) {
      int64_t &own = of[chosen.data()[k]];
      if (own == kUnseen) own = words.language(texts[chosen.data()[k]], least, prior);
      out[k] = own;
    }
  }
  const size_t count = out.size();
  return to_numpy<int64_t>(std::move(out), {count});
}

}  // namespace

void bind_overlap(nb::module_ &m) {
  m.def("overlaps", &overlaps, "texts"_a, "first"_a, "second"_a, "templates"_a, "split"_a, "utf16"_a, "most"_a = 0,
        "solid"_a = false, "threads"_a = 1);
  m.def("similarities", &similarities, "counts"_a, "instead"_a, "pieces"_a, "others"_a, "measures"_a, "betas"_a, "copies"_a,
        "most"_a);
  m.def("weighted_rows", &weighted_rows, "tables"_a, "weights"_a);
  m.def("shared_ngrams", &ngrams, "symbols"_a, "offsets"_a, "order"_a, "first"_a, "second"_a, "threads"_a = 1);
  m.def("expected_ngrams", &ngrams_expected, "symbols"_a, "offsets"_a, "order"_a, "starts"_a, "weights"_a);
  m.def(
      "front_decoded",
      [](const nb::bytes &stored) {
        const std::string words = text::front_decoded({stored.c_str(), stored.size()});
        return nb::bytes(words.data(), words.size());
      },
      "stored"_a);
  nb::class_<text::WordList>(m, "Lexicon")
      .def(
          "__init__",
          [](text::WordList *self, const nb::bytes &words, int64_t frequent, int64_t text) {
            new (self) text::WordList(std::string(words.c_str(), words.size()), frequent, text);
          },
          "words"_a, "frequent"_a, "text"_a)
      .def("__len__", &text::WordList::size)
      .def("shares", &unmatched_shares, "texts"_a, "first"_a, "second"_a, "least"_a, "prior"_a, "threads"_a = 1);
  nb::class_<text::ListedWords>(m, "ListedWords")
      .def(
          "__init__",
          [](text::ListedWords *self, const nb::bytes &words, const std::vector<int64_t> &classes, int64_t parts,
             const nb::bytes &endings) {
            new (self) text::ListedWords(std::string(words.c_str(), words.size()), classes, parts,
                                         std::string(endings.c_str(), endings.size()));
          },
          "words"_a, "classes"_a, "parts"_a, "endings"_a)
      .def("__len__", &text::ListedWords::size)
      .def("is_compound", [](const text::ListedWords &self, const std::string &word) { return self.is_compound(word); },
           "word"_a)
      .def("is_form", [](const text::ListedWords &self, const std::string &word) { return self.is_form(word); }, "word"_a)
      .def("is_derived", [](const text::ListedWords &self, const std::string &word) { return self.is_derived(word); },
           "word"_a)
      .def("shares", &listed_shares, "written"_a, "lowered"_a, "first"_a, "second"_a, "threads"_a = 1);
  nb::class_<text::CommonWords>(m, "CommonWords")
      .def(
          "__init__",
          [](text::CommonWords *self, const nb::bytes &words, int64_t each, const std::vector<std::string> &alphabets) {
            const int64_t lines = static_cast<int64_t>(lines_of(words).size());  // the last may lack its \n
            require(lines > 0 && each > 0 && (lines - 1) / each < 32, "no words, or more than 32 languages");
            new (self) text::CommonWords(std::string(words.c_str(), words.size()), each, alphabets);
          },
          "words"_a, "each"_a, "alphabets"_a)
      .def("languages", &languages_of, "lowered"_a, "chosen"_a, "least"_a, "prior"_a);
}

}  // namespace wordorder::python
