// Bindings of align: training and applying aligners, and operations on alignments.
#include <nanobind/stl/array.h>

#include <algorithm>

#include "align/aligner.h"
#include "align/blocks.h"
#include "python/arrays.h"

namespace wordorder::python {

using namespace align;

namespace {

struct Text {
  base::Batch source, target;

  Text(const Ints &s, const Longs &so, const Ints &t, const Longs &to)
      : source(batch_of(s, so)), target(batch_of(t, to)) {
    if (source.size != target.size) throw nb::value_error("source and target differ in length");
  }
};

bool below(const base::Batch &batch, int32_t words) {
  const int64_t size = batch.offsets[batch.size];
  return std::all_of(batch.values, batch.values + size, [words](int32_t w) { return w >= 0 && w < words; });
}

void start(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, int32_t source_words,
           int32_t target_words, int threads) {
  const Text text(s, so, t, to);
  if (!below(text.source, source_words) || !below(text.target, target_words)) {
    throw nb::value_error("a word number is out of range");
  }
  nb::gil_scoped_release release;
  aligner.start(text.source, text.target, source_words, target_words, threads);
}

void set_prior(Aligner &aligner, std::vector<std::string> source, std::vector<std::string> target,
               const Longs &source_count, const Longs &target_count, double alpha, int32_t prefix, double spelling,
               double classes, int threads) {
  const auto sizes = [](const std::vector<std::string> &words, const Longs &counts, int32_t known) {
    return words.size() == counts.shape(0) && static_cast<int32_t>(words.size()) == known;
  };
  if (!sizes(source, source_count, aligner.table.source_words()) ||
      !sizes(target, target_count, aligner.table.target_words())) {
    throw nb::value_error("the words and counts do not fit the corpus");
  }
  Vocabularies words{std::move(source), std::move(target), {}, {}};
  words.source_count.assign(source_count.data(), source_count.data() + source_count.shape(0));
  words.target_count.assign(target_count.data(), target_count.data() + target_count.shape(0));
  nb::gil_scoped_release release;
  aligner.set_prior(words, alpha, prefix, spelling, classes, threads);
}

auto iterate(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, bool hmm, bool agree,
             double alpha, double null, double jump_prior, int threads) {
  const Text text(s, so, t, to);
  if (!aligner.table.fits(text.source, text.target, Aligner::longest) ||
      !below(text.source, aligner.table.source_words()) || !below(text.target, aligner.table.target_words())) {
    throw nb::value_error("this is not the corpus that was passed to start");
  }
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
  const Text text(s, so, t, to);
  if (trained && !aligner.table.fits(text.source, text.target, Aligner::longest)) {
    throw nb::value_error("this is not the corpus that was passed to start");
  }
  Links links;
  {
    nb::gil_scoped_release release;
    links = aligner.align(text.source, text.target, {hmm, null, static_cast<Symmetry>(symmetry), threshold}, trained,
                          threads);
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
  const Array array = nb::cast<Array>(state[name.c_str()]);
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
    if (weights.size() != Jumps::classes) throw nb::value_error("the number of step weights is wrong");
    p.jumps[d].set(weights.data());
  }
  const auto unseen = taken<float, Floats>(state, "null_unseen");
  const size_t source_words = p.unseen[0].size(), target_words = p.unseen[1].size();
  const bool fits = rows.size() == source_words + 1 && rows.front() == 0 &&
                    rows.back() == static_cast<int64_t>(columns.size()) && p.lexical.size() == 2 * columns.size() &&
                    std::is_sorted(rows.begin(), rows.end()) && p.null_lexical[0].size() == target_words &&
                    p.null_lexical[1].size() == source_words && unseen.size() == 2;
  if (!fits) throw nb::value_error("the arrays of the model do not fit each other");
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
  const int64_t size = static_cast<int64_t>(ends.shape(0)) - 1;
  if (size < 0 || ends.data()[0] != 0 || ends.data()[size] != static_cast<int64_t>(pairs.shape(0))) {
    throw nb::value_error("the offsets do not fit the links");
  }
  for (size_t k = 0; k < 2 * pairs.shape(0); ++k) {
    if (pairs.data()[k] < 0) throw nb::value_error("a position is negative");
  }
  return size;
}

auto symmetrise(const Pairs &forward, const Longs &forward_ends, const Pairs &reverse, const Longs &reverse_ends,
                int symmetry) {
  const int64_t size = check_links(forward, forward_ends);
  if (size != check_links(reverse, reverse_ends)) throw nb::value_error("the two directions differ in length");
  std::vector<int32_t> pairs;
  std::vector<int64_t> ends{0};
  {
    nb::gil_scoped_release release;
    Symmetriser symmetriser;
    std::vector<Link> links;
    for (int64_t s = 0; s < size; ++s) {
      symmetriser.run(links_of(forward, forward_ends, s), links_of(reverse, reverse_ends, s),
                      static_cast<Symmetry>(symmetry), links);
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
  if (!I || static_cast<size_t>(I) * J != lexical.shape(0) || weights.shape(0) != Jumps::classes) {
    throw nb::value_error("the shapes do not fit each other");
  }
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
