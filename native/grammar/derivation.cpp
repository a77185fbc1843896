#include "grammar/derivation.h"

#include <cstddef>

namespace wordorder::grammar {

std::vector<int32_t> order_of(const Grammar &grammar, const Derivation &tree) {
  size_t at = 0;
  // Each call reads one subtree of the preorder list and returns its order.
  const auto read = [&](const auto &self) -> std::vector<int32_t> {
    const TreeNode node = tree[at++];
    std::vector<int32_t> order;
    if (node.op == -1) {
      for (int32_t i = node.begin; i < node.end; ++i) order.push_back(i);
      return order;
    }
    const int32_t arity = node.op < 0 ? 1 : grammar.operators[node.op].arity;
    std::vector<std::vector<int32_t>> placed(arity);
    for (int32_t k = 0; k < arity; ++k) placed[node.op < 0 ? k : grammar.operators[node.op].places[k]] = self(self);
    for (const auto &part : placed) order.insert(order.end(), part.begin(), part.end());
    return order;
  };
  return tree.empty() ? std::vector<int32_t>() : read(read);
}

}  // namespace wordorder::grammar
