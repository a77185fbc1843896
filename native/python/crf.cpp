// Bindings of conditional random fields over trees. Sentences of a batch lie one after the other, each with the
// numbers of its edges (crf.h says in which order).
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <limits>

#include "../crf.h"
#include "../parallel.h"
#include "arrays.h"

using namespace wordorder;

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
    parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
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
    parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
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

auto count_misordered(const Ints &first, const Ints &last, const Ints &lengths, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  std::vector<int64_t> words{0};
  for (size_t s = 0; s < lengths.shape(0); ++s) words.push_back(words.back() + lengths.data()[s]);
  if (static_cast<int64_t>(first.shape(0)) != words.back() || last.shape(0) != first.shape(0)) {
    throw nb::value_error("positions do not fit the lengths");
  }
  std::vector<float> wrong(offsets.back()), moved(offsets.back());
  {
    nb::gil_scoped_release release;
    parallel_blocks(lengths.shape(0), 8, threads, [&](int64_t from, int64_t to, int) {
      for (int64_t s = from; s < to; ++s) {
        misordered(first.data() + words[s], last.data() + words[s], lengths.data()[s], wrong.data() + offsets[s],
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
  m.def("crf_misordered", &count_misordered, "first"_a, "last"_a, "lengths"_a, "threads"_a);
}
