// Bindings of crf: sums over trees, best trees, costs of edges and word classes.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <limits>

#include "base/lanes.h"
#include "base/parallel.h"
#include "crf/best_tree.h"
#include "crf/chart.h"
#include "crf/misordered.h"
#include "crf/word_classes.h"
#include "python/crf_batch.h"

namespace wordorder::python {

using namespace crf;

namespace {

template <class T>
auto posteriors(const Array<T> &scores, const Ints &lengths, bool canonical, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  check_edges(scores, offsets.back());
  threads = threads_of(threads);
  const size_t size = lengths.shape(0);
  std::vector<double> log_z(size);
  std::vector<T> out(scores.shape(0), 0);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
      Chart chart;
      for (int64_t s = first; s < last; ++s) {
        log_z[s] = chart.inside<T>(scores.data() + offsets[s], nullptr, lengths.data()[s], canonical);
        chart.add_posteriors<T>(1, out.data() + offsets[s]);
      }
    });
  }
  return nb::make_tuple(to_numpy(std::move(log_z)), to_numpy(std::move(out)));
}

// Log Z of all trees minus log Z of the weighted trees, and its derivative with respect to each score. If the weights
// leave no tree, the loss is infinite and the gradient zero.
template <class T>
auto loss(const Array<T> &scores, const Ints &lengths, const Array<T> &weights, bool canonical, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  check_edges(scores, offsets.back());
  check_edges(weights, offsets.back());
  threads = threads_of(threads);
  const size_t size = lengths.shape(0);
  std::vector<double> losses(size);
  std::vector<T> out(scores.shape(0), 0);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;  // some probabilities are too small for a float
      Chart weighted, all;
      for (int64_t s = first; s < last; ++s) {
        const int32_t n = lengths.data()[s];
        const double wanted = weighted.inside<T>(scores.data() + offsets[s], weights.data() + offsets[s], n, canonical);
        losses[s] = std::numeric_limits<double>::infinity();
        if (!(wanted > -losses[s])) continue;
        losses[s] = all.inside<T>(scores.data() + offsets[s], nullptr, n, canonical) - wanted;
        all.add_posteriors<T>(1, out.data() + offsets[s]);
        weighted.add_posteriors<T>(-1, out.data() + offsets[s]);
      }
    });
  }
  return nb::make_tuple(to_numpy(std::move(losses)), to_numpy(std::move(out)));
}

auto count_misordered(const Ints &first, const Ints &last, const Ints &lengths, bool attach, int threads) {
  const std::vector<int64_t> offsets = edge_offsets(lengths);
  const std::vector<int64_t> words = word_offsets(lengths);
  require(static_cast<int64_t>(first.shape(0)) == words.back() && last.shape(0) == first.shape(0),
          "the positions do not fit the lengths");
  for (const Ints *side : {&first, &last}) {
    require(std::all_of(side->data(), side->data() + side->shape(0), [](int32_t p) { return p >= -1 && p < most; }),
            "a position is out of range");
  }
  threads = threads_of(threads);
  std::vector<float> wrong(offsets.back()), moved(offsets.back());
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(lengths.shape(0), 8, threads, [&](int64_t from, int64_t to, int) {
      for (int64_t s = from; s < to; ++s) {
        misordered(first.data() + words[s], last.data() + words[s], lengths.data()[s], attach,
                   wrong.data() + offsets[s], moved.data() + offsets[s]);
      }
    });
  }
  return nb::make_tuple(to_numpy(std::move(wrong)), to_numpy(std::move(moved)));
}

// For one sentence: log Z, the table of pairwise precedence and the table of neighbours.
template <class T>
auto tables(const Array<T> &scores, int32_t n, bool canonical) {
  check_edges(scores, 2 * edge_count(words_in(n)));
  std::vector<double> inverted, next;
  double log_z = 0;
  {
    nb::gil_scoped_release release;
    Chart chart;
    log_z = chart.inside<T>(scores.data(), nullptr, n, canonical);
    chart.tables(inverted, next);
  }
  const size_t size = n;
  return nb::make_tuple(log_z, to_numpy<double>(std::move(inverted), {size, size}),
                        to_numpy<double>(std::move(next), {size + 1, size + 1}));
}

// The score of the best tree and its nodes (begin, cut, end, op) in preorder.
template <class T>
auto best(const Array<T> &scores, int32_t n, bool canonical) {
  check_edges(scores, 2 * edge_count(words_in(n)));
  require(std::none_of(scores.data(), scores.data() + scores.size(), [](T x) { return std::isnan(x); }),
          "a score is not a number");
  std::vector<TreeNode> tree;
  double score;
  {
    nb::gil_scoped_release release;
    score = best_tree<T>(scores.data(), n, canonical, tree);
  }
  std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> out;
  for (const TreeNode &node : tree) out.emplace_back(node.begin, node.cut, node.end, node.op);
  return std::make_pair(score, out);
}

auto word_classes(const Ints &values, const Longs &offsets, int32_t words, int32_t count, int32_t rounds) {
  const base::Batch text = words_of(values, offsets, size_of(words));
  require(count >= 1 && count <= 1 << 14 && rounds >= 0, "the number of classes or rounds is out of range");
  std::vector<int32_t> classes;
  {
    nb::gil_scoped_release release;
    classes = exchange_classes(text, words, count, rounds);
  }
  return to_numpy(std::move(classes));
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
  m.def("exchange_classes", &word_classes, "values"_a, "offsets"_a, "words"_a, "classes"_a, "rounds"_a);
}

}  // namespace wordorder::python
