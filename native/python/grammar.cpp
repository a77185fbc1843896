// The Reordering Grammar for Python: its treebank, its training, its decoding.
#include "python/arrays.h"

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "grammar/chart.h"
#include "decode/best_orders.h"
#include "grammar/best_derivations.h"
#include "grammar/viterbi.h"
#include "grammar/expected_counts.h"
#include "grammar/latent_forest.h"
#include "base/parallel.h"

namespace wordorder::python {

using namespace grammar;

namespace {

using Table = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Places = std::vector<std::vector<int32_t>>;

// Forests of many sentences. Nodes up to each sentence, and which sentences have an operator that is too long.
auto forests(const Ints &ranks, const Longs &offsets, const Places &primes, int trees, int32_t max_arity,
             bool attach_right, bool attach_high) {
  const base::Batch batch = batch_of(ranks, offsets);
  std::vector<ForestNode> nodes;
  std::vector<int64_t> ends(batch.size + 1, 0);
  std::vector<uint8_t> good(batch.size, 0);
  {
    nb::gil_scoped_release release;
    ForestBuilder builder(primes);
    const ForestShape shape{static_cast<ForestShape::Trees>(trees), max_arity, attach_right, attach_high};
    for (int64_t s = 0; s < batch.size; ++s) {
      good[s] = builder.build(batch.begin(s), batch.length(s), shape, nodes);
      ends[s + 1] = static_cast<int64_t>(nodes.size());
    }
  }
  const size_t n = nodes.size(), size = ends.size(), count = good.size();
  static_assert(sizeof(ForestNode) == 4 * sizeof(int32_t), "a node is four integers to Python");
  return nb::make_tuple(to_numpy<int32_t>(std::move(nodes), {n, 4}), to_numpy<int64_t>(std::move(ends), {size}),
                        to_numpy<uint8_t>(std::move(good), {count}));
}

// An operator to Python: the places of its children, its states, and the child without a counterpart or -1.
using OperatorList = std::vector<std::tuple<std::vector<int32_t>, int32_t, int32_t>>;

Grammar grammar_of(const OperatorList &operators, const Table &rules, const Table &lexical) {
  Grammar g;
  g.states = g.slots = 0;
  for (const auto &[places, states, unaligned] : operators) {
    if (places.size() < 2 || places.size() > largest_arity || states < 1) throw nb::value_error("no such operator");
    Operator op{};
    op.arity = static_cast<int32_t>(places.size());
    op.states = states;
    op.unaligned = unaligned;
    std::copy(places.begin(), places.end(), op.places);
    op.first_state = g.states;
    op.first_slot = g.slots;
    g.states += states;
    g.slots += op.arity * states;
    g.operators.push_back(op);
  }
  g.words = static_cast<int32_t>(lexical.shape(0));
  if (rules.shape(0) != static_cast<size_t>(g.slots) + 1 || rules.shape(1) != static_cast<size_t>(g.states) ||
      lexical.shape(1) != static_cast<size_t>(g.slots) + 1) {
    throw nb::value_error("the tables do not fit the operators");
  }
  g.rules = rules.data();
  g.lexical = lexical.data();
  return g;
}

void check_bank(const Grammar &g, const base::Batch &tokens, const Nodes &nodes, const Longs &ends) {
  const int64_t size = tokens.offsets[tokens.size];
  if (!std::all_of(tokens.values, tokens.values + size, [&](int32_t w) { return w >= 0 && w < g.words; })) {
    throw nb::value_error("word number out of range");
  }
  if (static_cast<int64_t>(ends.shape(0)) != tokens.size + 1 || ends.data()[0] != 0 ||
      ends.data()[tokens.size] != static_cast<int64_t>(nodes.shape(0))) {
    throw nb::value_error("offsets do not fit nodes");
  }
  const auto operators = static_cast<int32_t>(g.operators.size());
  for (int64_t s = 0; s < tokens.size; ++s) {
    if (!tokens.length(s)) throw nb::value_error("a sentence without tokens");
    for (int64_t k = ends.data()[s]; k < ends.data()[s + 1]; ++k) {
      const int32_t *node = nodes.data() + 4 * k;
      if (node[0] < 0 || node[1] > tokens.length(s) || node[0] + 1 >= node[1] || node[2] < 0 || node[2] >= operators ||
          (node[3] && g.operators[node[2]].arity != 2)) {
        throw nb::value_error("a node that cannot be");
      }
    }
  }
}

auto expect(const OperatorList &operators, const Table &rules, const Table &lexical, const Ints &tokens,
            const Longs &offsets, const Nodes &nodes, const Longs &ends, int64_t first, int64_t last, bool counts,
            int threads) {
  const Grammar g = grammar_of(operators, rules, lexical);
  const base::Batch batch = batch_of(tokens, offsets);
  check_bank(g, batch, nodes, ends);
  if (first < 0 || last < first || last > batch.size) throw nb::value_error("no such sentences");
  ForestCounts out;
  {
    nb::gil_scoped_release release;
    const Treebank bank{batch, reinterpret_cast<const ForestNode *>(nodes.data()), ends.data()};
    out = expected_counts(g, bank, first, last, counts, threads);
  }
  const size_t sentences = out.log_likelihood.size(), slots = counts ? g.slots + 1 : 0, states = g.states,
               words = counts ? g.words : 0;
  return nb::make_tuple(to_numpy<double>(std::move(out.log_likelihood), {sentences}),
                        to_numpy<double>(std::move(out.rules), {slots, states}),
                        to_numpy<double>(std::move(out.lexical), {words, counts ? slots : size_t{0}}));
}

// A grammar ready to parse. It keeps the arrays that it was made of.
struct Decoder {
  Decoder(const OperatorList &operators, Table rules_, Table lexical_)
      : rules(std::move(rules_)), lexical(std::move(lexical_)), chart_rules(grammar_of(operators, rules, lexical)) {}

