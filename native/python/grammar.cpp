// Bindings of grammar: the treebank, training and parsing.
#include <nanobind/stl/pair.h>

#include <algorithm>

#include "base/parallel.h"
#include "decode/best_orders.h"
#include "grammar/best_derivations.h"
#include "grammar/chart.h"
#include "grammar/expected_counts.h"
#include "grammar/latent_forest.h"
#include "grammar/order_probability.h"
#include "grammar/precedence.h"
#include "grammar/sampler.h"
#include "grammar/viterbi.h"
#include "python/checks.h"

namespace wordorder::python {

using namespace grammar;

namespace {

using Nodes = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Places = std::vector<std::vector<int32_t>>;

// The forests of all sentences: the nodes, the number of nodes up to each sentence, and whether each sentence has a
// forest (0 if an operator has too many children).
auto forests(const Ints &ranks, const Longs &offsets, const Places &primes, int trees, int32_t max_arity,
             bool attach_right, bool attach_high) {
  const base::Batch batch = permutations_of(ranks, offsets, true);
  const ForestShape shape{option_of(trees, ForestShape::right), max_arity, attach_right, attach_high};
  std::vector<ForestNode> nodes;
  std::vector<int64_t> ends(batch.size + 1, 0);
  std::vector<uint8_t> good(batch.size, 0);
  {
    nb::gil_scoped_release release;
    ForestBuilder builder(primes);
    for (int64_t s = 0; s < batch.size; ++s) {
      good[s] = builder.build(batch.begin(s), batch.length(s), shape, nodes);
      ends[s + 1] = static_cast<int64_t>(nodes.size());
    }
  }
  const size_t n = nodes.size();
  static_assert(sizeof(ForestNode) == 4 * sizeof(int32_t), "a node is four integers to Python");
  return nb::make_tuple(to_numpy<int32_t>(std::move(nodes), {n, 4}), to_numpy(std::move(ends)),
                        to_numpy(std::move(good)));
}

// An operator: the places of its children, its number of states, and the unaligned child or -1.
constexpr int32_t most_states = 1 << 16;
using OperatorList = std::vector<std::tuple<std::vector<int32_t>, int32_t, int32_t>>;

Grammar grammar_of(const OperatorList &operators, const Table<float> &rules, const Table<float> &lexical) {
  Grammar g;
  g.states = g.slots = 0;
  for (const auto &[places, states, unaligned] : operators) {
    const auto arity = static_cast<int32_t>(places.size());
    require(arity >= 2 && arity <= largest_arity && states >= 1 && states <= most_states,
            "an operator has a wrong number of children or states");
    require(PlaceCheck()(places.data(), arity, false) && unaligned >= -1 && unaligned < 2,
            "the children of an operator are not a permutation");
    Operator op{};
    op.arity = arity;
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
  require(rules.shape(0) == static_cast<size_t>(g.slots) + 1 && rules.shape(1) == static_cast<size_t>(g.states) &&
              lexical.shape(1) == static_cast<size_t>(g.slots) + 1,
          "the tables do not fit the operators");
  check_finite(rules.data(), rules.size());
  check_finite(lexical.data(), lexical.size());
  g.rules = rules.data();
  g.lexical = lexical.data();
  return g;
}

// A node follows the nodes inside it, no two nodes cross, and the number of children fits the operator.
class ForestCheck {
 public:
  ForestCheck(const Grammar &g, const Nodes &nodes) : g_(g), nodes_(nodes.data()) {}

  bool operator()(int64_t first, int64_t last, int32_t length) {
    tops_.clear();
    for (int64_t k = first; k < last; ++k) {
      const int32_t *node = nodes_ + 4 * k;
      if (node[2] < 0 || node[2] >= static_cast<int32_t>(g_.operators.size()) || !add({node[0], node[1]}, length))
        return false;
      const int32_t arity = g_.operators[node[2]].arity;
      if (node[3] ? arity != 2 || children_ < 2 : children_ != arity) return false;
    }
    return first == last || (tops_.size() == 1 && tops_[0].begin == 0 && tops_[0].end == length);
  }

 private:
  struct Span {
    int32_t begin, end;
  };

  // Replaces the spans inside this one by it, and counts its children: these spans and the words between them.
  bool add(Span span, int32_t length) {
    if (span.begin < 0 || span.end > length || span.end - span.begin < 2) return false;
    const auto from = std::lower_bound(tops_.begin(), tops_.end(), span,
                                       [](const Span &a, const Span &b) { return a.end <= b.begin; });
    auto to = from;
    children_ = span.end - span.begin;
    for (; to != tops_.end() && to->begin < span.end; ++to) {
      if (to->begin < span.begin || to->end > span.end) return false;
      children_ -= to->end - to->begin - 1;
    }
    tops_.insert(tops_.erase(from, to), span);
    return true;
  }

  const Grammar &g_;
  const int32_t *nodes_;
  std::vector<Span> tops_;  // the spans that are in no other one, from left to right
  int32_t children_ = 0;
};

base::Batch bank_of(const Grammar &g, const Ints &tokens, const Longs &offsets, const Nodes &nodes, const Longs &ends) {
  const base::Batch batch = words_of(tokens, offsets, g.words);
  require(check_offsets(ends, static_cast<int64_t>(nodes.shape(0))) == batch.size, "the offsets do not fit the nodes");
  ForestCheck is_forest(g, nodes);
  for (int64_t s = 0; s < batch.size; ++s) {
    require(batch.length(s) > 0, "a sentence has no tokens");
    require(is_forest(ends.data()[s], ends.data()[s + 1], batch.length(s)),
            "the nodes of a sentence do not form a forest of the grammar");
  }
  return batch;
}

auto expect(const OperatorList &operators, const Table<float> &rules, const Table<float> &lexical, const Ints &tokens,
            const Longs &offsets, const Nodes &nodes, const Longs &ends, int64_t first, int64_t last, bool counts,
            int threads) {
  const Grammar g = grammar_of(operators, rules, lexical);
  const base::Batch batch = bank_of(g, tokens, offsets, nodes, ends);
  require(first >= 0 && last >= first && last <= batch.size, "the range of sentences is out of bounds");
  threads = threads_of(threads);
  ForestCounts out;
  {
    nb::gil_scoped_release release;
    const Treebank bank{batch, reinterpret_cast<const ForestNode *>(nodes.data()), ends.data()};
    out = expected_counts(g, bank, first, last, counts, threads);
  }
  const size_t slots = counts ? g.slots + 1 : 0, states = g.states, words = counts ? g.words : 0;
  return nb::make_tuple(to_numpy(std::move(out.log_likelihood)),
                        to_numpy<double>(std::move(out.rules), {slots, states}),
                        to_numpy<double>(std::move(out.lexical), {words, counts ? slots : size_t{0}}));
}

// A grammar ready to parse. It keeps the arrays that it was built from alive.
struct Decoder {
  Decoder(const OperatorList &operators, Table<float> rules_, Table<float> lexical_)
      : rules(std::move(rules_)), lexical(std::move(lexical_)), chart_rules(grammar_of(operators, rules, lexical)) {}

  Table<float> rules, lexical;
  ChartRules chart_rules;
};

using Words = std::vector<int32_t>;
using PhraseList = std::vector<std::tuple<int32_t, int32_t, int32_t>>;

std::vector<Phrase> checked(const Decoder &decoder, const Words &words, const PhraseList &phrases) {
  const int32_t count = decoder.chart_rules.grammar().words;
  std::vector<Phrase> out;
  for (const int32_t w : words) {
    require(w >= 0 && w < count, "a word number is out of range");
  }
  for (const auto &[begin, end, word] : phrases) {
    require(begin >= 0 && end >= 2 && begin <= end - 2 && end <= static_cast<int32_t>(words.size()) && word >= 0 &&
                word < count,
            "a phrase does not fit the sentence or the grammar");
    out.push_back({begin, end, word});
  }
  return out;
}

// The table of pairwise precedence, the best orders with their expected numbers of wrong pairs, the log-probability of
// the words, and whether glue was needed.
auto consensus(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t k, bool moves) {
  const std::vector<Phrase> known = checked(decoder, words, phrases);
  require(k >= 0, "k must not be negative");
  const auto n = static_cast<int32_t>(words.size());
  std::vector<double> table;
  std::vector<decode::RankedOrder> orders;
  double log_probability = 0;
  bool glued = false;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), n, known, false);
    chart.outside();
    table = precedence(chart);
    log_probability = n ? chart.log_probability() : 0;
    glued = chart.glued;
    if (k) orders = decode::ranked_orders(table, n, k, moves, 0);
  }
  std::vector<std::pair<double, std::vector<int32_t>>> pairs;
  for (decode::RankedOrder &ranked : orders) pairs.emplace_back(ranked.loss, std::move(ranked.order));
  const size_t size = n;
  return nb::make_tuple(to_numpy<double>(std::move(table), {size, size}), std::move(pairs), log_probability, glued);
}

