// The quadratic shift-reduce parser of Zhang and Gildea (2007) as the thesis describes it, in
// plain C++: the peer that a fast tree has to beat. Writes the spans of the left-branching tree,
// as many as fit, and returns how many there are.
#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" int64_t stack_scan(const int32_t *values, const int64_t *offsets, int64_t count, int32_t *spans,
                              int64_t room) {
  struct Block {
    int32_t begin, low, high;
  };
  std::vector<Block> stack;
  int64_t nodes = 0;
  for (int64_t s = 0; s < count; ++s) {
    const int32_t *p = values + offsets[s];
    const int32_t n = static_cast<int32_t>(offsets[s + 1] - offsets[s]);
    stack.clear();
    for (int32_t j = 0; j < n; ++j) {
      stack.push_back({j, p[j], p[j]});
      for (bool reduced = true; reduced;) {
        reduced = false;
        int32_t low = stack.back().low, high = stack.back().high;
        for (size_t k = stack.size() - 1; k-- > 0;) {
          low = std::min(low, stack[k].low);
          high = std::max(high, stack[k].high);
          if (high - low == j - stack[k].begin) {
            stack[k] = {stack[k].begin, low, high};
            stack.resize(k + 1);
            if (nodes < room) {
              spans[2 * nodes] = stack[k].begin;
              spans[2 * nodes + 1] = j + 1;
            }
            ++nodes;
            reduced = true;
            break;
          }
        }
      }
    }
  }
  return nodes;
}
