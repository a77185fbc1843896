#include "align/blocks.h"

#include <algorithm>

namespace wordorder::align {

namespace {

// Joins blocks that overlap on one side; returns whether any did.
template <class From, class To>
bool join(std::vector<Block> &blocks, From from, To to) {
  std::sort(blocks.begin(), blocks.end(), [&](const Block &a, const Block &b) { return a.*from < b.*from; });
  size_t size = 0;
  for (size_t k = 0; k < blocks.size(); ++k) {
    if (size && blocks[k].*from <= blocks[size - 1].*to) {
      Block &last = blocks[size - 1];
      last.source_from = std::min(last.source_from, blocks[k].source_from);
      last.source_to = std::max(last.source_to, blocks[k].source_to);
      last.target_from = std::min(last.target_from, blocks[k].target_from);
      last.target_to = std::max(last.target_to, blocks[k].target_to);
    } else {
      blocks[size++] = blocks[k];
    }
  }
  const bool any = size < blocks.size();
  blocks.resize(size);
  return any;
}

}  // namespace

std::vector<Block> blocks_of(const Link *first, const Link *last) {
  std::vector<Block> blocks;
  for (const Link *link = first; link != last; ++link) {
    blocks.push_back({link->source, link->source, link->target, link->target});
  }
  // Each round joins at least two blocks, and a few rounds are enough in practice.
  join(blocks, &Block::source_from, &Block::source_to);
  while (join(blocks, &Block::target_from, &Block::target_to) && join(blocks, &Block::source_from, &Block::source_to)) {
  }
  std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.source_from < b.source_from; });
  return blocks;
}

}  // namespace wordorder::align
