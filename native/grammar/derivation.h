// A derivation of a sentence: a tree of operators over words and phrases.
#pragma once

#include <vector>

#include "grammar/grammar.h"

namespace wordorder::grammar {

// A node covers words begin .. end - 1 with operator `op` in state `state`; op is -1 for a word or phrase, and -2
// where two parts were glued that the grammar does not join.
struct TreeNode {
  int32_t op, begin, end, state;
};
using Derivation = std::vector<TreeNode>;  // in preorder

// The order in which a derivation reads the words.
std::vector<int32_t> order_of(const Grammar &grammar, const Derivation &tree);

}  // namespace wordorder::grammar
