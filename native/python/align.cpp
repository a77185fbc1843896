// Bindings of align: training and applying aligners, and operations on alignments.
#include <nanobind/stl/array.h>

#include <algorithm>

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

auto iterate(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, bool hmm, bool agree,
             double alpha, double null, double jump_prior, int threads) {
  const Text text(words_of(s, so, aligner.table.source_words()), words_of(t, to, aligner.table.target_words()));
  require(aligner.table.fits(text.source, text.target, Aligner::longest),
          "this is not the corpus that was passed to start");
  require(alpha >= 0 && alpha < 1e9 && null >= 0 && null < 1 && jump_prior >= 0 && jump_prior < 1e9,
          "a setting of training is out of range");
  threads = threads_of(threads);
  nb::gil_scoped_release release;
  return aligner.iterate(text.source, text.target, {hmm, agree, alpha, null, jump_prior}, threads);
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

template <class T>
auto copied(const std::vector<T> &values) {
  const size_t n = values.size();
  return to_numpy<T>(std::vector<T>(values), {n});
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
  for (int d = 0; d < 2; ++d) {
    const std::string side = d == 0 ? "forward" : "reverse";
    out[nb::str((side + "_unseen").c_str())] = copied(p.unseen[d]);
    out[nb::str((side + "_null").c_str())] = copied(p.null_lexical[d]);
    out[nb::str((side + "_jumps").c_str())] = copied(p.jumps[d].weights());
  }
  out["null_unseen"] = copied(std::vector<float>(p.null_unseen.begin(), p.null_unseen.end()));
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

void set_state(Aligner &aligner, const nb::dict &state) {
  Parameters p;
  auto rows = taken<int64_t, Longs>(state, "rows");
  auto columns = taken<int32_t, Ints>(state, "columns");
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
  const size_t source_words = p.unseen[0].size(), target_words = p.unseen[1].size();
  const bool fits = rows.size() == source_words + 1 && rows.front() == 0 &&
                    rows.back() == static_cast<int64_t>(columns.size()) && p.lexical.size() == 2 * columns.size() &&
                    std::is_sorted(rows.begin(), rows.end()) && p.null_lexical[0].size() == target_words &&
                    p.null_lexical[1].size() == source_words && unseen.size() == 2;
  require(fits, "the arrays of the model do not fit each other");
  const auto words = static_cast<int32_t>(target_words);
  require(std::all_of(columns.begin(), columns.end(), [words](int32_t f) { return f >= 0 && f < words; }),
          "a word number of the model is out of range");
  const std::vector<float> *const parts[] = {&p.lexical,         &p.unseen[0],       &p.unseen[1],
                                            &p.null_lexical[0], &p.null_lexical[1], &unseen};
  for (const auto *part : parts) check_finite(part->data(), part->size());
  p.null_unseen = {unseen[0], unseen[1]};
  aligner.table.assign(std::move(rows), std::move(columns), static_cast<int32_t>(target_words));
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
      .def("iterate", &iterate, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "hmm"_a, "agree"_a,
           "alpha"_a, "null"_a, "jump_prior"_a, "threads"_a)
      .def("align", &align, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "hmm"_a, "null"_a,
           "symmetry"_a, "threshold"_a, "trained"_a, "threads"_a)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a);
  m.def("symmetrise", &symmetrise, "forward"_a, "forward_offsets"_a, "reverse"_a, "reverse_offsets"_a, "symmetry"_a);
  m.def("blocks", &link_blocks, "pairs"_a, "offsets"_a);
  m.def("hmm_posteriors", &hmm_posteriors, "lexical"_a, "null_lexical"_a, "weights"_a, "null"_a);
}

}  // namespace wordorder::python
