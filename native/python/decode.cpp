// Bindings of decode: orders from tables of pairwise precedence.
#include <nanobind/stl/pair.h>

#include <algorithm>

#include "decode/best_orders.h"
#include "decode/mixed_order.h"
#include "python/checks.h"

namespace wordorder::python {

namespace {

// Tables hold probabilities, or sums of a few; they are added up in fixed-point numbers.
void check_shares(const Table<double> &table) {
  const double *const data = table.data();
  require(std::all_of(data, data + table.size(), [](double x) { return x >= -1000 && x <= 1000; }),
          "a table has numbers that are no probabilities");
}

// The best orders with their expected numbers of wrong pairs.
auto orders_of_table(const Table<double> &inverted, int32_t k, bool moves, int32_t widest) {
  require(inverted.shape(0) == inverted.shape(1), "the table is not square");
  require(k >= 1 && k <= 100000, "k must be from 1 to 100000");
  require(widest >= 0, "widest must be at least 0");
  check_shares(inverted);
  const auto n = static_cast<int32_t>(inverted.shape(0));
  std::vector<double> table(inverted.data(), inverted.data() + inverted.size());
  for (int32_t a = 0; a < n; ++a) std::fill_n(table.begin() + static_cast<int64_t>(a) * n, a + 1, 0.0);
  std::vector<decode::RankedOrder> orders;
  {
    nb::gil_scoped_release release;
    orders = decode::ranked_orders(table, n, k, moves, widest);
  }
  std::vector<std::pair<double, std::vector<int32_t>>> out;
  for (decode::RankedOrder &ranked : orders) out.emplace_back(ranked.loss, std::move(ranked.order));
  return out;
}

auto mixed_order(const Table<double> &inverted, const Table<double> &next, double share, int32_t widest) {
  const size_t n = inverted.shape(0);
  require(inverted.shape(1) == n && next.shape(0) == n + 1 && next.shape(1) == n + 1,
          "the tables do not fit each other");
  require(share >= 0 && share <= 1, "the share must be between 0 and 1");
  require(widest >= 0, "widest must be at least 0");
  check_shares(inverted);
  check_shares(next);
  const std::vector<double> pairs(inverted.data(), inverted.data() + inverted.size());
  const std::vector<double> steps(next.data(), next.data() + next.size());
  nb::gil_scoped_release release;
  return decode::mixed_order(pairs, steps, static_cast<int32_t>(n), share, widest);
}

}  // namespace

void bind_decode(nb::module_ &m) {
  m.def("orders_of_table", &orders_of_table, "inverted"_a, "k"_a, "moves"_a, "widest"_a);
  m.def("mixed_order", &mixed_order, "inverted"_a, "following"_a, "share"_a, "widest"_a);
}

}  // namespace wordorder::python
