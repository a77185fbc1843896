// Bindings of overlap, and of the word list: counts of shared pieces and of unmatched words.
#include <cstring>

#include "base/parallel.h"
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
