#include "order/intervals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace wordorder::order {
namespace {

constexpr int kPeek = 2;        // elements of a stack that are examined together
constexpr int32_t kShort = 64;  // up to this length, values are bytes and all starts are processed in parallel

// Every start i keeps the least and the greatest value of i .. j in one byte each. All starts process p[j] in parallel,
// 16 per register. i .. j is an interval if greatest - least == j - i. Starts beyond j have no values yet (255 and 0).
#if defined(__SSE2__)

// Processes up to 16 positions, with kBlocks registers for the starts up to them.
template <int kBlocks>
void advance(const int32_t *p, int32_t j, int32_t stop, __m128i *low_in, __m128i *high_in, int32_t *leftmost) {
  __m128i low[kBlocks], high[kBlocks], index[kBlocks];
  index[0] = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (int b = 0; b < kBlocks; ++b) {
    low[b] = low_in[b];
    high[b] = high_in[b];
    if (b > 0) index[b] = _mm_add_epi8(index[b - 1], _mm_set1_epi8(16));
  }
  for (; j < stop; ++j) {
    const __m128i value = _mm_set1_epi8(static_cast<char>(p[j])), here = _mm_set1_epi8(static_cast<char>(j));
    uint64_t hits = 0;
    for (int b = 0; b < kBlocks; ++b) {
      __m128i up = value, down = value;
      if (b == kBlocks - 1) {  // only the last register has starts beyond j
        const __m128i begun = _mm_cmpeq_epi8(_mm_min_epu8(index[b], here), index[b]);
        up = _mm_and_si128(value, begun);
        down = _mm_or_si128(value, _mm_xor_si128(begun, _mm_set1_epi8(-1)));
      }
      low[b] = _mm_min_epu8(low[b], down);
      high[b] = _mm_max_epu8(high[b], up);
      const __m128i reach = _mm_add_epi8(_mm_sub_epi8(high[b], low[b]), index[b]);
      hits |= static_cast<uint64_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(reach, here))) << (16 * b);
    }
    leftmost[j] = __builtin_ctzll(hits);
  }
  for (int b = 0; b < kBlocks; ++b) {
    low_in[b] = low[b];
    high_in[b] = high[b];
  }
}

void first_hits(const int32_t *p, int32_t n, int32_t *leftmost) {
  __m128i low[kShort / 16], high[kShort / 16];
  for (int b = 0; b < kShort / 16; ++b) {
    low[b] = _mm_set1_epi8(-1);
    high[b] = _mm_setzero_si128();
  }
  advance<1>(p, 0, std::min(n, 16), low, high, leftmost);
  if (n > 16) advance<2>(p, 16, std::min(n, 32), low, high, leftmost);
  if (n > 32) advance<3>(p, 32, std::min(n, 48), low, high, leftmost);
  if (n > 48) advance<4>(p, 48, n, low, high, leftmost);
}
#else
void first_hits(const int32_t *p, int32_t n, int32_t *leftmost) {
  uint8_t low[kShort], high[kShort];
  for (int32_t j = 0; j < n; ++j) {
    const uint8_t v = static_cast<uint8_t>(p[j]);
    low[j] = high[j] = v;
    int32_t first = j;
    for (int32_t i = j - 1; i >= 0; --i) {
      low[i] = std::min(low[i], v);
      high[i] = std::max(high[i], v);
      if (high[i] - low[i] == j - i) first = i;
    }
    leftmost[j] = first;
  }
}
#endif

// A guard answers one question of the pass from left to right (`before`): is there an interval that ends at j and
// starts before `begin`, the start of the last block so far? Once there is none, `moved` is called: the block that ends
// at j finally starts at `begin`. If a guard is `lost`, the pass stops.

struct ShortGuard {
  const int32_t *leftmost;

  template <class Item>
  bool before(int32_t j, int32_t begin, const Item &, const Item &, const Item *) {
    return leftmost[j] < begin;
  }
  void moved(int32_t, int32_t) {}
  bool lost() const { return false; }
};

// Looks down the stack until some run of blocks is an interval. This classical parser is quadratic if blocks do not
// join, but the fastest if they do, as in most sentences. It is lost once it has examined more than eight blocks per
// word, so it never takes more than linear time.
struct ScanGuard {
  int64_t patience = 64;

  template <class Item>
  bool before(int32_t j, int32_t begin, const Item &now, const Item &last, const Item *top) {
    int32_t low = std::min(now.low, last.low), high = std::max(now.high, last.high);
    begin -= last.high - last.low + 1;
    while (begin >= 0 && high - low != j - begin) {
      --top;
      begin -= top->high - top->low + 1;
      low = std::min(low, top->low);
      high = std::max(high, top->high);
      --patience;
    }
    return begin >= 0;
  }
  void moved(int32_t, int32_t) { patience += 8; }
  bool lost() const { return patience < 0; }
};