  Table rules, lexical;
  ChartRules chart_rules;
};

using Words = std::vector<int32_t>;
using PhraseList = std::vector<std::tuple<int32_t, int32_t, int32_t>>;

std::vector<Phrase> checked(const Decoder &decoder, const Words &words, const PhraseList &phrases) {
  const int32_t count = decoder.chart_rules.grammar().words;
  std::vector<Phrase> out;
  for (const int32_t w : words) {
    if (w < 0 || w >= count) throw nb::value_error("word number out of range");
  }
  for (const auto &[begin, end, word] : phrases) {
    if (begin < 0 || begin + 1 >= end || end > static_cast<int32_t>(words.size()) || word < 0 || word >= count) {
      throw nb::value_error("a phrase that cannot be");
    }
    out.push_back({begin, end, word});
  }
  return out;
}

std::vector<std::pair<double, std::vector<int32_t>>> orders_of(std::vector<decode::RankedOrder> &&orders) {
  std::vector<std::pair<double, std::vector<int32_t>>> out;
  for (decode::RankedOrder &one : orders) out.emplace_back(one.loss, std::move(one.order));
  return out;
}

// The best orders under a table: [a, b] is the probability that b comes before a, for a < b.
auto orders_of_table(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> &inverted, int32_t k,
                     bool moves) {
  if (inverted.shape(0) != inverted.shape(1) || k < 1) throw nb::value_error("the table is not square, or k below 1");
  const auto n = static_cast<int32_t>(inverted.shape(0));
  std::vector<double> table(inverted.data(), inverted.data() + inverted.size());
  for (int32_t a = 0; a < n; ++a) std::fill_n(table.begin() + static_cast<int64_t>(a) * n, a + 1, 0.0);
  std::vector<decode::RankedOrder> orders;
  {
    nb::gil_scoped_release release;
    orders = decode::ranked_orders(table, n, k, moves);
  }
  return orders_of(std::move(orders));
}

// Precedence table (probability that b comes before a, for a < b), the best orders with their expected number of
// wrong pairs, log-probability of the words, and whether glue was needed.
auto consensus(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t k, bool moves) {
  const std::vector<Phrase> some = checked(decoder, words, phrases);
  if (k < 0) throw nb::value_error("k is negative");
  const auto n = static_cast<int32_t>(words.size());
  std::vector<double> table;
  std::vector<decode::RankedOrder> orders;
  double log_probability = 0;
  bool glued = false;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), n, some, false);
    chart.outside();
    table = decode::inversions(chart);
    log_probability = n ? chart.log_probability() : 0;
    glued = chart.glued;
    if (k) orders = decode::ranked_orders(table, n, k, moves);
  }
  const size_t size = n;
  return nb::make_tuple(to_numpy<double>(std::move(table), {size, size}), orders_of(std::move(orders)), log_probability, glued);
}

// A tree to Python: (operator or -1, begin, end, state) in preorder.
std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> tree_of(const Derivation &tree) {
  std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> out;
  for (const TreeNode &node : tree) out.emplace_back(node.op, node.begin, node.end, node.state);
  return out;
}

