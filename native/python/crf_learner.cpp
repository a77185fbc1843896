// Bindings of crf: the learner of feature weights.
#include <algorithm>

#include "crf/learner.h"
#include "python/crf_batch.h"

namespace wordorder::python {

using namespace crf;

namespace {

using Codes = Array<uint32_t>;

// A batch together with the arrays that it points to.
struct Coded {
  Coded(const Learner &learner, const Codes &codes, const Ints &lengths)
      : edges(edge_offsets(lengths)), words(word_offsets(lengths)) {
    require(static_cast<int64_t>(codes.shape(0)) == words.back() * learner.rows(),
            "the codes do not fit the lengths");
    batch = {codes.data(), lengths.data(), words.data(), edges.data(), static_cast<int64_t>(lengths.shape(0))};
  }
  std::vector<int64_t> edges, words;
  CodedBatch batch;
};

using Rows = std::vector<std::vector<int32_t>>;

// Appends the templates of some rows.
template <class Templates>
void add_templates(const Rows &rows, int32_t layers, int word_places, Templates &to) {
  for (const auto &row : rows) {
    typename Templates::value_type places;
    // Lengths and distances, the last places, are read by layer 0 also where there are no layers.
    require(row.size() == places.size() && std::all_of(row.begin(), row.end(),
                                                       [&](int32_t p) { return p >= -1 && p < std::max(layers, 1); }),
            "a template does not fit the layers");
    require(layers > 0 || std::all_of(row.begin(), row.begin() + word_places, [](int32_t p) { return p == -1; }),
            "a template reads words, but there are no layers");
    std::copy(row.begin(), row.end(), places.begin());
    to.push_back(places);
  }
}

LearnerSettings settings_of(int32_t layers, int32_t bits, double power, const Rows &edges, const Rows &pairs,
                            bool canonical, bool margin, int32_t states, const Rows &state_edges,
                            const Rows &trees) {
  require(bits >= 1 && bits <= 24, "the number of bits must be from 1 to 24");
  require(layers >= 0 && layers <= 1000, "the number of layers must be from 0 to 1000");
  require(states >= 1 && states <= 64, "the number of states must be from 1 to 64");
  require(states == 1 || !(canonical || margin), "states need all trees and their sums");
  LearnerSettings out;
  out.templates = {layers, bits, power, {}, {}, {}};
  out.canonical = canonical;
  out.objective = margin ? Objective::margin : Objective::forest;
  out.states = states;
  add_templates(edges, layers, 6, out.templates.edges);
  add_templates(pairs, layers, 6, out.templates.pairs);
  add_templates(trees, layers, 5, out.templates.trees);
  add_templates(state_edges, layers, 6, out.state_templates);
  return out;
}

auto feature_scores(const Learner &learner, const Codes &codes, const Ints &lengths, int threads) {
  const Coded coded(learner, codes, lengths);
  threads = threads_of(threads);
  std::vector<float> out(coded.edges.back());
  {
    nb::gil_scoped_release release;
    learner.scores(coded.batch, threads, out.data());
  }
  return to_numpy(std::move(out));
}

double learner_step(Learner &learner, const Codes &codes, const Ints &lengths, const Floats &weights, double rate,
                    double l2, double ease, int threads) {
  const Coded coded(learner, codes, lengths);
  check_edges(weights, coded.edges.back());
  threads = threads_of(threads);
  for (const double number : {rate, l2, ease}) require(number >= 0 && number < 1e9, "a rate is out of range");
  nb::gil_scoped_release release;
  return learner.step(coded.batch, weights.data(), rate, l2, ease, threads);
}

auto learner_derivatives(Learner &learner, const Codes &codes, const Ints &lengths, const Floats &weights) {
  const Coded coded(learner, codes, lengths);
  check_edges(weights, coded.edges.back());
  const double loss = learner.derivatives(coded.batch, weights.data(), 1);
  std::vector<float> out = learner.gradient();
  return nb::make_tuple(loss, to_numpy(std::move(out)));
}

void set_weights(Learner &learner, const Floats &weights) {
  require(weights.shape(0) == learner.size(), "the number of weights does not fit the learner");
  check_finite(weights.data(), weights.shape(0));
  learner.set_weights(weights.data());
}

auto get_weights(const Learner &learner) {
  std::vector<float> out = learner.weights();
  return to_numpy(std::move(out));
}

auto get_state(const Learner &learner) {
  std::vector<float> weights = learner.weights(), squares = learner.squares();
  std::vector<double> sums = learner.sums();
  return nb::make_tuple(to_numpy(std::move(weights)), to_numpy(std::move(squares)), to_numpy(std::move(sums)),
                        learner.remembered());
}

void set_state(Learner &learner, const Floats &weights, const Floats &squares, const Doubles &sums,
               int64_t remembered) {
  const bool fits = sums.shape(0) == (remembered ? learner.size() : 0) && remembered >= 0;
  require(weights.shape(0) == learner.size() && squares.shape(0) == learner.size() && fits,
          "the state does not fit the learner");
  check_finite(weights.data(), weights.shape(0));
  check_finite(squares.data(), squares.shape(0));
  check_finite(sums.data(), sums.shape(0));
  learner.set_state(weights.data(), squares.data(), {sums.data(), sums.data() + sums.shape(0)}, remembered);
}

}  // namespace

void bind_crf_learner(nb::module_ &m) {
  nb::class_<Learner>(m, "CrfLearner")
      .def(
          "__init__",
          [](Learner *to, int32_t layers, int32_t bits, double power, const Rows &edges, const Rows &pairs,
             bool canonical, bool margin, int32_t states, const Rows &state_edges, const Rows &trees) {
            new (to)
                Learner(settings_of(layers, bits, power, edges, pairs, canonical, margin, states, state_edges, trees));
          },
          "layers"_a, "bits"_a, "power"_a, "edges"_a, "pairs"_a, "canonical"_a = false, "margin"_a = false,
          "states"_a = 1, "state_edges"_a = Rows(), "trees"_a = Rows())
      .def("scores", &feature_scores, "codes"_a, "lengths"_a, "threads"_a)
      .def("step", &learner_step, "codes"_a, "lengths"_a, "weights"_a, "rate"_a, "l2"_a, "ease"_a, "threads"_a)
      .def("derivatives", &learner_derivatives, "codes"_a, "lengths"_a, "weights"_a)
      .def("remember", &Learner::remember)
      .def("average", &Learner::average)
      .def("state", &get_state)
      .def("set_state", &set_state, "weights"_a, "squares"_a, "sums"_a, "remembered"_a)
      .def("weights", &get_weights)
      .def("set_weights", &set_weights, "weights"_a);
}

}  // namespace wordorder::python