// Bergeron, Chauve, de Montgolfier and Raffinot (2008), section 3: i .. j is an interval if and only if j <= reach[i]
// and i >= back[j]. Here reach[i] is the last position up to which all values from i on are in the range `after` of i,
// and back[j] is its mirror image. The ranges i .. reach[i] are nested or disjoint, so those that contain j form a
// stack. Starts inside a finished block need not be kept: an interval that starts there and ends later overlaps the
// block, so their union is an interval that starts with the block.
struct LinearGuard {
  const int32_t *reach, *back;
  int32_t *open;  // starts i with reach[i] >= j, rising
  int32_t top = -1;

  template <class Item>
  bool before(int32_t j, int32_t begin, const Item &, const Item &, const Item *) {
    while (top >= 0 && (open[top] >= begin || reach[open[top]] < j)) --top;
    return top >= 0 && open[top] >= back[j];
  }
  void moved(int32_t j, int32_t begin) {
    if (reach[begin] > j) open[++top] = begin;
  }
  bool lost() const { return false; }
};

}  // namespace

void TreeBuilder::reserve(int32_t n) {
  if (where_.size() >= static_cast<size_t>(n)) return;
  const size_t room = std::max<size_t>(n, kShort);
  for (auto *array : {&where_, &reach_, &back_, &open_}) array->resize(room);
  for (auto *array : {&after_, &before_, &rising_, &falling_}) array->resize(room + kPeek);
  stack_.resize(room);
  slots_.resize(room);
  live_.resize(room);
}

// Finds the nearest smaller and the nearest greater elements of the inverse permutation with two stacks.
void TreeBuilder::ranges(const int32_t *p, int32_t n) {
  int32_t *const where = where_.data();
  for (int32_t i = 0; i < n; ++i) where[p[i]] = i;

  // The number of elements that a value pops is unpredictable, and a mispredicted branch costs more than the rest of
  // the step. So kPeek elements at a time are examined without a branch, and the ranges of all of them are set to end
  // below v; those that stay are overwritten later.
  const auto pop = [](Range *top, Range *range, int32_t v, auto popped) {
    range[(top--)->from].to = v - 1;  // the last value, which is always popped
    std::ptrdiff_t count;
    do {
      count = 0;
      for (int k = 0; k < kPeek; ++k) {
        const int32_t at = top[-k].from;
        range[at].to = v - 1;
        count += popped(at);
      }
      top -= count;
    } while (count == kPeek);
    return top;
  };
  Range *const after = after_.data() + 1, *const before = before_.data();      // with room for -1 and n
  Range *rising = rising_.data() + kPeek, *falling = falling_.data() + kPeek;  // the tops
  std::fill(rising_.data(), rising, Range{-1, -1});  // sentinels, as many as are examined together
  std::fill(falling_.data(), falling, Range{n, -1});
  int32_t last = where[0];
  after[last].from = before[last].from = 0;
  *rising = *falling = {last, 0};
  for (int32_t v = 1; v < n; ++v) {
    const int32_t i = where[v];
    if (last > i) {
      rising = pop(rising, after, v, [i](int32_t at) { return at > i; });
    } else {
      falling = pop(falling, before, v, [i](int32_t at) { return at < i; });
    }
    after[i].from = rising->to + 1;
    before[i].from = falling->to + 1;
    *++rising = *++falling = {i, v};
    last = i;
  }
  for (; rising->to >= 0; --rising) after[rising->from].to = n - 1;
  for (; falling->to >= 0; --falling) before[falling->from].to = n - 1;

  // If the next position is in range, so is everything that it reaches. The first position reaches every other one and
  // is set directly: in a permutation with few intervals it would visit them one by one, each load waiting for the
  // last.
  int32_t *const reach = reach_.data(), *const back = back_.data();
  reach[0] = n - 1;
  for (int32_t i = n - 1; i > 0; --i) {
    const Range values = after[i];
    int32_t far = i;
    while (far + 1 < n && values.holds(p[far + 1])) far = reach[far + 1];
    reach[i] = far;
  }
  back[n - 1] = 0;
  for (int32_t j = 0; j < n - 1; ++j) {
    const Range values = before[j];
    int32_t near = j;
    while (near > 0 && values.holds(p[near - 1])) near = back[near - 1];
    back[j] = near;
  }
}

