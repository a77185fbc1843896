// Bindings of neural and parse: layers of networks, and trees from the scores of heads.
#include <algorithm>
#include <numeric>

#include "base/lanes.h"
#include "base/parallel.h"
#include "neural/dense.h"
#include "neural/lstm.h"
#include "parse/spanning_tree.h"
#include "python/checks.h"

namespace wordorder::python {

using namespace neural;
using namespace parse;

namespace {

using Rows = Table<float>;

constexpr int32_t most_units = 1 << 16;
constexpr int64_t most_words = 1024;  // of a tree: contracted cycles take memory with the third power

int32_t units_of(size_t size) {
  require(size >= 1 && size <= static_cast<size_t>(most_units), "a layer has a size that is out of range");
  return static_cast<int32_t>(size);
}

auto pack_weights(const Rows &weights) {
  const int32_t outputs = units_of(weights.shape(0)), inputs = units_of(weights.shape(1));
  return to_numpy(pack(weights.data(), outputs, inputs));
}

PackedWeights packed(const Floats &weights, int32_t outputs, int32_t inputs) {
  require(static_cast<int64_t>(weights.shape(0)) == in_panels(outputs) * inputs, "the weights do not fit the inputs");
  return {weights.data(), inputs, outputs};
}

auto dense(const Rows &x, const Floats &weights, const Floats &bias) {
  const int32_t inputs = units_of(x.shape(1)), outputs = units_of(bias.shape(0));
  const PackedWeights layer = packed(weights, outputs, inputs);
  const auto rows = static_cast<int64_t>(x.shape(0));
  const int64_t width = in_panels(outputs);
  std::vector<float> out(rows * width);
  {
    nb::gil_scoped_release release;
    const base::FlushSmall flush;
    for (int64_t r = 0; r < rows; ++r) std::copy_n(bias.data(), outputs, &out[r * width]);
    multiply(x.data(), rows, layer, out.data(), true);
    if (width != outputs) {  // the rows move together
      for (int64_t r = 1; r < rows; ++r) std::copy_n(&out[r * width], outputs, &out[r * outputs]);
      out.resize(rows * outputs);
    }
  }
  return to_numpy<float>(std::move(out), {static_cast<size_t>(rows), static_cast<size_t>(outputs)});
}

using Direction = nb::typed<nb::tuple, Floats, Floats, Floats>;

LstmDirection direction_of(const Direction &parts, int32_t units, int32_t inputs, Floats (&kept)[3]) {
  require(parts.size() == 3, "a direction has weights of inputs, weights of states and a bias");
  for (size_t p = 0; p < 3; ++p) kept[p] = given(nb::cast<Floats>(parts[p]));
  require(static_cast<int64_t>(kept[2].shape(0)) == 4 * units, "the bias does not fit the units");
  return {packed(kept[0], 4 * units, inputs), packed(kept[1], 4 * units, units), kept[2].data()};
}

auto bilstm(const Rows &x, const Ints &lengths, const Direction &forward, const Direction &backward, int64_t size) {
  require(size >= 1, "a layer has a size that is out of range");
  const int32_t units = units_of(static_cast<size_t>(size)), inputs = units_of(x.shape(1));
  int64_t words = 0;
  for (size_t s = 0; s < lengths.shape(0); ++s) {
    require(lengths.data()[s] >= 1, "a sentence is empty");
    words += lengths.data()[s];
  }
  require(words == static_cast<int64_t>(x.shape(0)), "the sentences do not fit the words");
  Floats kept[2][3];
  const LstmLayer layer{direction_of(forward, units, inputs, kept[0]), direction_of(backward, units, inputs, kept[1]),
                        units};
  std::vector<float> out(words * 2 * units);
  {
    nb::gil_scoped_release release;
    run_lstm(layer, x.data(), lengths.data(), static_cast<int64_t>(lengths.shape(0)), out.data());
  }
  return to_numpy<float>(std::move(out), {static_cast<size_t>(words), static_cast<size_t>(2 * units)});
}

ArcScores arcs_of(const Table<double> &scores) {
  const auto words = static_cast<int64_t>(scores.shape(0));
  require(words >= 1 && words <= most_words && static_cast<int64_t>(scores.shape(1)) == words + 1,
          "expected scores of each head for each of 1 to 1024 words");
  require(std::all_of(scores.data(), scores.data() + words * (words + 1), [](double x) { return x < 1e100; }),
          "a score is not a number, or too large");
  return {scores.data(), static_cast<int32_t>(words)};
}

auto spanning_trees(const Table<double> &scores, int64_t k) {
  const ArcScores arcs = arcs_of(scores);
  require(k >= 1 && k <= 100000, "the number of trees must be from 1 to 100000");
  std::vector<ScoredTree> trees;
  {
    nb::gil_scoped_release release;
    trees = best_trees(arcs, static_cast<int32_t>(k));
  }
  std::vector<int32_t> heads;
  std::vector<double> found;
  for (const ScoredTree &tree : trees) {
    heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
    found.push_back(tree.score);
  }
  return nb::make_tuple(to_numpy<int32_t>(std::move(heads), {trees.size(), static_cast<size_t>(arcs.words)}),
                        to_numpy(std::move(found)));
}

}  // namespace

void bind_neural(nb::module_ &m) {
  m.def("pack_weights", &pack_weights, "weights"_a);
  m.def("dense", &dense, "x"_a, "weights"_a, "bias"_a);
  m.def("bilstm", &bilstm, "x"_a, "lengths"_a, "forward"_a, "backward"_a, "units"_a);
  m.def("spanning_trees", &spanning_trees, "scores"_a, "k"_a);
}

}  // namespace wordorder::python
