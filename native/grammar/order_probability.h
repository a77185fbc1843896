// The probability of one given order of a sentence.
#pragma once

#include <vector>

#include "grammar/chart.h"

namespace wordorder::grammar {

// The logarithm of the joint probability of the words and the order: the sum over all derivations of the order.
double log_order_probability(const Grammar &grammar, const std::vector<int32_t> &words,
                             const std::vector<Phrase> &phrases, const std::vector<int32_t> &order);

}  // namespace wordorder::grammar