// The k best derivations with their log-probabilities.
auto best(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t k) {
  const std::vector<Phrase> some = checked(decoder, words, phrases);
  if (words.empty()) throw nb::value_error("no words");
  std::vector<std::pair<double, Derivation>> found;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), static_cast<int32_t>(words.size()), some, true);
    BestDerivations search(chart);
    Derivation tree;
    double log_probability;
    while (static_cast<int32_t>(found.size()) < k && search.next(tree, log_probability)) {
      found.emplace_back(log_probability, tree);
    }
  }
  std::vector<std::pair<double, std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>>>> out;
  for (const auto &[log_probability, tree] : found) out.emplace_back(log_probability, tree_of(tree));
  return out;
}

// Orders of random derivations, a row each.
auto sample(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t count, uint64_t seed) {
  const std::vector<Phrase> some = checked(decoder, words, phrases);
  if (words.empty() || count < 0) throw nb::value_error("no words, or a negative number of samples");
  std::vector<int32_t> orders;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), static_cast<int32_t>(words.size()), some, false);
    Sampler sampler(chart, seed);
    Derivation tree;
    for (int32_t s = 0; s < count; ++s) {
      sampler.draw(tree);
      const std::vector<int32_t> order = order_of(decoder.chart_rules.grammar(), tree);
      orders.insert(orders.end(), order.begin(), order.end());
    }
  }
  const size_t rows = count, n = words.size();
  return to_numpy<int32_t>(std::move(orders), {rows, n});
}

double order_probability(const Decoder &decoder, const Words &words, const PhraseList &phrases,
                         const std::vector<int32_t> &order) {
  const std::vector<Phrase> some = checked(decoder, words, phrases);
  std::vector<int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t k = 0; k < sorted.size(); ++k) {
    if (sorted.size() != words.size() || sorted[k] != static_cast<int32_t>(k)) throw nb::value_error("not an order");
  }
  nb::gil_scoped_release release;
  return log_order_probability(decoder.chart_rules.grammar(), words, some, order);
}

// The best tree of each forest with its log-probability.
auto best_in_forests(const OperatorList &operators, const Table &rules, const Table &lexical, const Ints &tokens,
                     const Longs &offsets, const Nodes &nodes, const Longs &ends, int threads) {
  const Grammar g = grammar_of(operators, rules, lexical);
  const base::Batch batch = batch_of(tokens, offsets);
  check_bank(g, batch, nodes, ends);
  std::vector<std::pair<double, Derivation>> found(batch.size);
  {
    nb::gil_scoped_release release;
    const auto *all = reinterpret_cast<const ForestNode *>(nodes.data());
    base::parallel_blocks(batch.size, 32, threads, [&](int64_t first, int64_t last, int) {
      ForestBest search(g);
      for (int64_t s = first; s < last; ++s) {
        found[s].first = search.run(batch.begin(s), all + ends.data()[s], all + ends.data()[s + 1], found[s].second);
      }
    });
  }
  std::vector<std::pair<double, std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>>>> out;
  for (const auto &[log_probability, tree] : found) out.emplace_back(log_probability, tree_of(tree));
  return out;
}

}  // namespace

void bind_grammar(nb::module_ &m) {
  m.def("forests", &forests, "ranks"_a, "offsets"_a, "primes"_a, "trees"_a, "max_arity"_a, "attach_right"_a,
        "attach_high"_a);
  m.def("expected_counts", &expect, "operators"_a, "rules"_a, "lexical"_a, "tokens"_a, "offsets"_a, "nodes"_a, "ends"_a,
        "first"_a, "last"_a, "counts"_a, "threads"_a);
  m.def("best_in_forests", &best_in_forests, "operators"_a, "rules"_a, "lexical"_a, "tokens"_a, "offsets"_a, "nodes"_a,
        "ends"_a, "threads"_a);
  m.def("orders_of_table", &orders_of_table, "inverted"_a, "k"_a, "moves"_a);
  nb::class_<Decoder>(m, "GrammarDecoder")
      .def(nb::init<const OperatorList &, Table, Table>(), "operators"_a, "rules"_a, "lexical"_a)
      .def("consensus", &consensus, "words"_a, "phrases"_a, "k"_a, "moves"_a)
      .def("best", &best, "words"_a, "phrases"_a, "k"_a)
      .def("sample", &sample, "words"_a, "phrases"_a, "count"_a, "seed"_a)
      .def("log_order_probability", &order_probability, "words"_a, "phrases"_a, "order"_a);
}

}  // namespace wordorder::python
