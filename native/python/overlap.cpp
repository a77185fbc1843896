// Bindings of overlap, and of the word list: counts of shared pieces and of unmatched words.
#include <cstring>

#include "base/parallel.h"
#include "overlap/ngrams.h"
#include "overlap/overlap.h"
#include "python/checks.h"
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

auto overlaps(const nb::bytes &hypotheses, const nb::bytes &references,
              const std::vector<std::tuple<int32_t, int32_t, int32_t>> &templates, int split, bool utf16, int most,
              bool solid, int threads) {
  std::vector<Template> counted;
  for (const auto &[kind, size, rule] : templates) {
    if (kind < 0 || kind > static_cast<int>(Piece::word_length) || size < -1 || rule < 0) {
      throw nb::value_error("a template has an unknown kind, or its size or rule is out of range");
    }
    counted.push_back({static_cast<Piece>(kind), size, rule});
  }
  const std::vector<std::string_view> hyp = lines_of(hypotheses), ref = lines_of(references);
  if (hyp.size() != ref.size()) throw nb::value_error("the texts differ in the number of lines");
  std::vector<int64_t> out(hyp.size() * counted.size() * 3);
  {
    nb::gil_scoped_release release;
    count_overlaps(hyp, ref, counted, {static_cast<Cutting::Split>(split), utf16, most, solid}, threads, out.data());
  }
  const size_t pairs = hyp.size(), kinds = counted.size();
  return to_numpy<int64_t>(std::move(out), {pairs, kinds, 3});
}

// One row per pair of texts and one column per order: the number of n-grams that both texts have.
auto ngrams(const Ints &symbols, const Longs &offsets, int order, const Longs &first, const Longs &second,
            int threads) {
  const base::Batch texts = batch_of(symbols, offsets);
  if (order < 1 || order > largest_order) throw nb::value_error("the order of n-grams is out of range");
  if (first.shape(0) != second.shape(0)) throw nb::value_error("the two sides of the pairs differ in number");
  for (int64_t t = 0; t < texts.size; ++t) {
    if (texts.length(t) < 0) throw nb::value_error("the offsets fall");
  }
  for (size_t k = 0; k < symbols.shape(0); ++k) {
    if (symbols.data()[k] < 0 || symbols.data()[k] >> symbol_bits) throw nb::value_error("a symbol is out of range");
  }
  for (const Longs *side : {&first, &second}) {
    for (size_t p = 0; p < side->shape(0); ++p) {
      if (side->data()[p] < 0 || side->data()[p] >= texts.size) throw nb::value_error("a text is out of range");
    }
  }
  const size_t pairs = first.shape(0), orders = static_cast<size_t>(order);
  std::vector<int64_t> out(pairs * orders);
  {
    nb::gil_scoped_release release;
    shared_ngrams(texts, order, first.data(), second.data(), static_cast<int64_t>(pairs), threads, out.data());
  }
  return to_numpy<int64_t>(std::move(out), {pairs, orders});
}

// One row per pair of lines with the fields of text::UnmatchedWords.
auto count_unmatched(const text::WordList &words, const nb::bytes &hypotheses, const nb::bytes &references,
                     int threads) {
  const std::vector<std::string_view> hyp = lines_of(hypotheses), ref = lines_of(references);
  if (hyp.size() != ref.size()) throw nb::value_error("the texts differ in the number of lines");
  std::vector<double> out(hyp.size() * 6);
  {
    nb::gil_scoped_release release;
    std::vector<text::WordList::Room> rooms(std::max(threads, 1));
    base::parallel_blocks(static_cast<int64_t>(hyp.size()), 64, threads, [&](int64_t first, int64_t last, int thread) {
      for (int64_t p = first; p < last; ++p) {
        const text::UnmatchedWords f = words.count(hyp[p], ref[p], rooms[thread]);
        const double row[] = {f.reference, f.frequent, f.unknown, f.strange, f.strangeness, f.known};
        std::copy(std::begin(row), std::end(row), out.begin() + 6 * p);
      }
    });
  }
  const size_t pairs = hyp.size();
  return to_numpy<double>(std::move(out), {pairs, 6});
}

}  // namespace

void bind_overlap(nb::module_ &m) {
  m.def("overlaps", &overlaps, "hypotheses"_a, "references"_a, "templates"_a, "split"_a, "utf16"_a, "most"_a = 0,
        "solid"_a = false, "threads"_a = 1);
  m.def("shared_ngrams", &ngrams, "symbols"_a, "offsets"_a, "order"_a, "first"_a, "second"_a, "threads"_a = 1);
  nb::class_<text::WordList>(m, "Lexicon")
      .def(
          "__init__",
          [](text::WordList *self, const nb::bytes &words, int64_t frequent, int64_t text) {
            new (self) text::WordList(std::string(words.c_str(), words.size()), frequent, text);
          },
          "words"_a, "frequent"_a, "text"_a)
      .def("__len__", &text::WordList::size)
      .def("count", &count_unmatched, "hypotheses"_a, "references"_a, "threads"_a = 1);
}

}  // namespace wordorder::python