// The nodes of a tree, (operator or -1, begin, end, state), in preorder.
std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> tree_of(const Derivation &tree) {
  std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> out;
  for (const TreeNode &node : tree) out.emplace_back(node.op, node.begin, node.end, node.state);
  return out;
}

// The k best derivations with their log-probabilities.
auto best(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t k) {
  const std::vector<Phrase> known = checked(decoder, words, phrases);
  require(!words.empty(), "the sentence has no words");
  std::vector<std::pair<double, Derivation>> trees;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), static_cast<int32_t>(words.size()), known, true);
    BestDerivations search(chart);
    Derivation tree;
    double log_probability;
    while (static_cast<int32_t>(trees.size()) < k && search.next(tree, log_probability)) {
      trees.emplace_back(log_probability, tree);
    }
  }
  std::vector<std::pair<double, std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>>>> out;
  for (const auto &[log_probability, tree] : trees) out.emplace_back(log_probability, tree_of(tree));
  return out;
}

// The orders of random derivations, one per row.
auto sample(const Decoder &decoder, const Words &words, const PhraseList &phrases, int32_t count, uint64_t seed) {
  const std::vector<Phrase> known = checked(decoder, words, phrases);
  require(!words.empty() && count >= 0 && count <= most / static_cast<int64_t>(words.size()),
          "the sentence has no words, or the number of samples is out of range");
  std::vector<int32_t> orders;
  {
    nb::gil_scoped_release release;
    Chart chart(decoder.chart_rules);
    chart.inside(words.data(), static_cast<int32_t>(words.size()), known, false);
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

// The log-probabilities of the words with each of several orders, one order per row.
auto order_probabilities(const Decoder &decoder, const Words &words, const PhraseList &phrases,
                         const Table<int32_t> &orders) {
  const std::vector<Phrase> known = checked(decoder, words, phrases);
  require(orders.shape(1) == words.size(), "an order is not a permutation of the words");
  check_orders(orders);
  std::vector<double> out;
  {
    nb::gil_scoped_release release;
    out = log_order_probabilities(decoder.chart_rules.grammar(), words, known, orders.data(),
                                  static_cast<int64_t>(orders.shape(0)));
  }
  return to_numpy(std::move(out));
}

// The best tree of each forest with its log-probability.
auto best_in_forests(const OperatorList &operators, const Table<float> &rules, const Table<float> &lexical,
                     const Ints &tokens, const Longs &offsets, const Nodes &nodes, const Longs &ends, int threads) {
  const Grammar g = grammar_of(operators, rules, lexical);
  const base::Batch batch = bank_of(g, tokens, offsets, nodes, ends);
  threads = threads_of(threads);
  std::vector<std::pair<double, Derivation>> trees(batch.size);
  {
    nb::gil_scoped_release release;
    const auto *all = reinterpret_cast<const ForestNode *>(nodes.data());
    base::parallel_blocks(batch.size, 32, threads, [&](int64_t first, int64_t last, int) {
      ViterbiTree search(g);
      for (int64_t s = first; s < last; ++s) {
        trees[s].first = search.run(batch.begin(s), all + ends.data()[s], all + ends.data()[s + 1], trees[s].second);
      }
    });
  }
  std::vector<std::pair<double, std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>>>> out;
  for (const auto &[log_probability, tree] : trees) out.emplace_back(log_probability, tree_of(tree));
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
  nb::class_<Decoder>(m, "GrammarDecoder")
      .def(nb::init<const OperatorList &, Table<float>, Table<float>>(), "operators"_a, "rules"_a, "lexical"_a)
      .def("consensus", &consensus, "words"_a, "phrases"_a, "k"_a, "moves"_a)
      .def("best", &best, "words"_a, "phrases"_a, "k"_a)
      .def("sample", &sample, "words"_a, "phrases"_a, "count"_a, "seed"_a)
      .def("log_order_probabilities", &order_probabilities, "words"_a, "phrases"_a, "orders"_a);
}

}  // namespace wordorder::python
