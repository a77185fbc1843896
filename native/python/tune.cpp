// Bindings of tuning: scores of candidates, line search and MIRA.
#include "base/parallel.h"
#include "python/arrays.h"
#include "tune/candidates.h"
#include "tune/envelope.h"
#include "tune/mira.h"

namespace wordorder::python {

using namespace tune;

namespace {

void check_offsets(const Longs &offsets, int64_t end) {
  const int64_t size = static_cast<int64_t>(offsets.shape(0)) - 1;
  if (size < 0 || offsets.data()[0] != 0 || offsets.data()[size] != end) {
    throw nb::value_error("the offsets do not fit the values");
  }
  for (int64_t k = 0; k < size; ++k) {
    if (offsets.data()[k] > offsets.data()[k + 1]) throw nb::value_error("the offsets fall");
  }
}

Candidates candidates_of(const Longs &starts, const Longs &rows, const Ints &names, const Doubles &values,
                         int64_t features) {
  const int64_t size = static_cast<int64_t>(rows.shape(0)) - 1;
  check_offsets(starts, size);
  check_offsets(rows, static_cast<int64_t>(names.shape(0)));
  if (values.shape(0) != names.shape(0)) throw nb::value_error("names and values differ in length");
  for (size_t k = 0; k < names.shape(0); ++k) {
    if (names.data()[k] < 0 || names.data()[k] >= features) throw nb::value_error("a feature is out of range");
  }
  return {starts.data(), static_cast<int64_t>(starts.shape(0)) - 1, rows.data(), names.data(), values.data()};
}

// The model score of every candidate.
auto model_scores(const Longs &rows, const Ints &names, const Doubles &values, const Doubles &weights, int threads) {
  const int64_t size = static_cast<int64_t>(rows.shape(0)) - 1;
  const int64_t ends[] = {0, size};
  check_offsets(rows, static_cast<int64_t>(names.shape(0)));
  if (values.shape(0) != names.shape(0)) throw nb::value_error("names and values differ in length");
  for (size_t k = 0; k < names.shape(0); ++k) {
    if (names.data()[k] < 0 || names.data()[k] >= static_cast<int64_t>(weights.shape(0))) {
      throw nb::value_error("a feature has no weight");
    }
  }
  const Candidates all{ends, 1, rows.data(), names.data(), values.data()};
  std::vector<double> out(size);
  {
    nb::gil_scoped_release release;
    base::parallel_blocks(size, 4096, threads, [&](int64_t first, int64_t last, int) {
      for (int64_t c = first; c < last; ++c) out[c] = all.score(c, weights.data());
    });
  }
  return to_numpy(std::move(out));
}

// The best candidate of every sentence at minus infinity (-1 without candidates), and all changes along the line:
// points, sentences, candidates before, and candidates after.
auto envelopes(const Longs &starts, const Doubles &offset, const Doubles &slope, int threads) {
  check_offsets(starts, static_cast<int64_t>(offset.shape(0)));
  if (slope.shape(0) != offset.shape(0)) throw nb::value_error("offsets and slopes differ in length");
  const int64_t sentences = static_cast<int64_t>(starts.shape(0)) - 1;
  std::vector<int64_t> begin(sentences, -1), sentence, before, after;
  std::vector<double> at;
  {
    nb::gil_scoped_release release;
    std::vector<std::vector<Change>> changes(sentences);
    base::parallel_blocks(sentences, 16, threads, [&](int64_t first, int64_t last, int) {
      for (int64_t s = first; s < last; ++s) {
        const int64_t low = starts.data()[s], high = starts.data()[s + 1];
        if (low < high) begin[s] = upper_envelope(offset.data(), slope.data(), low, high, changes[s]);
      }
    });
    for (int64_t s = 0; s < sentences; ++s) {
      for (const Change &change : changes[s]) {
        at.push_back(change.at);
        sentence.push_back(s);
        before.push_back(change.before);
        after.push_back(change.after);
      }
    }
  }
  return nb::make_tuple(to_numpy(std::move(begin)), to_numpy(std::move(at)), to_numpy(std::move(sentence)),
                        to_numpy(std::move(before)), to_numpy(std::move(after)));
}

// Weights, corrections and the number of steps after a pass of MIRA.
auto mira(const Longs &starts, const Longs &rows, const Ints &names, const Doubles &values, const Doubles &gains,
          const Longs &order, const Doubles &weights, const Doubles &correction, int64_t steps, double most) {
  const int64_t features = static_cast<int64_t>(weights.shape(0));
  const Candidates all = candidates_of(starts, rows, names, values, features);
  if (gains.shape(0) + 1 != rows.shape(0)) throw nb::value_error("gains and candidates differ in number");
  if (static_cast<int64_t>(order.shape(0)) != all.sentences || static_cast<int64_t>(correction.shape(0)) != features) {
    throw nb::value_error("the order or the corrections have a wrong size");
  }
  for (int64_t k = 0; k < all.sentences; ++k) {
    if (order.data()[k] < 0 || order.data()[k] >= all.sentences) throw nb::value_error("a sentence is out of range");
  }
  std::vector<double> w(weights.data(), weights.data() + features), c(correction.data(), correction.data() + features);
  MiraState state{w.data(), c.data(), steps};
  {
    nb::gil_scoped_release release;
    mira_pass(all, gains.data(), order.data(), most, state);
  }
  return nb::make_tuple(to_numpy(std::move(w)), to_numpy(std::move(c)), state.steps);
}

}  // namespace

void bind_tune(nb::module_ &m) {
  m.def("model_scores", &model_scores, "rows"_a, "names"_a, "values"_a, "weights"_a, "threads"_a = 1);
  m.def("envelopes", &envelopes, "starts"_a, "offset"_a, "slope"_a, "threads"_a = 1);
  m.def("mira_pass", &mira, "starts"_a, "rows"_a, "names"_a, "values"_a, "gains"_a, "order"_a, "weights"_a,
        "correction"_a, "steps"_a, "most"_a);
}

}  // namespace wordorder::python
