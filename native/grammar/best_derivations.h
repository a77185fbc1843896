// The k best derivations of a sentence, found lazily (Huang and Chiang 2005, algorithm 3).
#pragma once

#include <memory>

#include "grammar/chart.h"
#include "grammar/derivation.h"

namespace wordorder::grammar {

class BestDerivations {
 public:
  // The chart must hold the probabilities of best derivations.
  explicit BestDerivations(Chart &chart);
  ~BestDerivations();
  // Writes the next best derivation and its log-probability; returns false if there are no more.
  bool next(Derivation &tree, double &log_probability);

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

}  // namespace wordorder::grammar
