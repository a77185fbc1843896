// Bindings of match: links between the words of two sentences, and paraphrase tables.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "match/context.h"
#include "match/line_pairs.h"
#include "match/matcher.h"
#include "match/renumber.h"
#include "python/checks.h"
#include "text/words.h"

namespace wordorder::python {

using namespace match;

namespace {

using Numbers = std::tuple<int, int, int, int>;
using Synsets = std::tuple<Ints, Longs, int32_t>;
using Phrases = std::tuple<const text::Paraphrases *, Ints>;

struct Sides {
  base::Batch hyp, ref;

  Sides(const Ints &hyp_ids, const Longs &hyp_offsets, const Ints &ref_ids, const Longs &ref_offsets, int32_t words)
      : hyp(words_of(hyp_ids, hyp_offsets, size_of(words))), ref(words_of(ref_ids, ref_offsets, words)) {
    require(hyp.size == ref.size, "hypotheses and references differ in number");
  }
};

void check_beam(int32_t beam) { require(beam >= 1 && beam <= 1 << 20, "the beam must be from 1 to 1,048,576"); }

void check_table(size_t size, int32_t words) {
  require(size >= static_cast<size_t>(words), "a table has fewer entries than there are words");
}

auto match(const Ints &hyp_ids, const Longs &hyp_offsets, const Ints &ref_ids, const Longs &ref_offsets, int32_t words,
           int32_t beam, int ties, bool halved, const Numbers &numbers, const std::optional<Ints> &stems,
           const std::optional<Synsets> &synsets, const std::optional<Phrases> &paraphrases) {
  const auto [hyp, ref] = Sides(hyp_ids, hyp_offsets, ref_ids, ref_offsets, words);
  check_beam(beam);
  const Ties rule = option_of(ties, Ties::first);
  Stages stages;
  stages.words = words;
  stages.halved = halved;
  const auto [exact, stem, synonym, paraphrase] = numbers;
  for (const int stage : {exact, stem, synonym, paraphrase}) {
    require(stage >= -1 && stage <= 3, "the number of a stage is out of range");
  }
  stages.exact = static_cast<int8_t>(exact);
  if (stem >= 0 && stems) {
    check_table(stems->shape(0), words);
    stages.stem = static_cast<int8_t>(stem);
    stages.stems = stems->data();
    check_below(*stems, words, "a stem number is out of range");
  }
  if (synonym >= 0 && synsets) {
    const auto &[ids, ends, count] = *synsets;
    check_table(static_cast<size_t>(words_of(given(ids), given(ends), size_of(count)).size), words);
    stages.synonym = static_cast<int8_t>(synonym);
    stages.synsets = ids.data();
    stages.synset_ends = ends.data();
    stages.synset_count = count;
  }
  if (paraphrase >= 0 && paraphrases) {
    const auto &[table, known] = *paraphrases;
    check_table(given(known).shape(0), words);
    require(table && table->finished(), "the paraphrases were not read to their end");
    stages.paraphrase = static_cast<int8_t>(paraphrase);
    stages.paraphrases = table;
    stages.phrase_words = known.data();
  }
  std::vector<int32_t> positions(hyp_ids.shape(0));
  std::vector<int8_t> matched(hyp_ids.shape(0)), ref_matched(ref_ids.shape(0));
  std::vector<uint8_t> best(hyp.size);
  {
    nb::gil_scoped_release release;
    Matcher matcher(stages, beam, rule);
    for (int64_t s = 0; s < hyp.size; ++s) {
      const int64_t at = hyp.offsets[s];
      best[s] = matcher.match(hyp.begin(s), hyp.length(s), ref.begin(s), ref.length(s), positions.data() + at,
                              matched.data() + at, ref_matched.data() + ref.offsets[s]);
    }
  }
  const size_t size = best.size();
  return nb::make_tuple(to_numpy(std::move(positions)), to_numpy(std::move(matched)), to_numpy(std::move(ref_matched)),
                        to_numpy<bool>(std::move(best), {size}));
}

constexpr size_t few_bytes = 1 << 12;  // of text, for which the matcher of a thread is kept

// Calls use(matcher) with a matcher of lines. Most of the time for a single pair would go into its memory, so each thread
// keeps one for short texts.
template <class Use>
MatchedPairs with_matcher(size_t bytes, Use use) {
  nb::gil_scoped_release release;
  if (bytes > few_bytes) {
    LineMatcher matcher;
    return use(matcher);
  }
  thread_local LineMatcher matcher;
  matcher.clear();
  return use(matcher);
}

auto to_python(MatchedPairs &&found) {
  const size_t rows = found.counts.size();
  return nb::make_tuple(to_numpy(std::move(found.values)), to_numpy(std::move(found.ends)),
                        to_numpy<int64_t>(std::move(found.counts), {rows, 3}),
                        to_numpy(std::move(found.reference_lengths)), found.unmatched);
}

std::string_view view_of(const nb::bytes &text) { return {text.c_str(), text.size()}; }

// Equal words of hypothesis s and reference s, for all s.
auto match_lines(const nb::bytes &hypotheses, const nb::bytes &references, int splitter, int32_t beam, int ties) {
  check_beam(beam);
  const text::Splitter how = option_of(splitter, text::Splitter::letters);
  const Ties rule = option_of(ties, Ties::first);
  const std::string_view hyp = view_of(hypotheses), ref = view_of(references);
  return to_python(with_matcher(hyp.size() + ref.size(), [&](LineMatcher &matcher) {
    matcher.add(hyp, how);
    const int64_t count = matcher.size();
    matcher.add(ref, how);
    require(matcher.size() == 2 * count, "hypotheses and references differ in number");
    std::vector<int64_t> numbers(2 * count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return matcher.match(numbers.data(), numbers.data() + count, count, beam, rule);
  }));
}

// Equal words of the two texts of each pair.
auto match_pairs(const nb::bytes &texts, const Longs &first, const Longs &second, int splitter, int32_t beam,
                 int ties) {
  check_beam(beam);
  const text::Splitter how = option_of(splitter, text::Splitter::letters);
  const Ties rule = option_of(ties, Ties::first);
  require(first.shape(0) == second.shape(0), "the two sides of the pairs differ in number");
  const std::string_view lines = view_of(texts);
  return to_python(with_matcher(lines.size(), [&](LineMatcher &matcher) {
    matcher.add(lines, how);
    for (const Longs *side : {&first, &second}) check_below(*side, matcher.size(), "a text is out of range");
    return matcher.match(first.data(), second.data(), static_cast<int64_t>(first.shape(0)), beam, rule);
  }));
}

auto match_by_context(const Ints &hyp_ids, const Longs &hyp_offsets, const Ints &ref_ids, const Longs &ref_offsets,
                      int32_t words) {
  const auto [hyp, ref] = Sides(hyp_ids, hyp_offsets, ref_ids, ref_offsets, words);
  std::vector<int32_t> positions(hyp_ids.shape(0));
  {
    nb::gil_scoped_release release;
    ContextMatcher matcher(words);
    for (int64_t s = 0; s < hyp.size; ++s) {
      matcher.match(hyp.begin(s), hyp.length(s), ref.begin(s), ref.length(s), positions.data() + hyp.offsets[s]);
    }
  }
  return to_numpy(std::move(positions));
}

auto renumbered(const Ints &positions, const Longs &offsets) {
  const base::Batch batch = batch_of(positions, offsets);
  const int32_t *const at = positions.data();
  require(std::all_of(at, at + positions.shape(0), [](int32_t p) { return p < most_positions; }),
          "a position is above 16,777,215");
  std::vector<int32_t> values;
  std::vector<int64_t> ends;
  {
    nb::gil_scoped_release release;
    renumber(batch, values, ends);
  }
  return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(ends)));
}

// Segments, words, empty segments, segments of one word, words matched and words to match, of rows of counts.
auto tally(const Table<int64_t> &counts) {
  require(counts.shape(1) == 3, "a row must have three counts");
  uint64_t words = 0, empty = 0, single = 0, matched = 0, to_match = 0;  // unsigned: no sum of theirs is undefined
  const int64_t *row = counts.data();
  for (size_t s = 0; s < counts.shape(0); ++s, row += 3) {
    words += static_cast<uint64_t>(row[0]);
    empty += row[0] == 0;
    single += row[0] == 1;
    matched += static_cast<uint64_t>(row[1]);
    to_match += static_cast<uint64_t>(row[2]);
  }
  std::vector<int64_t> out;
  for (const uint64_t sum : {uint64_t{counts.shape(0)}, words, empty, single, matched, to_match}) {
    out.push_back(static_cast<int64_t>(sum));
  }
  return to_numpy(std::move(out));
}

bool read_part(text::Paraphrases &table, const nb::bytes &text) {
  require(!table.finished(), "the paraphrases were read to their end before");
  const std::string_view data(text.c_str(), text.size());
  nb::gil_scoped_release release;
  return table.read(data);
}

bool finish(text::Paraphrases &table) {
  require(!table.finished(), "the paraphrases were read to their end before");
  nb::gil_scoped_release release;
  return table.finish();
}

auto word_numbers(const text::Paraphrases &table, const std::vector<std::string_view> &words) {
  std::vector<int32_t> numbers;
  for (const std::string_view word : words) numbers.push_back(table.word(word));
  return to_numpy(std::move(numbers));
}

}  // namespace

