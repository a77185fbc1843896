// Bindings of overlap, and of the word list: counts of shared pieces and of unmatched words.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "overlap/ngrams.h"
#include "overlap/overlap.h"
#include "python/arrays.h"
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
  if (first.shape(0) != second.shape(0)) throw nb::value_error("the two sides of the pairs differ in number");
  for (const Longs *side : {&first, &second}) {
    for (size_t p = 0; p < side->shape(0); ++p) {
      const int64_t text = side->data()[p];
      if (text < 0 || text >= static_cast<int64_t>(texts)) throw nb::value_error("a text is out of range");
    }
  }
}

// Templates x 3 x pairs: for each template matched pieces, pieces of the first text, pieces of the second.
auto overlaps(const nb::bytes &lines, const Longs &first, const Longs &second,
              const std::vector<std::tuple<int32_t, int32_t, int32_t>> &templates, int split, bool utf16, int most,
              bool solid, int threads) {
  std::vector<Template> counted;
  for (const auto &[kind, size, rule] : templates) {
    if (kind < 0 || kind > static_cast<int>(Piece::word_length) || size < -1 || rule < 0) {
      throw nb::value_error("a template has an unknown kind, or its size or rule is out of range");
    }
    counted.push_back({static_cast<Piece>(kind), size, rule});
  }
  const std::vector<std::string_view> texts = lines_of(lines);
  check_pairs(first, second, texts.size());
  const size_t pairs = first.shape(0), kinds = counted.size();
  std::vector<int64_t> out(kinds * 3 * pairs);
  {
    nb::gil_scoped_release release;
    count_overlaps(texts, first.data(), second.data(), static_cast<int64_t>(pairs), counted,
                   {static_cast<Cutting::Split>(split), utf16, most, solid}, threads, out.data());
  }
  return to_numpy<int64_t>(std::move(out), {kinds, 3, pairs});
}

base::Batch checked_texts(const Ints &symbols, const Longs &offsets, int order) {
  const base::Batch texts = batch_of(symbols, offsets);
  if (order < 1) throw nb::value_error("the order of n-grams is out of range");
  for (int64_t t = 0; t < texts.size; ++t) {
    if (texts.length(t) < 0) throw nb::value_error("the offsets fall");
  }
  for (size_t k = 0; k < symbols.shape(0); ++k) {
    if (symbols.data()[k] < 0) throw nb::value_error("a symbol is out of range");
  }
  return texts;
}

// Orders x pairs: the number of n-grams that both texts have.
auto ngrams(const Ints &symbols, const Longs &offsets, int order, const Longs &first, const Longs &second,
            int threads) {
  const base::Batch texts = checked_texts(symbols, offsets, order);
  check_pairs(first, second, static_cast<size_t>(texts.size));
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
  const base::Batch texts = checked_texts(symbols, offsets, order);
  const int64_t lists = static_cast<int64_t>(starts.shape(0)) - 1;
  const size_t size = static_cast<size_t>(texts.size), orders = static_cast<size_t>(order);
  if (weights.shape(0) != size) throw nb::value_error("the weights differ in number from the texts");
  if (lists < 0 || starts.data()[0] != 0 || starts.data()[lists] != texts.size ||
      !std::is_sorted(starts.data(), starts.data() + lists + 1)) {
    throw nb::value_error("the lists do not fit the texts");
  }
  std::vector<double> out(orders * size);
  {
    nb::gil_scoped_release release;
    expected_ngrams(texts, order, starts.data(), lists, weights.data(), out.data());
  }
  return to_numpy<double>(std::move(out), {orders, size});
}

// Fields of text::UnmatchedWords x pairs.
auto count_unmatched(const text::WordList &words, const nb::bytes &lines, const Longs &first, const Longs &second,
                     int threads) {
  const std::vector<std::string_view> texts = lines_of(lines);
  check_pairs(first, second, texts.size());
  const size_t pairs = first.shape(0);
  std::vector<double> out(pairs * 6);
  {
    nb::gil_scoped_release release;
    const text::NumberedTexts numbered(words, texts);
    base::parallel_blocks(static_cast<int64_t>(pairs), 256, threads, [&](int64_t begin, int64_t end, int) {
      text::NumberedTexts::Room room = numbered.room();
      for (int64_t p = begin; p < end; ++p) {
        const text::UnmatchedWords f = numbered.count(first.data()[p], second.data()[p], room);
        const double row[] = {f.reference, f.frequent, f.unknown, f.strange, f.strangeness, f.known};
        for (size_t k = 0; k < 6; ++k) out[k * pairs + p] = row[k];
      }
    });
  }
  return to_numpy<double>(std::move(out), {6, pairs});
}

}  // namespace

void bind_overlap(nb::module_ &m) {
  m.def("overlaps", &overlaps, "texts"_a, "first"_a, "second"_a, "templates"_a, "split"_a, "utf16"_a, "most"_a = 0,
        "solid"_a = false, "threads"_a = 1);
  m.def("shared_ngrams", &ngrams, "symbols"_a, "offsets"_a, "order"_a, "first"_a, "second"_a, "threads"_a = 1);
  m.def("expected_ngrams", &ngrams_expected, "symbols"_a, "offsets"_a, "order"_a, "starts"_a, "weights"_a);
  nb::class_<text::WordList>(m, "Lexicon")
      .def(
          "__init__",
          [](text::WordList *self, const nb::bytes &words, int64_t frequent, int64_t text) {
            new (self) text::WordList(std::string(words.c_str(), words.size()), frequent, text);
          },
          "words"_a, "frequent"_a, "text"_a)
      .def("__len__", &text::WordList::size)
      .def("count", &count_unmatched, "texts"_a, "first"_a, "second"_a, "threads"_a = 1);
}

}  // namespace wordorder::python
