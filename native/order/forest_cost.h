// What the operators of a permutation cost, averaged over its forest.
#pragma once

#include "base/batch.h"

namespace wordorder::order {

// An operator over a span of l words costs l^span times its own cost: `inverted` for <2,1>,
// prime * (k - 3)^arity for one of k >= 4 children, nothing for <1,2>.
struct OperatorCosts {
  double inverted, prime, arity, span;
};

// out[s] = cost of permutation s: that of its operator and of its parts, where a span that can
// be split at several points takes the mean over them. 0 for the order itself and nothing else.
void forest_costs(const base::Batch &batch, const OperatorCosts &costs, double *out);

}  // namespace wordorder::order
