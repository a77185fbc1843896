// Bindings of resample: draws, and weighted sums of rows.
#include <algorithm>
#include <cmath>

#include "python/checks.h"
#include "resample/draws.h"
#include "resample/weighted_sums.h"

namespace wordorder::python {

using namespace resample;

namespace {

constexpr int64_t most_numbers = int64_t{1} << 27;  // a gigabyte of sums

auto weighted_sums(int draw, uint64_t seed, int64_t first, const Table<double> &rows, int64_t samples) {
  const Draw kind = option_of(draw, Draw::half);
  const auto count = static_cast<int64_t>(rows.shape(0)), columns = static_cast<int64_t>(rows.shape(1));
  require(samples >= 0 && samples <= most_numbers && columns <= most_numbers / (parts * (samples + 1)),
          "too many samples or columns");
  require(first >= 0 && first <= INT64_MAX / 2, "the number of the first row is out of range");
  const Rows given{rows.data(), first, count, columns};
  require(std::all_of(given.values, given.values + count * columns, [](double x) { return std::abs(x) < too_large; }),
          "a statistic is not a number, or too large to be added up exactly");
  std::vector<int64_t> sums;
  {
    nb::gil_scoped_release release;
    sums = resample::weighted_sums(kind, seed, given, samples);
  }
  return to_numpy<int64_t>(std::move(sums),
                           {static_cast<size_t>(samples), static_cast<size_t>(columns), static_cast<size_t>(parts)});
}

// The weights of some segments in one sample, for tests and for readers.
auto segment_weights(int draw, uint64_t seed, int64_t first, int64_t count, int64_t sample) {
  const Draw kind = option_of(draw, Draw::half);
  require(first >= 0 && first <= INT64_MAX / 2 && count >= 0 && count <= most_numbers && sample >= 0,
          "a number of segments or samples is out of range");
  std::vector<double> out(count);
  resample::weights(kind, seed, first, count, sample, out.data());
  return to_numpy(std::move(out));
}

auto draw_weights(Draws &draws, int64_t samples, int64_t segments) {
  require(samples >= 0 && segments >= 0 && segments <= most_numbers && samples <= most_numbers / (segments + 1),
          "too many samples or segments");
  std::vector<double> out(samples * segments);
  draws.weights(samples, segments, out.data());  // not without the GIL: two threads would share the generator
  return to_numpy<double>(std::move(out), {static_cast<size_t>(samples), static_cast<size_t>(segments)});
}

}  // namespace

void bind_resample(nb::module_ &m) {
  m.def("weighted_sums", &weighted_sums, "draw"_a, "seed"_a, "first"_a, "rows"_a, "samples"_a);
  nb::class_<Draws>(m, "Draws")
      .def(nb::init<const std::vector<uint32_t> &>(), "seed"_a)
      .def("weights", &draw_weights, "samples"_a, "segments"_a);
  m.def("segment_weights", &segment_weights, "draw"_a, "seed"_a, "first"_a, "count"_a, "sample"_a);
}

}  // namespace wordorder::python
