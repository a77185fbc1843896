// Aligning two languages for Python.
#include "arrays.h"

#include <nanobind/stl/array.h>

#include "../aligner.h"

using namespace wordorder;

namespace {

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check(const Batch &source, const Batch &target, int32_t source_words, int32_t target_words) {
  if (source.size != target.size) throw nb::value_error("source and target differ in length");
  const auto fits = [](const Batch &batch, int32_t words) {
    const int64_t size = batch.offsets[batch.size];
    for (int64_t k = 0; k < size; ++k) {
      if (batch.values[k] < 0 || batch.values[k] >= words) return false;
    }
    return true;
  };
  if (!fits(source, source_words) || !fits(target, target_words)) throw nb::value_error("word number out of range");
}

void start(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, int32_t source_words,
           int32_t target_words, int threads) {
  const Batch source = batch_of(s, so), target = batch_of(t, to);
  check(source, target, source_words, target_words);
  nb::gil_scoped_release release;
  aligner.start(source, target, source_words, target_words, threads);
}

auto iterate(Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, bool hmm, bool agree,
             double alpha, bool exclude, double alpha_null, double null, double jump_prior, double base, int mode, int threads) {
  const Batch source = batch_of(s, so), target = batch_of(t, to);
  check(source, target, aligner.table.source_words(), aligner.table.target_words());
  nb::gil_scoped_release release;
  return aligner.iterate(source, target, {hmm, agree, alpha, exclude, alpha_null, null, jump_prior, base, mode}, threads);
}

auto align(const Aligner &aligner, const Ints &s, const Longs &so, const Ints &t, const Longs &to, int symmetry,
           float threshold, bool hmm, double null, bool trained, int threads) {
  const Batch source = batch_of(s, so), target = batch_of(t, to);
  if (source.size != target.size) throw nb::value_error("source and target differ in length");
  Links links;
  {
    nb::gil_scoped_release release;
    links = aligner.align(source, target, static_cast<Symmetry>(symmetry), threshold, hmm, null, trained, threads);
  }
  const size_t n = links.scores.size(), lines = links.ends.size();
  return nb::make_tuple(to_numpy<int32_t>(std::move(links.pairs), {n, 2}),
                        to_numpy<float>(std::move(links.scores), {n}), to_numpy<int64_t>(std::move(links.ends), {lines}));
}

}  // namespace

void bind_aligner(nb::module_ &m) {
  nb::class_<Aligner>(m, "Aligner")
      .def(nb::init<>())
      .def("start", &start, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "source_words"_a,
           "target_words"_a, "threads"_a)
      .def("iterate", &iterate, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "hmm"_a, "agree"_a,
           "alpha"_a, "exclude"_a, "alpha_null"_a, "null"_a, "jump_prior"_a, "base"_a, "mode"_a, "threads"_a)
      .def("align", &align, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "symmetry"_a,
           "threshold"_a, "hmm"_a, "null"_a, "trained"_a, "threads"_a);
}
