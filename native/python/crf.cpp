// Bindings of conditional random fields over trees. Sentences of a batch lie one after the other, each with the
// numbers of its edges (crf.h says in which order).
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <limits>

#include "crf/word_classes.h"
#include "crf/chart.h"
#include "crf/learner.h"
#include "base/lanes.h"
#include "decode/mixed_order.h"
#include "base/parallel.h"
#include "python/arrays.h"

namespace wordorder::python {

using namespace crf;

namespace {

template <class T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Where the numbers of each sentence begin; the last is where all end.
std::vector<int64_t> edge_offsets(const Ints &lengths) {
  std::vector<int64_t> out{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) {
    if (lengths.data()[s] < 0) throw nb::value_error("a negative number of words");
    out.push_back(out.back() + 2 * edge_count(lengths.data()[s]));
  }
  return out;
}

template <class T>
void check_edges(const Row<T> &edges, int64_t expected) {
  if (static_cast<int64_t>(edges.shape(0)) != expected) throw nb::value_error("scores do not fit the lengths");
}

template <class T>
auto posteriors(const Row<T> &scores, const Ints &lengths, bool canonical, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  check_edges(scores, offsets.back());
  const size_t size = lengths.shape(0);
  std::vector<double> log_z(size);
  std::vector<T> out(scores.shape(0), 0);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
      CrfChart chart;
      for (int64_t s = first; s < last; ++s) {
        log_z[s] = chart.inside<T>(scores.data() + offsets[s], nullptr, lengths.data()[s], canonical);
        chart.add_posteriors<T>(1, out.data() + offsets[s]);
      }
    });
  }
  const size_t edges = out.size();
  return nb::make_tuple(to_numpy<double>(std::move(log_z), {size}), to_numpy<T>(std::move(out), {edges}));
}

// Log Z of all trees less log Z of the weighted ones, and how it changes with each score. Where the weights
// leave no tree the loss is infinite and the gradient zero.
template <class T>
auto loss(const Row<T> &scores, const Ints &lengths, const Row<T> &weights, bool canonical, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  check_edges(scores, offsets.back());
  check_edges(weights, offsets.back());
  const size_t size = lengths.shape(0);
  std::vector<double> losses(size);
  std::vector<T> out(scores.shape(0), 0);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;  // probabilities that a float cannot hold
      CrfChart some, all;
      for (int64_t s = first; s < last; ++s) {
        const int32_t n = lengths.data()[s];
        const double wanted = some.inside<T>(scores.data() + offsets[s], weights.data() + offsets[s], n, canonical);
        losses[s] = std::numeric_limits<double>::infinity();
        if (!(wanted > -losses[s])) continue;
        losses[s] = all.inside<T>(scores.data() + offsets[s], nullptr, n, canonical) - wanted;
        all.add_posteriors<T>(1, out.data() + offsets[s]);
        some.add_posteriors<T>(-1, out.data() + offsets[s]);
      }
    });
  }
  const size_t edges = out.size();
  return nb::make_tuple(to_numpy<double>(std::move(losses), {size}), to_numpy<T>(std::move(out), {edges}));
}

auto count_misordered(const Ints &first, const Ints &last, const Ints &lengths, bool attach, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  std::vector<int64_t> words{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) words.push_back(words.back() + lengths.data()[s]);
  if (static_cast<int64_t>(first.shape(0)) != words.back() || last.shape(0) != first.shape(0)) {
    throw nb::value_error("positions do not fit the lengths");
  }
  std::vector<float> wrong(offsets.back()), moved(offsets.back());
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(lengths.shape(0), 8, threads, [&](int64_t from, int64_t to, int) {
      for (int64_t s = from; s < to; ++s) {
        misordered(first.data() + words[s], last.data() + words[s], lengths.data()[s], attach, wrong.data() + offsets[s],
                   moved.data() + offsets[s]);
      }
    });
  }
  const size_t edges = wrong.size();
  return nb::make_tuple(to_numpy<float>(std::move(wrong), {edges}), to_numpy<float>(std::move(moved), {edges}));
}

