// Bindings of align: training and applying aligners, and operations on alignments.
#include <nanobind/stl/array.h>

#include <algorithm>
#include <functional>

#include "align/aligner.h"
#include "align/blocks.h"
#include "python/checks.h"

namespace wordorder::python {

using namespace align;

namespace {

struct Text {
  base::Batch source, target;

  Text(base::Batch source_, base::Batch target_) : source(source_), target(target_) {
    require(source.size == target.size, "source and target differ in length");
  }
};

void start(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, int32_t source_words,
           int32_t target_words, int threads) {
  const Text text(words_of(s, so, size_of(source_words)), words_of(t, to, size_of(target_words)));
  threads = threads_of(threads);
  nb::gil_scoped_release release;
  aligner.start(text.source, text.target, source_words, target_words, threads);
}

void set_prior(Aligner &aligner, std::vector<std::string> source, std::vector<std::string> target,
               const Longs &source_count, const Longs &target_count, double alpha, int32_t prefix, double spelling,
               double classes, int threads) {
  const auto fits = [](const std::vector<std::string> &words, const Longs &counts, int32_t known) {
    return words.size() == counts.shape(0) && static_cast<int32_t>(words.size()) == known;
  };
  require(fits(source, source_count, aligner.table.source_words()) &&
              fits(target, target_count, aligner.table.target_words()),
          "the words and counts do not fit the corpus");
  check_below(source_count, std::numeric_limits<int64_t>::max(), "a count is negative");
  check_below(target_count, std::numeric_limits<int64_t>::max(), "a count is negative");
  const double numbers[] = {alpha, spelling, classes};
  require(std::all_of(std::begin(numbers), std::end(numbers), [](double x) { return x >= 0 && x < 1e9; }) && prefix >= 0,
          "a setting of the prior is out of range");
  threads = threads_of(threads);
  Vocabularies words{std::move(source), std::move(target), {}, {}};
  words.source_count.assign(source_count.data(), source_count.data() + source_count.shape(0));
  words.target_count.assign(target_count.data(), target_count.data() + target_count.shape(0));
  nb::gil_scoped_release release;
  aligner.set_prior(words, alpha, prefix, spelling, classes, threads);
}

template <class T>
auto copied(const std::vector<T> &values) {
  const size_t n = values.size();
  return to_numpy<T>(std::vector<T>(values), {n});
}

void start_from(Aligner &aligner, const Longs &rows, const Ints &columns, int32_t target_words, int threads) {
  const auto count = static_cast<int64_t>(columns.shape(0));
  require(check_offsets(rows, count) > 0, "there are no source words");
  check_below(columns, size_of(target_words), "a target word is out of range");
  require(count <= UINT32_MAX, "the corpus has more than 2^32 pairs of words");
  for (size_t e = 0; e + 1 < rows.shape(0); ++e) {
    const int32_t *const first = columns.data() + rows.data()[e], *const last = columns.data() + rows.data()[e + 1];
    require(std::adjacent_find(first, last, std::greater_equal<int32_t>()) == last, "the words of a row are not sorted");
  }
  threads = threads_of(threads);
  std::vector<int64_t> own_rows(rows.data(), rows.data() + rows.shape(0));
  std::vector<int32_t> own_columns(columns.data(), columns.data() + count);
  nb::gil_scoped_release release;
  aligner.start(std::move(own_rows), std::move(own_columns), target_words, threads);
}

Learning learning(bool hmm, bool agree, double alpha, double null, double jump_prior) {
  require(alpha >= 0 && alpha < 1e9 && null >= 0 && null < 1 && jump_prior >= 0 && jump_prior < 1e9,
          "a setting of training is out of range");
  return {hmm, agree, alpha, null, jump_prior};
}

// The steps as one array: for each direction, counts and changes of exposure.
Sums flat(const std::array<JumpCounts, 2> &steps) {
  Sums out;
  for (const JumpCounts &one : steps) {
    out.insert(out.end(), one.count.begin(), one.count.end());
    out.insert(out.end(), one.exposure_change.begin(), one.exposure_change.end());
  }
  return out;
}

nb::dict expect(const Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, bool hmm,
                bool agree, double null, int threads) {
  const Text text(words_of(s, so, aligner.table.source_words()), words_of(t, to, aligner.table.target_words()));
  require(aligner.table.fits(text.source, text.target, Aligner::longest),
          "this is not the corpus that was passed to start");
  const Learning how = learning(hmm, agree, 0, null, 0);
  threads = threads_of(threads);
  Counts counts;
  {
    nb::gil_scoped_release release;
    counts = aligner.expect(text.source, text.target, how, threads);
  }
  nb::dict out;
  out["steps"] = to_numpy(flat(counts.steps));
  out["likelihood"] = copied(std::vector<double>(counts.likelihood.begin(), counts.likelihood.end()));
  out["cells"] = to_numpy(std::move(counts.cells));
  out["target_nulls"] = to_numpy(std::move(counts.nulls[0]));
  out["source_nulls"] = to_numpy(std::move(counts.nulls[1]));
  return out;
}

void update(Aligner &aligner, const Longs &cells, const Longs &target_nulls, const Longs &source_nulls,
            const Longs &steps, bool hmm, double alpha, double jump_prior, int threads) {
  Counts counts;
  const size_t widths = counts.steps[0].count.size();
  require(cells.shape(0) == 2 * static_cast<size_t>(aligner.table.cells()) &&
              target_nulls.shape(0) == static_cast<size_t>(aligner.table.target_words()) &&
              source_nulls.shape(0) == static_cast<size_t>(aligner.table.source_words()) &&
              steps.shape(0) == 4 * widths,
          "the counts do not fit the aligner");
  check_addable(cells, 2);
  check_addable(target_nulls);
  check_addable(source_nulls);
  const auto taken = [](const Longs &array) { return Sums(array.data(), array.data() + array.shape(0)); };
  counts.cells = taken(cells);
  counts.nulls = {taken(target_nulls), taken(source_nulls)};
  const int64_t *at = steps.data();
  for (JumpCounts &one : counts.steps) {
    for (Sums *part : {&one.count, &one.exposure_change}) {
      part->assign(at, at + widths);
      at += widths;
    }
  }
  const Learning how = learning(hmm, false, alpha, 0, jump_prior);
  threads = threads_of(threads);
  nb::gil_scoped_release release;
  aligner.update(counts, how, threads);
}

nb::tuple links_to_python(Links &&links) {
  const size_t n = links.scores.size();
  return nb::make_tuple(to_numpy<int32_t>(std::move(links.pairs), {n, 2}), to_numpy(std::move(links.ends)),
                        to_numpy(std::move(links.scores)));
}

auto align(const Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, bool hmm,
           double null, int symmetry, float threshold, bool trained, int threads) {
  const Text text(batch_of(s, so), batch_of(t, to));  // words that were never seen have any number
  require(!trained || aligner.table.fits(text.source, text.target, Aligner::longest),
          "this is not the corpus that was passed to start");
  const Decoding how{hmm, null, option_of(symmetry, Symmetry::grow_diag_final_and), threshold};
  require(null >= 0 && null < 1, "the probability of null must be at least 0 and below 1");
  threads = threads_of(threads);
  Links links;
  {
    nb::gil_scoped_release release;
    links = aligner.align(text.source, text.target, how, trained, threads);
  }
  return links_to_python(std::move(links));
}

void add_word_parameters(const Aligner &aligner, nb::dict &out) {
  const Parameters &p = aligner.parameters;
  for (int d = 0; d < 2; ++d) {
    const std::string side = d == 0 ? "forward" : "reverse";
    out[nb::str((side + "_unseen").c_str())] = copied(p.unseen[d]);
    out[nb::str((side + "_null").c_str())] = copied(p.null_lexical[d]);
    out[nb::str((side + "_jumps").c_str())] = copied(p.jumps[d].weights());
  }
  out["null_unseen"] = copied(std::vector<float>(p.null_unseen.begin(), p.null_unseen.end()));
}

// The model as arrays. Cells with the same probabilities as an unseen pair are left out.
nb::dict state(const Aligner &aligner) {
  const Parameters &p = aligner.parameters;
  std::vector<int64_t> rows{0};
  std::vector<int32_t> columns;
  std::vector<float> lexical;
  for (int32_t e = 0; e < aligner.table.source_words(); ++e) {
    for (int64_t c = aligner.table.rows()[e]; c < aligner.table.rows()[e + 1]; ++c) {
      const int32_t f = aligner.table.columns()[c];
      if (p.lexical[2 * c] == p.unseen[0][e] && p.lexical[2 * c + 1] == p.unseen[1][f]) continue;
      columns.push_back(f);
      lexical.insert(lexical.end(), {p.lexical[2 * c], p.lexical[2 * c + 1]});
    }
    rows.push_back(static_cast<int64_t>(columns.size()));
  }
  nb::dict out;
  out["rows"] = copied(rows);
  out["columns"] = copied(columns);
  out["lexical"] = copied(lexical);
  add_word_parameters(aligner, out);
  return out;
}

nb::tuple cells(const Aligner &aligner) {
  return nb::make_tuple(copied(aligner.table.rows()), copied(aligner.table.columns()));
}

// The parameters of all cells.
nb::dict parameters(const Aligner &aligner) {
  nb::dict out;
  out["lexical"] = copied(aligner.parameters.lexical);
  add_word_parameters(aligner, out);
  return out;
}

template <class T, class Array>
std::vector<T> taken(const nb::dict &state, const std::string &name) {
  const nb::object value = state[name.c_str()];
  Array array;
  if (!nb::try_cast(value, array, false)) throw nb::type_error((name + " is of another type").c_str());
  given(array);
  return std::vector<T>(array.data(), array.data() + array.shape(0));
}

// Parameters for a table with so many cells.
Parameters parameters_of(const nb::dict &state, size_t cells) {
  Parameters p;
  p.lexical = taken<float, Floats>(state, "lexical");
  for (int d = 0; d < 2; ++d) {
    const std::string side = d == 0 ? "forward" : "reverse";
    p.unseen[d] = taken<float, Floats>(state, side + "_unseen");
    p.null_lexical[d] = taken<float, Floats>(state, side + "_null");
    const auto weights = taken<double, Doubles>(state, side + "_jumps");
    require(weights.size() == Jumps::classes, "the number of step weights is wrong");
    check_finite(weights.data(), weights.size());
    p.jumps[d].set(weights.data());
  }
  const auto unseen = taken<float, Floats>(state, "null_unseen");
  require(p.lexical.size() == 2 * cells && p.null_lexical[0].size() == p.unseen[1].size() &&
              p.null_lexical[1].size() == p.unseen[0].size() && unseen.size() == 2,
          "the arrays of the model do not fit each other");
  const std::vector<float> *const parts[] = {&p.lexical,         &p.unseen[0],       &p.unseen[1],
                                            &p.null_lexical[0], &p.null_lexical[1], &unseen};
  for (const auto *part : parts) check_finite(part->data(), part->size());
  p.null_unseen = {unseen[0], unseen[1]};
  return p;
}

void set_parameters(Aligner &aligner, const nb::dict &state) {
  Parameters p = parameters_of(state, static_cast<size_t>(aligner.table.cells()));
  require(p.unseen[0].size() == static_cast<size_t>(aligner.table.source_words()) &&
              p.unseen[1].size() == static_cast<size_t>(aligner.table.target_words()),
          "the parameters are not those of these words");
  aligner.parameters = std::move(p);
}

void set_state(Aligner &aligner, const nb::dict &state) {
  auto rows = taken<int64_t, Longs>(state, "rows");
  auto columns = taken<int32_t, Ints>(state, "columns");
  Parameters p = parameters_of(state, columns.size());
  const bool fits = rows.size() == p.unseen[0].size() + 1 && rows.front() == 0 &&
                    rows.back() == static_cast<int64_t>(columns.size()) && std::is_sorted(rows.begin(), rows.end());
  require(fits, "the arrays of the model do not fit each other");
  const auto words = static_cast<int32_t>(p.unseen[1].size());
  require(std::all_of(columns.begin(), columns.end(), [words](int32_t f) { return f >= 0 && f < words; }),
          "a word number of the model is out of range");
  aligner.table.assign(std::move(rows), std::move(columns), words);
  aligner.parameters = std::move(p);
}

using Pairs = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::vector<Link> links_of(const Pairs &pairs, const Longs &ends, int64_t s) {
  std::vector<Link> out;
  for (int64_t k = ends.data()[s]; k < ends.data()[s + 1]; ++k) {
    out.push_back({pairs.data()[2 * k], pairs.data()[2 * k + 1]});
  }
  return out;
}

int64_t check_links(const Pairs &pairs, const Longs &ends) {
  check_below(pairs, most_positions, "a position is negative or above 16,777,215");
  return check_offsets(ends, static_cast<int64_t>(pairs.shape(0)));
}

auto symmetrise(const Pairs &forward, const Longs &forward_ends, const Pairs &reverse, const Longs &reverse_ends,
                int symmetry) {
  const int64_t size = check_links(forward, forward_ends);
  require(size == check_links(reverse, reverse_ends), "the two directions differ in length");
  const Symmetry how = option_of(symmetry, Symmetry::grow_diag_final_and);
  std::vector<int32_t> pairs;
  std::vector<int64_t> ends{0};
  {
    nb::gil_scoped_release release;
    Symmetriser symmetriser;
    std::vector<Link> links;
    for (int64_t s = 0; s < size; ++s) {
      symmetriser.run(links_of(forward, forward_ends, s), links_of(reverse, reverse_ends, s), how, links);
      for (const Link &link : links) pairs.insert(pairs.end(), {link.source, link.target});
      ends.push_back(static_cast<int64_t>(pairs.size() / 2));
    }
  }
  const size_t n = pairs.size() / 2;
  return nb::make_tuple(to_numpy<int32_t>(std::move(pairs), {n, 2}), to_numpy(std::move(ends)));
}

auto link_blocks(const Pairs &pairs, const Longs &offsets) {
  const int64_t size = check_links(pairs, offsets);
  std::vector<Block> blocks;
  std::vector<int64_t> ends{0};
  {
    nb::gil_scoped_release release;
    for (int64_t s = 0; s < size; ++s) {
      std::vector<Link> links = links_of(pairs, offsets, s);
      const std::vector<Block> own = blocks_of(links.data(), links.data() + links.size());
      blocks.insert(blocks.end(), own.begin(), own.end());
      ends.push_back(static_cast<int64_t>(blocks.size()));
    }
  }
  const size_t n = blocks.size();
  static_assert(sizeof(Block) == 4 * sizeof(int32_t), "a block is four integers to Python");
  return nb::make_tuple(to_numpy<int32_t>(std::move(blocks), {n, 4}), to_numpy(std::move(ends)));
}

// The posteriors of one sentence under the HMM, (J, I), those of null, and the log-likelihood. For tests.
auto hmm_posteriors(const Floats &lexical, const Floats &null_lexical, const Doubles &weights, float null) {
  const auto J = static_cast<int32_t>(null_lexical.shape(0));
  const auto I = static_cast<int32_t>(J ? lexical.shape(0) / J : 0);
  require(I && static_cast<size_t>(I) * J == lexical.shape(0) && weights.shape(0) == Jumps::classes,
          "the shapes do not fit each other");
  Jumps jumps;
  jumps.set(weights.data());
  Hmm hmm;
  hmm.prune = 0;
  const std::vector<int32_t> begin(J, 0);
  std::vector<float> posterior(lexical.shape(0)), none(J);
  const double likelihood = hmm.run(J, I, I, begin.data(), lexical.data(), null_lexical.data(), null, jumps,
                                    posterior.data(), none.data(), nullptr);
  const size_t rows = J, width = I;
  return nb::make_tuple(to_numpy<float>(std::move(posterior), {rows, width}), to_numpy(std::move(none)), likelihood);
}

}  // namespace

void bind_align(nb::module_ &m) {
  nb::class_<Aligner>(m, "Aligner")
      .def(nb::init<>())
      .def("start", &start, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "source_words"_a,
           "target_words"_a, "threads"_a)
      .def("set_prior", &set_prior, "source_words"_a, "target_words"_a, "source_count"_a, "target_count"_a, "alpha"_a,
           "prefix"_a, "spelling"_a, "classes"_a, "threads"_a)
      .def("start_from", &start_from, "rows"_a, "columns"_a, "target_words"_a, "threads"_a)
      .def("expect", &expect, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "hmm"_a, "agree"_a,
           "null"_a, "threads"_a)
      .def("update", &update, "cells"_a, "target_nulls"_a, "source_nulls"_a, "steps"_a, "hmm"_a, "alpha"_a,
           "jump_prior"_a, "threads"_a)
      .def("cells", &cells)
      .def("parameters", &parameters)
      .def("set_parameters", &set_parameters, "state"_a)
      .def("align", &align, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "hmm"_a, "null"_a,
           "symmetry"_a, "threshold"_a, "trained"_a, "threads"_a)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a);
  m.def("symmetrise", &symmetrise, "forward"_a, "forward_offsets"_a, "reverse"_a, "reverse_offsets"_a, "symmetry"_a);
  m.def("blocks", &link_blocks, "pairs"_a, "offsets"_a);
  m.def("hmm_posteriors", &hmm_posteriors, "lexical"_a, "null_lexical"_a, "weights"_a, "null"_a);
}

}  // namespace wordorder::python
