// The cost of the operators of a permutation, averaged over its forest.
#pragma once

#include "base/batch.h"

namespace wordorder::order {

// An operator over a span of l words costs l^span times the cost of the operator: `inverted` for <2,1>,
// prime * (k - 3)^arity for an operator with k >= 4 children, and 0 for <1,2>.
struct OperatorCosts {
  double inverted, prime, arity, span;
};

// Writes the cost of permutation s to out[s]: the cost of its operator plus the costs of its parts. A span that can be
// split at several points takes the mean over them. Only the identity costs 0.
void forest_costs(const base::Batch &batch, const OperatorCosts &costs, double *out);

}  // namespace wordorder::order
