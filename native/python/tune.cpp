// Bindings of tuning: candidates, their scores, line search and MIRA.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include "base/parallel.h"
#include "python/checks.h"
#include "tune/candidate_table.h"
#include "tune/candidates.h"
#include "tune/envelope.h"
#include "tune/mira.h"

namespace wordorder::python {

using namespace tune;

namespace {

// Returns the number of candidates.
int64_t check_features(const Longs &rows, const Ints &names, const Doubles &values, int64_t features) {
  require(values.shape(0) == names.shape(0), "names and values differ in length");
  check_below(names, features, "a feature is out of range");
  return check_offsets(rows, static_cast<int64_t>(names.shape(0)));
}

Candidates candidates_of(const Longs &starts, const Longs &rows, const Ints &names, const Doubles &values,
                         int64_t features) {
  const int64_t sentences = check_offsets(starts, check_features(rows, names, values, features));
  return {starts.data(), sentences, rows.data(), names.data(), values.data()};
}

// The model score of every candidate.
auto model_scores(const Longs &rows, const Ints &names, const Doubles &values, const Doubles &weights, int threads) {
  const int64_t size = check_features(rows, names, values, static_cast<int64_t>(weights.shape(0)));
  const int64_t ends[] = {0, size};
  threads = threads_of(threads);
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

// Where the best candidates change along a line, and the sums of the rows of the best candidates between these points.
auto sums_along_line(const Longs &starts, const Doubles &offset, const Doubles &slope, const Table<double> &rows,
                     int threads) {
  const int64_t sentences = check_offsets(starts, static_cast<int64_t>(offset.shape(0)));
  require(slope.shape(0) == offset.shape(0) && rows.shape(0) == offset.shape(0),
          "offsets, slopes and rows differ in length");
  check_finite(offset.data(), offset.shape(0));
  check_finite(slope.data(), slope.shape(0));
  threads = threads_of(threads);
  const size_t width = rows.shape(1);
  LineSums out;
  {
    nb::gil_scoped_release release;
    out = line_sums(starts.data(), sentences, offset.data(), slope.data(), rows.data(), static_cast<int64_t>(width),
                    threads);
  }
  const size_t points = out.at.size() + 1;
  return nb::make_tuple(to_numpy(std::move(out.at)), to_numpy<double>(std::move(out.sums), {points, width}));
}

int64_t add_lines(CandidateTable &table, const nb::bytes &text, int64_t begin) {
  const char *const data = text.c_str();
  const int64_t size = static_cast<int64_t>(text.size());
  require(begin >= 0 && begin <= size, "the beginning is outside the text");
  nb::gil_scoped_release release;
  return table.add_lines(data, size, begin);
}

// Sentences, texts, rows, columns and values of all candidates, the distinct texts, and names with numbers of values.
auto sorted_candidates(CandidateTable &table) {
  CandidateTable::Sorted all;
  {
    nb::gil_scoped_release release;
    all = table.sorted();
  }
  nb::list texts;
  for (std::string &text : all.texts) {
    texts.append(nb::str(text.data(), text.size()));
    std::string().swap(text);
  }
  return nb::make_tuple(to_numpy(std::move(all.sentence)), to_numpy(std::move(all.text)), to_numpy(std::move(all.rows)),
                        to_numpy(std::move(all.columns)), to_numpy(std::move(all.values)), texts, all.features);
}

// Weights, corrections and the number of steps after a pass of MIRA.
auto mira(const Longs &starts, const Longs &rows, const Ints &names, const Doubles &values, const Doubles &gains,
          const Longs &order, const Doubles &weights, const Doubles &correction, int64_t steps, double most) {
  const int64_t features = static_cast<int64_t>(weights.shape(0));
  const Candidates all = candidates_of(starts, rows, names, values, features);
  require(gains.shape(0) + 1 == rows.shape(0), "gains and candidates differ in number");
  require(static_cast<int64_t>(order.shape(0)) == all.sentences &&
              static_cast<int64_t>(correction.shape(0)) == features,
          "the order or the corrections have a wrong size");
  check_below(order, all.sentences, "a sentence is out of range");
  require(steps >= 0 && steps < int64_t{1} << 62, "the number of steps is out of range");
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
  nb::class_<CandidateTable>(m, "CandidateTable")
      .def(nb::init<>())
      .def("add_lines", &add_lines, "text"_a, "begin"_a = 0)
      .def("add", &CandidateTable::add, "sentence"_a, "text"_a, "features"_a)
      .def("values_of", &CandidateTable::values_of, "name"_a)
      .def("sorted", &sorted_candidates)
      .def("__len__", &CandidateTable::size);
  m.def("model_scores", &model_scores, "rows"_a, "names"_a, "values"_a, "weights"_a, "threads"_a = 1);
  m.def("line_sums", &sums_along_line, "starts"_a, "offset"_a, "slope"_a, "rows"_a, "threads"_a = 1);
  m.def("mira_pass", &mira, "starts"_a, "rows"_a, "names"_a, "values"_a, "gains"_a, "order"_a, "weights"_a,
        "correction"_a, "steps"_a, "most"_a);
}

}  // namespace wordorder::python
