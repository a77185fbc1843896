// Single derivations out of a chart: the best ones, random ones, and those of a given order.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "grammar/chart.h"

namespace wordorder::grammar {

// A node of a tree in preorder: words begin .. end - 1 under operator `op` in its state `state`; op is -1 for
// a word or phrase, and -2 where glue joined two parts that the grammar does not.
struct TreeNode {
  int32_t op, begin, end, state;
};
using Derivation = std::vector<TreeNode>;

// The order in which a derivation reads the words.
std::vector<int32_t> order_of(const Grammar &grammar, const Derivation &tree);

// The best derivations of a chart filled with `best`, one after the other (Huang and Chiang 2005, algorithm 3).
class BestDerivations {
 public:
  explicit BestDerivations(Chart &chart);
  ~BestDerivations();
  // The next one and its log-probability; false if there are no more.
  bool next(Derivation &tree, double &log_probability);

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

// Draws derivations by their probability from a chart of sums.
class Sampler {
 public:
  Sampler(Chart &chart, uint64_t seed) : c_(chart), random_(seed) {}
  void draw(Derivation &tree);

 private:
  void slot(int32_t i, int32_t j, int32_t t, Derivation &tree);
  void state(int32_t i, int32_t j, int32_t s, Derivation &tree);
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  Chart &c_;
  std::mt19937_64 random_;
};

// The logarithm of the probability of the words together with this order: the sum over its derivations.
double log_order_probability(const Grammar &grammar, const std::vector<int32_t> &words,
                             const std::vector<Phrase> &phrases, const std::vector<int32_t> &order);

}  // namespace wordorder::grammar