void bind_match(nb::module_ &m) {
  nb::class_<text::Paraphrases>(m, "Paraphrases")
      .def(nb::init<>())
      .def("read", &read_part, "text"_a)
      .def("finish", &finish)
      .def("numbers", &word_numbers, "words"_a)
      .def_prop_ro("line", &text::Paraphrases::line)
      .def_prop_ro("pairs", &text::Paraphrases::pairs);
  m.def("match", &match, "hyp_ids"_a, "hyp_offsets"_a, "ref_ids"_a, "ref_offsets"_a, "words"_a, "beam"_a, "ties"_a,
        "halved"_a, "stages"_a, "stems"_a = nb::none(), "synsets"_a = nb::none(), "paraphrases"_a = nb::none());
  m.def("match_lines", &match_lines, "hypotheses"_a, "references"_a, "splitter"_a, "beam"_a, "ties"_a);
  m.def("match_pairs", &match_pairs, "texts"_a, "first"_a, "second"_a, "splitter"_a, "beam"_a, "ties"_a);
  m.def("match_by_context", &match_by_context, "hyp_ids"_a, "hyp_offsets"_a, "ref_ids"_a, "ref_offsets"_a, "words"_a);
  m.def("tally", &tally, "counts"_a);
  m.def("renumber", &renumbered, "positions"_a, "offsets"_a);
}

}  // namespace wordorder::python