// Of one sentence: log Z, the table of inversions, and that of neighbours.
template <class T>
auto tables(const Row<T> &scores, int32_t n, bool canonical) {
  if (n < 0) throw nb::value_error("a negative number of words");
  check_edges(scores, 2 * edge_count(n));
  std::vector<double> inverted, next;
  double log_z = 0;
  {
    nb::gil_scoped_release release;
    CrfChart chart;
    log_z = chart.inside<T>(scores.data(), nullptr, n, canonical);
    chart.tables(inverted, next);
  }
  const size_t size = n;
  return nb::make_tuple(log_z, to_numpy<double>(std::move(inverted), {size, size}),
                        to_numpy<double>(std::move(next), {size + 1, size + 1}));
}

// The best tree's score and its (begin, cut, end, op) in preorder.
template <class T>
auto best(const Row<T> &scores, int32_t n, bool canonical) {
  if (n < 0) throw nb::value_error("a negative number of words");
  check_edges(scores, 2 * edge_count(n));
  std::vector<CrfNode> tree;
  double score;
  {
    nb::gil_scoped_release release;
    score = best_tree<T>(scores.data(), n, canonical, tree);
  }
  std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> out;
  for (const CrfNode &node : tree) out.emplace_back(node.begin, node.cut, node.end, node.op);
  return std::make_pair(score, out);
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto mixed(const Table &inverted, const Table &next, double share) {
  const size_t n = inverted.shape(0);
  if (inverted.shape(1) != n || next.shape(0) != n + 1 || next.shape(1) != n + 1 || !(share >= 0 && share <= 1)) {
    throw nb::value_error("tables that do not fit, or a share that is none");
  }
  const std::vector<double> one(inverted.data(), inverted.data() + n * n), other(next.data(), next.data() + (n + 1) * (n + 1));
  nb::gil_scoped_release release;
  return decode::mixed_order(one, other, static_cast<int32_t>(n), share);
}

auto classes(const Ints &values, const Longs &offsets, int32_t words, int32_t count, int32_t rounds) {
  const base::Batch text = batch_of(values, offsets);
  const int64_t size = text.offsets[text.size];
  if (count < 1 || !std::all_of(values.data(), values.data() + size, [&](int32_t w) { return w >= 0 && w < words; })) {
    throw nb::value_error("word number out of range, or no classes");
  }
  std::vector<int32_t> found;
  {
    nb::gil_scoped_release release;
    found = exchange_classes(text, words, count, rounds);
  }
  const size_t all = found.size();
  return to_numpy<int32_t>(std::move(found), {all});
}

using Codes = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A batch with what it points to.
struct Coded {
  Coded(const CrfLearner &learner, const Codes &codes, const Ints &lengths) : edges(edge_offsets(lengths)), words{0} {
    for (size_t s = 0; s < lengths.shape(0); ++s) words.push_back(words.back() + lengths.data()[s]);
    if (static_cast<int64_t>(codes.shape(0)) != words.back() * learner.templates.layers) {
      throw nb::value_error("codes do not fit the lengths");
    }
    batch = {codes.data(), lengths.data(), words.data(), edges.data(), static_cast<int64_t>(lengths.shape(0))};
  }
  std::vector<int64_t> edges, words;
  CodedBatch batch;
};

FeatureTemplates templates_of(int32_t layers, int32_t bits, double power, const std::vector<std::vector<int32_t>> &edges,
                              const std::vector<std::vector<int32_t>> &pairs) {
  if (bits < 1 || bits > 28 || layers < 0) throw nb::value_error("bits from 1 to 28");
  FeatureTemplates out{layers, bits, power, {}, {}};
  const auto add = [&](const auto &rows, auto &to) {
    for (const auto &row : rows) {
      typename std::decay_t<decltype(to)>::value_type made;
      if (row.size() != made.size() || std::any_of(row.begin(), row.end(), [&](int32_t p) { return p >= std::max(layers, 1); })) {
        throw nb::value_error("a template that cannot be");
      }
      std::copy(row.begin(), row.end(), made.begin());
      to.push_back(made);
    }
  };
  add(edges, out.edges);
  add(pairs, out.pairs);
  return out;
}

auto feature_scores(const CrfLearner &learner, const Codes &codes, const Ints &lengths, int threads) {
  const Coded coded(learner, codes, lengths);
  std::vector<float> out(coded.edges.back());
  {
    nb::gil_scoped_release release;
    learner.scores(coded.batch, threads, out.data());
  }
  const size_t edges = out.size();
  return to_numpy<float>(std::move(out), {edges});
}

double learner_step(CrfLearner &learner, const Codes &codes, const Ints &lengths, const Row<float> &weights, double rate,
                    double l2, double ease, int threads) {
  const Coded coded(learner, codes, lengths);
  check_edges(weights, coded.edges.back());
  nb::gil_scoped_release release;
  return learner.step(coded.batch, weights.data(), rate, l2, ease, threads);
}

auto learner_derivatives(CrfLearner &learner, const Codes &codes, const Ints &lengths, const Row<float> &weights) {
  const Coded coded(learner, codes, lengths);
  check_edges(weights, coded.edges.back());
  const double loss = learner.derivatives(coded.batch, weights.data(), 1);
  std::vector<float> out = learner.gradient();
  const size_t all = out.size();
  return nb::make_tuple(loss, to_numpy<float>(std::move(out), {all}));
}

void set_weights(CrfLearner &learner, const Row<float> &weights) {
  if (weights.shape(0) != learner.size()) throw nb::value_error("the number of weights does not fit");
  learner.set_weights(weights.data());
}

auto get_weights(const CrfLearner &learner) {
  std::vector<float> out = learner.weights();
  const size_t all = out.size();
  return to_numpy<float>(std::move(out), {all});
}

auto get_state(const CrfLearner &learner) {
  std::vector<float> weights = learner.weights(), squares = learner.squares();
  std::vector<double> sums = learner.sums();
  const size_t all = learner.size(), kept = sums.size();
  return nb::make_tuple(to_numpy<float>(std::move(weights), {all}), to_numpy<float>(std::move(squares), {all}),
                        to_numpy<double>(std::move(sums), {kept}), learner.remembered());
}

void set_state(CrfLearner &learner, const Row<float> &weights, const Row<float> &squares, const Column &sums, int64_t remembered) {
  const bool fits = sums.shape(0) == (remembered ? learner.size() : 0) && remembered >= 0;
  if (weights.shape(0) != learner.size() || squares.shape(0) != learner.size() || !fits) {
    throw nb::value_error("a state that does not fit");
  }
  learner.set_state(weights.data(), squares.data(), {sums.data(), sums.data() + sums.shape(0)}, remembered);
}

template <class T>
void bind_scores(nb::module_ &m) {
  m.def("crf_posteriors", &posteriors<T>, "scores"_a, "lengths"_a, "canonical"_a, "threads"_a);
  m.def("crf_loss", &loss<T>, "scores"_a, "lengths"_a, "weights"_a, "canonical"_a, "threads"_a);
  m.def("crf_tables", &tables<T>, "scores"_a, "n"_a, "canonical"_a);
  m.def("crf_best_tree", &best<T>, "scores"_a, "n"_a, "canonical"_a);
}

}  // namespace

