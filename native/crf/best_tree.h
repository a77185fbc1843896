// The best tree of a sentence under given scores of edges.
#pragma once

#include <vector>

#include "crf/edges.h"

namespace wordorder::crf {

struct TreeNode {
  int32_t begin, cut, end, op;
};

// Writes the nodes of the best tree over two or more words in preorder and returns its score. If every tree has a score
// of minus infinity, returns that and writes no nodes. `canonical` is explained in chart.h.
template <class T>
double best_tree(const T *scores, int32_t n, bool canonical, std::vector<TreeNode> &tree);

}  // namespace wordorder::crf
