// Bindings of match: links between the words of two sentences, and paraphrase tables.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "match/context.h"
#include "match/matcher.h"
#include "match/renumber.h"
#include "python/arrays.h"

namespace wordorder::python {

using namespace match;

namespace {

using Numbers = std::tuple<int, int, int, int>;
using Synsets = std::tuple<Ints, Longs, int32_t>;
using Phrases = std::tuple<const text::Paraphrases *, Ints>;

void check(const base::Batch &batch, int32_t words) {
  for (int64_t s = 0; s < batch.size; ++s) {
    if (batch.offsets[s + 1] < batch.offsets[s]) throw nb::value_error("the offsets must not decrease");
  }
  for (int64_t k = 0; k < batch.offsets[batch.size]; ++k) {
    if (batch.values[k] < 0 || batch.values[k] >= words) throw nb::value_error("a word number is out of range");
  }
}

void check_pairs(const base::Batch &hyp, const base::Batch &ref, int32_t words) {
  if (hyp.size != ref.size) throw nb::value_error("hypotheses and references differ in number");
  check(hyp, words);
  check(ref, words);
}

void check_table(size_t size, int32_t words) {
  if (size < static_cast<size_t>(words)) throw nb::value_error("a table has fewer entries than there are words");
}

auto match(const Ints &hyp_ids, const Longs &hyp_offsets, const Ints &ref_ids, const Longs &ref_offsets, int32_t words,
           int32_t beam, int ties, bool halved, const Numbers &numbers, const std::optional<Ints> &stems,
           const std::optional<Synsets> &synsets, const std::optional<Phrases> &paraphrases) {
  const base::Batch hyp = batch_of(hyp_ids, hyp_offsets), ref = batch_of(ref_ids, ref_offsets);
  check_pairs(hyp, ref, words);
  if (beam < 1) throw nb::value_error("the beam must be at least 1");
  Stages stages;
  stages.words = words;
  stages.halved = halved;
  const auto [exact, stem, synonym, paraphrase] = numbers;
  stages.exact = static_cast<int8_t>(exact);
  if (stem >= 0 && stems) {
    check_table(stems->shape(0), words);
    stages.stem = static_cast<int8_t>(stem);
    stages.stems = stems->data();
    for (int32_t w = 0; w < words; ++w) {
      if (stages.stems[w] < 0 || stages.stems[w] >= words) throw nb::value_error("a stem number is out of range");
    }
  }
  if (synonym >= 0 && synsets) {
    const auto &[ids, ends, count] = *synsets;
    check_table(ends.shape(0) - 1, words);
    check({ids.data(), ends.data(), static_cast<int64_t>(ends.shape(0)) - 1}, count);
    stages.synonym = static_cast<int8_t>(synonym);
    stages.synsets = ids.data();
    stages.synset_ends = ends.data();
    stages.synset_count = count;
  }
  if (paraphrase >= 0 && paraphrases) {
    const auto &[table, known] = *paraphrases;
    check_table(known.shape(0), words);
    stages.paraphrase = static_cast<int8_t>(paraphrase);
    stages.paraphrases = table;
    stages.phrase_words = known.data();
  }
  std::vector<int32_t> positions(hyp_ids.shape(0));
  std::vector<int8_t> matched(hyp_ids.shape(0)), ref_matched(ref_ids.shape(0));
  std::vector<uint8_t> best(hyp.size);
  {
    nb::gil_scoped_release release;
    Matcher matcher(stages, beam, static_cast<Ties>(ties));
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

auto match_by_context(const Ints &hyp_ids, const Longs &hyp_offsets, const Ints &ref_ids, const Longs &ref_offsets,
                      int32_t words) {
  const base::Batch hyp = batch_of(hyp_ids, hyp_offsets), ref = batch_of(ref_ids, ref_offsets);
  check_pairs(hyp, ref, words);
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
  std::vector<int32_t> values;
  std::vector<int64_t> ends;
  {
    nb::gil_scoped_release release;
    renumber(batch, values, ends);
  }
  return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(ends)));
}

bool read_part(text::Paraphrases &table, const nb::bytes &text) {
  const std::string_view data(text.c_str(), text.size());
  nb::gil_scoped_release release;
  return table.read(data);
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
      .def("finish", &text::Paraphrases::finish, nb::call_guard<nb::gil_scoped_release>())
      .def("numbers", &word_numbers, "words"_a)
      .def_prop_ro("line", &text::Paraphrases::line)
      .def_prop_ro("pairs", &text::Paraphrases::pairs);
  m.def("match", &match, "hyp_ids"_a, "hyp_offsets"_a, "ref_ids"_a, "ref_offsets"_a, "words"_a, "beam"_a, "ties"_a,
        "halved"_a, "stages"_a, "stems"_a = nb::none(), "synsets"_a = nb::none(), "paraphrases"_a = nb::none());
  m.def("match_by_context", &match_by_context, "hyp_ids"_a, "hyp_offsets"_a, "ref_ids"_a, "ref_offsets"_a, "words"_a);
  m.def("renumber", &renumbered, "positions"_a, "offsets"_a);
}

}  // namespace wordorder::python
