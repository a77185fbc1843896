// Bindings of tuning: candidates, their scores, line search and MIRA.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include "base/parallel.h"
#include "python/arrays.h"
#include "tune/candidate_table.h"
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

// Without an early exit, so that the compiler can compare several numbers at a time.
void check_names(const Ints &names, int64_t features) {
  const uint32_t limit = static_cast<uint32_t>(std::min<int64_t>(features, INT32_MAX));
  bool outside = false;
  for (size_t k = 0; k < names.shape(0); ++k) outside |= static_cast<uint32_t>(names.data()[k]) >= limit;
  if (outside) throw nb::value_error("a feature is out of range");
}

Candidates candidates_of(const Longs &starts, const Longs &rows, const Ints &names, const Doubles &values,
                         int64_t features) {
  const int64_t size = static_cast<int64_t>(rows.shape(0)) - 1;
  check_offsets(starts, size);
  check_offsets(rows, static_cast<int64_t>(names.shape(0)));
  if (values.shape(0) != names.shape(0)) throw nb::value_error("names and values differ in length");
  check_names(names, features);
  return {starts.data(), static_cast<int64_t>(starts.shape(0)) - 1, rows.data(), names.data(), values.data()};
}

// The model score of every candidate.
auto model_scores(const Longs &rows, const Ints &names, const Doubles &values, const Doubles &weights, int threads) {
  const int64_t size = static_cast<int64_t>(rows.shape(0)) - 1;
  const int64_t ends[] = {0, size};
  check_offsets(rows, static_cast<int64_t>(names.shape(0)));
  if (values.shape(0) != names.shape(0)) throw nb::value_error("names and values differ in length");
  check_names(names, static_cast<int64_t>(weights.shape(0)));
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
  check_offsets(starts, static_cast<int64_t>(offset.shape(0)));
  if (slope.shape(0) != offset.shape(0) || rows.shape(0) != offset.shape(0)) {
    throw nb::value_error("offsets, slopes and rows differ in length");
  }
  const size_t width = rows.shape(1);
  LineSums out;
  {
    nb::gil_scoped_release release;
    out = line_sums(starts.data(), static_cast<int64_t>(starts.shape(0)) - 1, offset.data(), slope.data(), rows.data(),
                    static_cast<int64_t>(width), threads);
  }
  const size_t points = out.at.size() + 1;
  return nb::make_tuple(to_numpy(std::move(out.at)), to_numpy<double>(std::move(out.sums), {points, width}));
}

int64_t add_lines(CandidateTable &table, const nb::bytes &text, int64_t begin) {
  const char *const data = text.c_str();
  const int64_t size = static_cast<int64_t>(text.size());
  if (begin < 0 || begin > size) throw nb::value_error("the beginning is outside the text");
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