void bind_crf(nb::module_ &m) {
  bind_scores<float>(m);
  bind_scores<double>(m);
  m.def("crf_misordered", &count_misordered, "first"_a, "last"_a, "lengths"_a, "attach"_a, "threads"_a);
  m.def("mixed_order", &mixed, "inverted"_a, "following"_a, "share"_a);
  m.def("exchange_classes", &classes, "values"_a, "offsets"_a, "words"_a, "classes"_a, "rounds"_a);
  nb::class_<CrfLearner>(m, "CrfLearner")
      .def("__init__", [](CrfLearner *to, int32_t layers, int32_t bits, double power, const std::vector<std::vector<int32_t>> &edges,
                          const std::vector<std::vector<int32_t>> &pairs, bool canonical) {
             new (to) CrfLearner(templates_of(layers, bits, power, edges, pairs), canonical);
           }, "layers"_a, "bits"_a, "power"_a, "edges"_a, "pairs"_a, "canonical"_a)
      .def("scores", &feature_scores, "codes"_a, "lengths"_a, "threads"_a)
      .def("step", &learner_step, "codes"_a, "lengths"_a, "weights"_a, "rate"_a, "l2"_a, "ease"_a, "threads"_a)
      .def("derivatives", &learner_derivatives, "codes"_a, "lengths"_a, "weights"_a)
      .def("remember", &CrfLearner::remember)
      .def("average", &CrfLearner::average)
      .def("state", &get_state)
      .def("set_state", &set_state, "weights"_a, "squares"_a, "sums"_a, "remembered"_a)
      .def("weights", &get_weights)
      .def("set_weights", &set_weights, "weights"_a);
}

}  // namespace wordorder::python
