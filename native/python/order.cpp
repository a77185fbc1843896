// Bindings of order: permutations, their trees and scores, as well as reading and writing them as text.
#include "order/flat.h"
#include "order/forest_cost.h"
#include "order/intervals.h"
#include "order/lattice.h"
#include "order/recursive.h"
#include "python/checks.h"
#include "text/permutation_text.h"
#include "text/table_rows.h"

namespace wordorder::python {

using namespace order;

namespace {

auto trees(const Ints &values, const Longs &offsets, bool linear) {
  const base::Batch batch = permutations_of(values, offsets);
  std::vector<Node> nodes;
  std::vector<int64_t> ends(batch.size + 1, 0);
  {
    nb::gil_scoped_release release;
    TreeBuilder builder;
    nodes.reserve(batch.offsets[batch.size] / 2);
    for (int64_t s = 0; s < batch.size; ++s) {
      if (linear) {
        builder.build_linear(batch.begin(s), batch.length(s), nodes);
      } else {
        builder.build(batch.begin(s), batch.length(s), nodes);
      }
      ends[s + 1] = static_cast<int64_t>(nodes.size());
    }
  }
  const size_t m = nodes.size();
  static_assert(sizeof(Node) == 4 * sizeof(int32_t), "a node is four integers to Python");
  return nb::make_tuple(to_numpy<int32_t>(std::move(nodes), {m, 4}), to_numpy(std::move(ends)));
}

auto tree_counts(const Ints &values, const Longs &offsets) {
  const base::Batch batch = permutations_of(values, offsets);
  std::vector<TreeSummary> out(batch.size);
  {
    nb::gil_scoped_release release;
    TreeBuilder builder;
    std::vector<Node> nodes;
    for (int64_t s = 0; s < batch.size; ++s) {
      nodes.clear();
      builder.build(batch.begin(s), batch.length(s), nodes);
      out[s] = summarise(nodes.data(), nodes.data() + nodes.size());
    }
  }
  const size_t size = out.size();
  static_assert(sizeof(TreeSummary) == 4 * sizeof(int64_t), "a summary is four integers to Python");
  return to_numpy<int64_t>(std::move(out), {size, 4});
}

// The share of bracketings; it is not defined for fewer than three words, which get 1.
auto count_shares(const Ints &values, const Longs &offsets) {
  const base::Batch batch = permutations_of(values, offsets);
  std::vector<double> out(batch.size);
  {
    nb::gil_scoped_release release;
    TreeBuilder builder;
    std::vector<Node> nodes;
    for (int64_t s = 0; s < batch.size; ++s) {
      nodes.clear();
      builder.build(batch.begin(s), batch.length(s), nodes);
      out[s] = batch.length(s) < 3 ? 1.0 : count_share(nodes.data(), nodes.data() + nodes.size(), batch.length(s));
    }
  }
  return to_numpy(std::move(out));
}

std::vector<int64_t> counted(const Ints &values, const Longs &offsets, int what) {
  const base::Batch batch = permutations_of(values, offsets);
  const Flat kind = option_of(what, Flat::pairs);
  std::vector<int64_t> out(batch.size);
  nb::gil_scoped_release release;
  flat_counts(batch, kind, out.data());
  return out;
}

auto counts(const Ints &values, const Longs &offsets, int what) { return to_numpy(counted(values, offsets, what)); }

// The same as floating point.
auto real_counts(const Ints &values, const Longs &offsets, int what) {
  const std::vector<int64_t> whole = counted(values, offsets, what);
  return to_numpy(std::vector<double>(whole.begin(), whole.end()));
}

auto lattice(const Table<int32_t> &orders, const Table<double> &table, const Doubles &log_probs) {
  const int32_t n = size_of(orders.shape(1));
  require(table.shape(0) == orders.shape(1) && table.shape(1) == orders.shape(1), "the table does not fit the orders");
  const bool weighted = log_probs.shape(0) > 0;
  require(!weighted || log_probs.shape(0) == orders.shape(0), "the probabilities do not fit the orders");
  check_finite(log_probs.data(), log_probs.shape(0));
  check_orders(orders);
  WeightedArcs made;
  std::vector<double> gains;
  {
    nb::gil_scoped_release release;
    made = minimal_lattice(orders.data(), static_cast<int64_t>(orders.shape(0)), n,
                           weighted ? log_probs.data() : nullptr);
    gains = lattice_gains(made.arcs, table.data(), n);
  }
  const size_t m = made.arcs.size();
  static_assert(sizeof(LatticeArc) == 3 * sizeof(int32_t), "an arc is three integers to Python");
  return nb::make_tuple(to_numpy<int32_t>(std::move(made.arcs), {m, 3}), to_numpy(std::move(gains)),
                        to_numpy(std::move(made.log_probs)));
}

auto anticipated_counts(const Ints &values, const Longs &offsets, int32_t k) {
  const base::Batch batch = permutations_of(values, offsets);
  std::vector<int64_t> out(batch.size);
  {
    nb::gil_scoped_release release;
    anticipated(batch, k, out.data());
  }
  return to_numpy(std::move(out));
}

auto recursive(const Ints &values, const Longs &offsets, int family, int trees, int op, double beta, double gamma) {
  const base::Batch batch = permutations_of(values, offsets);
  const RecursiveSettings settings{option_of(family, Family::beer11), option_of(trees, Trees::all),
                                   option_of(op, OpScore::fuzzy), finite(beta), finite(gamma)};
  std::vector<double> out(batch.size);
  {
    nb::gil_scoped_release release;
    recursive_scores(batch, settings, out.data());
  }
  return to_numpy(std::move(out));
}

auto forest_cost(const Ints &values, const Longs &offsets, double inverted, double prime, double arity, double span) {
  const base::Batch batch = permutations_of(values, offsets);
  const OperatorCosts costs{finite(inverted), finite(prime), finite(arity), finite(span)};
  std::vector<double> out(batch.size);
  {
    nb::gil_scoped_release release;
    forest_costs(batch, costs, out.data());
  }
  return to_numpy(std::move(out));
}

auto parse(const nb::bytes &text, int32_t base) {
  require(base == 0 || base == 1, "numbers count from 0 or from 1");
  text::ParsedLines parsed;
  const char *const data = text.c_str();
  const int64_t size = static_cast<int64_t>(text.size());
  {
    nb::gil_scoped_release release;
    parsed = text::parse_permutations(data, size, base);
  }
  return nb::make_tuple(to_numpy(std::move(parsed.values)), to_numpy(std::move(parsed.offsets)), parsed.bad_line,
                        parsed.bad_begin, parsed.bad_end);
}

auto invalid(const Ints &values, const Longs &offsets) {
  const base::Batch batch = batch_of(values, offsets);
  text::Invalid place;
  {
    nb::gil_scoped_release release;
    place = text::find_invalid(batch);
  }
  return nb::make_tuple(place.sentence, place.position);
}

nb::bytes rows(const std::vector<Doubles> &columns, int64_t first_number,
               const std::vector<std::tuple<std::string, int, int>> &fields, const std::string &after) {
  std::vector<const double *> data;
  std::vector<text::Field> how;
  for (const Doubles &column : columns) {
    require(given(column).shape(0) == columns[0].shape(0), "the columns differ in length");
    data.push_back(column.data());
  }
  for (const auto &[before, width, decimals] : fields) {
    require(decimals <= 100 && width <= 1000, "at most 100 decimals and a width of 1000 are supported");
    how.push_back({before, width, decimals});
  }
  require(how.size() == columns.size() + 1, "there must be one field for the row number and one for each column");
  require(first_number > -(int64_t{1} << 62) && first_number < int64_t{1} << 62, "the first number is too large");
  const int64_t count = columns.empty() ? 0 : static_cast<int64_t>(columns[0].shape(0));
  std::string text;
  {
    nb::gil_scoped_release release;
    text = text::format_rows(data, count, first_number, how, after);
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_order(nb::module_ &m) {
  m.def("lattice", &lattice, "orders"_a, "table"_a, "log_probs"_a);
  m.def("trees", &trees, "values"_a, "offsets"_a, "linear"_a = false);
  m.def("tree_counts", &tree_counts, "values"_a, "offsets"_a);
  m.def("count_shares", &count_shares, "values"_a, "offsets"_a);
  m.def("counts", &counts, "values"_a, "offsets"_a, "what"_a);
  m.def("real_counts", &real_counts, "values"_a, "offsets"_a, "what"_a);
  m.def("anticipated", &anticipated_counts, "values"_a, "offsets"_a, "k"_a);
  m.def("recursive", &recursive, "values"_a, "offsets"_a, "family"_a, "trees"_a, "op"_a, "beta"_a, "gamma"_a);
  m.def("forest_cost", &forest_cost, "values"_a, "offsets"_a, "inverted"_a, "prime"_a, "arity"_a, "span"_a);
  m.def("parse_permutations", &parse, "text"_a, "base"_a);
  m.def("find_invalid", &invalid, "values"_a, "offsets"_a);
  m.def("format_rows", &rows, "columns"_a, "first_number"_a, "fields"_a, "after"_a);
}

}  // namespace wordorder::python
