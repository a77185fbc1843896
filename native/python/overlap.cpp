// Shared pieces of two texts for Python.
#include "python/arrays.h"

#include <cstring>

#include "text/word_list.h"
#include "overlap/overlap.h"
#include "base/parallel.h"

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
              const std::vector<std::tuple<int32_t, int32_t, int32_t>> &templates, int split, bool utf16, int most, bool solid, int threads) {
  std::vector<Counted> counted;
  for (const auto &[kind, size, rule] : templates) {
    if (kind < 0 || kind > static_cast<int>(Kind::word_length) || size < -1 || rule < 0) {
      throw nb::value_error("no such template");
    }
    counted.push_back({static_cast<Kind>(kind), size, rule});
  }
  const std::vector<std::string_view> hyp = lines_of(hypotheses), ref = lines_of(references);
  if (hyp.size() != ref.size()) throw nb::value_error("texts differ in lines");
  std::vector<int64_t> out(hyp.size() * counted.size() * 3);
  {
    nb::gil_scoped_release release;
    count_overlaps(hyp, ref, counted, {static_cast<Cutting::Split>(split), utf16, most, solid}, threads, out.data());
  }
  const size_t pairs = hyp.size(), kinds = counted.size();
  return to_numpy<int64_t>(std::move(out), {pairs, kinds, 3});
}

// Pairs x 6: the fields of text::Foreign.
auto foreign(const text::Lexicon &lexicon, const nb::bytes &hypotheses, const nb::bytes &references, int threads) {
  const std::vector<std::string_view> hyp = lines_of(hypotheses), ref = lines_of(references);
  if (hyp.size() != ref.size()) throw nb::value_error("texts differ in lines");
  std::vector<double> out(hyp.size() * 6);
  {
    nb::gil_scoped_release release;
    std::vector<text::Lexicon::Room> rooms(std::max(threads, 1));
    base::parallel_blocks(static_cast<int64_t>(hyp.size()), 64, threads, [&](int64_t first, int64_t last, int thread) {
      for (int64_t p = first; p < last; ++p) {
        const text::Foreign f = lexicon.count(hyp[p], ref[p], rooms[thread]);
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
  nb::class_<text::Lexicon>(m, "Lexicon")
      .def("__init__", [](text::Lexicon *self, const nb::bytes &words, int64_t frequent, int64_t text) {
        new (self) text::Lexicon(std::string(words.c_str(), words.size()), frequent, text);
      }, "words"_a, "frequent"_a, "text"_a)
      .def("__len__", &text::Lexicon::size)
      .def("count", &foreign, "hypotheses"_a, "references"_a, "threads"_a = 1);
}

}  // namespace wordorder::python