// One pass from left to right over a stack of finished blocks. A new word is joined with the block before it as long as
// there is an interval to close: it extends a chain, starts one, or closes a prime node if only a longer run of blocks
// is an interval. Each join writes a new slot, so slots are in the order of (end, size), which is postorder. Extending
// a chain leaves a dead slot behind, unless it is extended by a single word: then its slot is the latest and is reused.
// `live` is stored separately, because reading back a whole node just after writing a part of it would stall. The last
// block is kept in registers instead of the stack, so that a chain grows without waiting for memory.
template <class Guard>
bool TreeBuilder::assemble(const int32_t *p, int32_t n, Guard guard, std::vector<Node> &out) {
  Item *top = stack_.data();  // one past the last block but one
  Node *const slots = slots_.data();
  uint8_t *const live = live_.data();
  int32_t used = 0;
  Item last{};  // goes to the bottom of the stack, which no interval reaches
  for (int32_t j = 0; j < n; ++j) {
    Item now{p[j], p[j], -1, prime, 1};
    int32_t begin = j;
    while (guard.before(j, begin, now, last, top)) {
      begin -= last.high - last.low + 1;
      int32_t low = std::min(now.low, last.low), high = std::max(now.high, last.high);
      int32_t arity = 2;
      NodeKind kind = prime;
      if (high - low == j - begin) {
        kind = last.low == low ? monotone : inverted;
        if (last.kind == kind) {
          arity = last.arity + 1;
          live[last.slot] = 0;
          used -= now.slot < 0;
        }
      } else {
        do {
          last = *--top;
          begin -= last.high - last.low + 1;
          low = std::min(low, last.low);
          high = std::max(high, last.high);
          ++arity;
        } while (high - low != j - begin);
      }
      now = Item{low, high, used, kind, arity};
      live[used] = 1;
      slots[used++] = Node{begin, j + 1, arity, kind};
      last = *--top;
    }
    *top++ = last;
    last = now;
    guard.moved(j, begin);
    if (guard.lost()) return false;
  }
  Node *end = slots;
  for (int32_t k = 0; k < used; ++k) {
    *end = slots[k];
    end += live[k];
  }
  out.insert(out.end(), slots, end);
  return true;
}

void TreeBuilder::build(const int32_t *p, int32_t n, std::vector<Node> &out) {
  reserve(n);
  if (n > kShort) {
    if (!assemble(p, n, ScanGuard{}, out)) build_linear(p, n, out);
    return;
  }
  int32_t leftmost[kShort];
  first_hits(p, n, leftmost);
  assemble(p, n, ShortGuard{leftmost}, out);
}

void TreeBuilder::build_linear(const int32_t *p, int32_t n, std::vector<Node> &out) {
  if (n == 0) return;
  reserve(n);
  ranges(p, n);
  assemble(p, n, LinearGuard{reach_.data(), back_.data(), open_.data()}, out);
}

TreeSummary summarise(const Node *first, const Node *last) {
  TreeSummary sum;
  for (const Node *node = first; node != last; ++node) {
    if (node->kind == prime) {
      sum.nodes += 1;
      sum.primes += 1;
      sum.prime_words += node->arity;
      sum.longest = std::max<int64_t>(sum.longest, node->arity);
    } else {
      sum.nodes += node->arity - 1;
      sum.longest = std::max<int64_t>(sum.longest, 2);
    }
  }
  return sum;
}

double count_share(const Node *first, const Node *last, int32_t n) {
  constexpr double kExact = 9007199254740992.0;  // 2^53; Catalan(30) is the last one below it
  const auto catalan = [](int32_t m) -> double {
    if (m > 30) return kExact;
    uint64_t value = 1;
    for (int32_t k = 1; k <= m; ++k) value = value * 2 * (2 * k - 1) / (k + 1);
    return static_cast<double>(value);
  };
  // Catalan(m - 1) / 4^(m - 1) decreases slowly, like m^-1.5, so it stays in range.
  const auto scaled = [](int32_t m) {
    double value = 1.0;
    for (int32_t k = 2; k <= m; ++k) value *= (2.0 * k - 3.0) / (2.0 * k);
    return value;
  };
  double count = 1.0;
  for (const Node *node = first; node != last && count < kExact; ++node) {
    if (node->kind != prime) count *= catalan(node->arity - 1);
  }
  const double total = catalan(n - 1);
  if (total < kExact) return (count - 1.0) / (total - 1.0);
  if (count < kExact) return std::ldexp((count - 1.0) / scaled(n), -2 * (n - 1));
  if (first->arity == n) return 1.0;  // one chain of all words
  double share = 1.0 / scaled(n);
  int32_t power = n - 1;
  for (const Node *node = first; node != last; ++node) {
    if (node->kind == prime) continue;
    share *= scaled(node->arity);
    power -= node->arity - 1;
  }
  return std::ldexp(share, -2 * power);
}

}  // namespace wordorder::order
