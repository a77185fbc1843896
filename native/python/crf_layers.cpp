// Bindings of crf: the last layers of networks, for batches. Rows of borders, spans and edges are stored sentence after
// sentence; tables of pairs of words are padded to the longest sentence.
#include <algorithm>

#include "base/lanes.h"
#include "base/parallel.h"
#include "crf/edges.h"
#include "crf/layers.h"
#include "python/crf_batch.h"

namespace wordorder::python {

using namespace crf;

namespace {

using Rows = Table<float>;
using Tables = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using TablePairs = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

// Where the borders, spans and scores of each sentence begin; the last entry is where all of them end.
struct Places {
  explicit Places(const Ints &lengths)
      : size(lengths.shape(0)), lengths(lengths.data()), borders{0}, spans{0}, scores{0} {
    for (int64_t s = 0; s < size; ++s) {
      const int64_t n = words_in(lengths.data()[s]);
      longest = std::max(longest, n);
      borders.push_back(borders.back() + n + 1);
      spans.push_back(spans.back() + span_count(n));
      scores.push_back(scores.back() + 2 * edge_count(n));
    }
  }
  int64_t size, longest = 0;
  const int32_t *lengths;
  std::vector<int64_t> borders, spans, scores;
};

void check(bool fits) { require(fits, "the arrays do not fit each other"); }

Masks masks_of(const Rows &masks, uint64_t seed, int64_t sentence) {
  return {masks.data(), static_cast<uint32_t>(masks.shape(0)),
          seed + static_cast<uint64_t>(sentence) * 0xD1342543DE82EF95u};
}

// Adds up the contributions of sentences in order, so that the result does not depend on the number of threads.
std::vector<float> added(const std::vector<std::vector<float>> &parts, size_t size) {
  std::vector<float> out(size, 0);
  for (const auto &part : parts) {
    for (size_t c = 0; c < part.size(); ++c) out[c] += part[c];
  }
  return out;
}

SpanLayer span_layer(const Places &at, const Rows &left, const Rows &right, const Rows &width, const Ints &buckets,
                     const Rows &masks) {
  const auto rows = static_cast<size_t>(at.borders.back());
  const size_t size = left.shape(1);
  check(left.shape(0) == rows && right.shape(0) == rows && right.shape(1) == size && width.shape(1) == size);
  check(masks.shape(0) > 0 && masks.shape(1) == size && static_cast<int64_t>(buckets.shape(0)) > at.longest);
  const auto most = static_cast<int32_t>(width.shape(0));
  check(std::all_of(buckets.data(), buckets.data() + buckets.shape(0), [&](int32_t b) { return b >= 0 && b < most; }));
  return {static_cast<int32_t>(size), left.data(), right.data(), width.data(), buckets.data()};
}

auto spans(const Rows &left, const Rows &right, const Rows &width, const Ints &buckets, const Ints &lengths,
           const Rows &masks, uint64_t seed, int threads) {
  const Places at(lengths);
  threads = threads_of(threads);
  const SpanLayer layer = span_layer(at, left, right, width, buckets, masks);
  const auto size = static_cast<size_t>(layer.size);
  std::vector<float> out(at.spans.back() * size);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(at.size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;
      for (int64_t s = first; s < last; ++s) {
        SpanLayer own = layer;
        own.left += at.borders[s] * size, own.right += at.borders[s] * size;
        own.forward(at.lengths[s], masks_of(masks, seed, s), out.data() + at.spans[s] * size);
      }
    });
  }
  return to_numpy<float>(std::move(out), {static_cast<size_t>(at.spans.back()), size});
}

auto spans_back(const Rows &gradient, const Rows &left, const Rows &right, const Rows &width, const Ints &buckets,
                const Ints &lengths, const Rows &masks, uint64_t seed, int threads) {
  const Places at(lengths);
  threads = threads_of(threads);
  const SpanLayer layer = span_layer(at, left, right, width, buckets, masks);
  const auto size = static_cast<size_t>(layer.size), rows = left.shape(0), widths = width.shape(0);
  check(static_cast<int64_t>(gradient.shape(0)) == at.spans.back() && gradient.shape(1) == size);
  std::vector<float> left_gradient(rows * size, 0), right_gradient(rows * size, 0), width_gradient;
  {
    nb::gil_scoped_release release;
    std::vector<std::vector<float>> parts(at.size);
    base::parallel_blocks(at.size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;
      for (int64_t s = first; s < last; ++s) {
        const int64_t begin = at.borders[s] * size;
        SpanLayer own = layer;
        own.left += begin, own.right += begin;
        parts[s].assign(widths * size, 0);
        own.backward(at.lengths[s], masks_of(masks, seed, s), gradient.data() + at.spans[s] * size,
                     &left_gradient[begin], &right_gradient[begin], parts[s].data());
      }
    });
    width_gradient = added(parts, widths * size);
  }
  return nb::make_tuple(to_numpy<float>(std::move(left_gradient), {rows, size}),
                        to_numpy<float>(std::move(right_gradient), {rows, size}),
                        to_numpy<float>(std::move(width_gradient), {widths, size}));
}

