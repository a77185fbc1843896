// Shared pieces of two texts for Python.
#include "arrays.h"

#include <cstring>

#include "../overlap.h"

using namespace wordorder;

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
              const std::vector<std::tuple<int32_t, int32_t, int32_t>> &templates, int split, bool utf16, int threads) {
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
    count_overlaps(hyp, ref, counted, {static_cast<Cutting::Split>(split), utf16}, threads, out.data());
  }
  const size_t pairs = hyp.size(), kinds = counted.size();
  return to_numpy<int64_t>(std::move(out), {pairs, kinds, 3});
}

}  // namespace

void bind_overlap(nb::module_ &m) {
  m.def("overlaps", &overlaps, "hypotheses"_a, "references"_a, "templates"_a, "split"_a, "utf16"_a, "threads"_a = 1);
}
