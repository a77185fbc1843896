// The probabilities of given orders of a sentence.
#pragma once

#include <vector>

#include "grammar/chart.h"

namespace wordorder::grammar {

// The logarithms of the joint probabilities of the words and each order: sums over all derivations of the order, minus
// infinity if there is none. `orders` has `size` rows of one number per word. The sums over a span depend only on the
// order of its words, so orders that agree on a span share them.
std::vector<double> log_order_probabilities(const Grammar &grammar, const std::vector<int32_t> &words,
                                            const std::vector<Phrase> &phrases, const int32_t *orders, int64_t size);

}  // namespace wordorder::grammar