EdgeLayer edge_layer(const Places &at, const Rows &spans, const Rows &weight, const Floats &bias, const Tables &turned,
                     const Rows &masks) {
  const size_t size = weight.shape(1);
  check(static_cast<int64_t>(spans.shape(0)) == at.spans.back() && spans.shape(1) == 3 * size && size > 0);
  check(weight.shape(0) == 2 && bias.shape(0) == 2 && masks.shape(0) > 0 && masks.shape(1) == size);
  const bool paired = turned.shape(0) > 0;
  check(!paired || (static_cast<int64_t>(turned.shape(0)) == at.size && turned.shape(1) == turned.shape(2) &&
                    static_cast<int64_t>(turned.shape(1)) >= at.longest));
  return {
      static_cast<int32_t>(size),           spans.data(), weight.data(), bias.data(), paired ? turned.data() : nullptr,
      static_cast<int64_t>(turned.shape(2))};
}

EdgeLayer of_sentence(EdgeLayer layer, const Places &at, int64_t s) {
  layer.spans += at.spans[s] * 3 * layer.size;
  if (layer.turned) layer.turned += s * layer.stride * layer.stride;
  return layer;
}

auto edges(const Rows &spans, const Rows &weight, const Floats &bias, const Tables &turned, const Ints &lengths,
           const Rows &masks, uint64_t seed, int threads) {
  const Places at(lengths);
  threads = threads_of(threads);
  const EdgeLayer layer = edge_layer(at, spans, weight, bias, turned, masks);
  std::vector<float> out(at.scores.back());
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(at.size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;
      for (int64_t s = first; s < last; ++s) {
        of_sentence(layer, at, s).forward(at.lengths[s], masks_of(masks, seed, s), out.data() + at.scores[s]);
      }
    });
  }
  return to_numpy(std::move(out));
}

auto edges_back(const Floats &gradient, const Rows &spans, const Rows &weight, const Floats &bias, const Tables &turned,
                const Ints &lengths, const Rows &masks, uint64_t seed, int threads) {
  const Places at(lengths);
  threads = threads_of(threads);
  const EdgeLayer layer = edge_layer(at, spans, weight, bias, turned, masks);
  check(static_cast<int64_t>(gradient.shape(0)) == at.scores.back());
  const auto size = static_cast<size_t>(layer.size), rows = spans.shape(0);
  std::vector<float> spans_gradient(rows * 3 * size), rest, turned_gradient(turned.size(), 0);
  {
    nb::gil_scoped_release release;
    std::vector<std::vector<float>> parts(at.size);
    base::parallel_blocks(at.size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;
      for (int64_t s = first; s < last; ++s) {
        parts[s].assign(2 * size + 2, 0);
        const EdgeLayer own = of_sentence(layer, at, s);
        own.backward(at.lengths[s], masks_of(masks, seed, s), gradient.data() + at.scores[s],
                     spans_gradient.data() + at.spans[s] * 3 * size, parts[s].data(), parts[s].data() + 2 * size,
                     own.turned ? turned_gradient.data() + s * own.stride * own.stride : nullptr);
      }
    });
    rest = added(parts, 2 * size + 2);
  }
  std::vector<float> bias_gradient(rest.end() - 2, rest.end());
  rest.resize(2 * size);
  return nb::make_tuple(
      to_numpy<float>(std::move(spans_gradient), {rows, 3 * size}), to_numpy<float>(std::move(rest), {2, size}),
      to_numpy(std::move(bias_gradient)),
      to_numpy<float>(std::move(turned_gradient), {turned.shape(0), turned.shape(1), turned.shape(2)}));
}

auto weights_of_pairs(const TablePairs &costs, const Ints &lengths, int threads) {
  const Places at(lengths);
  threads = threads_of(threads);
  const auto stride = static_cast<int64_t>(costs.shape(3));
  check(static_cast<int64_t>(costs.shape(0)) == at.size && costs.shape(1) == 2);
  check(costs.shape(2) == costs.shape(3) && stride >= at.longest);
  std::vector<float> out(at.scores.back());
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(at.size, 1, threads, [&](int64_t first, int64_t last, int) {
      const base::FlushSmall flush;
      for (int64_t s = first; s < last; ++s) {
        const float *keep = costs.data() + 2 * s * stride * stride;
        pair_weights(keep, keep + stride * stride, stride, at.lengths[s], out.data() + at.scores[s]);
      }
    });
  }
  return to_numpy(std::move(out));
}

}  // namespace

void bind_crf_layers(nb::module_ &m) {
  m.def("crf_spans", &spans, "left"_a, "right"_a, "width"_a, "buckets"_a, "lengths"_a, "masks"_a, "seed"_a,
        "threads"_a);
  m.def("crf_spans_back", &spans_back, "by"_a, "left"_a, "right"_a, "width"_a, "buckets"_a, "lengths"_a, "masks"_a,
        "seed"_a, "threads"_a);
  m.def("crf_edges", &edges, "spans"_a, "weight"_a, "bias"_a, "turned"_a, "lengths"_a, "masks"_a, "seed"_a,
        "threads"_a);
  m.def("crf_edges_back", &edges_back, "by"_a, "spans"_a, "weight"_a, "bias"_a, "turned"_a, "lengths"_a, "masks"_a,
        "seed"_a, "threads"_a);
  m.def("crf_pair_weights", &weights_of_pairs, "costs"_a, "lengths"_a, "threads"_a);
}

}  // namespace wordorder::python
