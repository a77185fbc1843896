#include "decode/best_orders.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/dispatch.h"
#include "base/lanes.h"

namespace wordorder::decode {

using namespace base;

namespace {

// For each pair of boundaries u <= v of an operator, how its posterior at them enters the difference array
// of inversions, by lane. Children p < q that change sides fill a rectangle with four corners.
std::vector<float> corner_weights(const grammar::ChartRules &r, const grammar::ChartRules::Group &group) {
  const int32_t bounds = group.arity + 1;
  std::vector<float> weight(static_cast<size_t>(bounds) * bounds * group.width, 0);
  for (const grammar::ChartRules::Member &member : group.members) {
    const grammar::Operator &op = r.grammar().operators[member.op];
    const auto add = [&](int32_t u, int32_t v, float by) {
      float *to = &weight[(static_cast<size_t>(u) * bounds + v) * group.width + member.first_lane];
      for (int32_t a = 0; a < op.states; ++a) to[a] += by;
    };
    for (int32_t p = 0; p < op.arity; ++p) {
      for (int32_t q = p + 1; q < op.arity; ++q) {
        if (op.places[p] < op.places[q]) continue;
        add(p, q, 1);
        add(p + 1, q, -1);
        add(p, q + 1, -1);
        add(p + 1, q + 1, 1);
      }
    }
  }
  return weight;
}

WO_INLINE float weighted(const float *weight, const float *a, const float *b, int32_t width) {
  float sum = 0;
  for (int32_t i = 0; i < width; ++i) sum += weight[i] * a[i] * b[i];
  return sum;
}

// Sums over one boundary: out(x, y) = sum over z of one(z) * other(z) * factor(z).
template <class One, class Other, class Factor>
WO_INLINE void sum_over(int32_t from, int32_t to, int32_t width, One one, Other other, Factor factor, float *out) {
  std::fill_n(out, width, 0.0f);
  for (int32_t z = from; z < to; ++z) {
    const float f = factor(z);
    const float *a = one(z), *b = other(z);
    for (int32_t i = 0; i < width; i += lane_count) {
      const Lanes scale = {f, f, f, f, f, f, f, f};
      *reinterpret_cast<Lanes *>(out + i) +=
          *reinterpret_cast<const Lanes *>(a + i) * *reinterpret_cast<const Lanes *>(b + i) * scale;
    }
  }
}

// Pairs of boundaries that are neither neighbours nor the first and another: the chain of an operator of
// arity four or five between them (`within`) and around them (`around`).
WO_CLONES void inner_corners(grammar::Chart &c, const grammar::ChartRules::Group &group, const std::vector<float> &weight, double *diff) {
  const int32_t n = c.n, w = group.width, r = group.arity, bounds = r + 1, pack = group.pack;
  const size_t square = static_cast<size_t>(n + 1) * (n + 1) * w;
  const auto cell = [&](int32_t x, int32_t y) { return (static_cast<size_t>(x) * (n + 1) + y) * w; };
  std::vector<std::vector<float>> within(bounds * bounds), around(bounds * bounds);
  const auto slot = [&](int32_t child, int32_t x, int32_t y) -> const float * {  // child from 1
    return child == 1 ? c.left(x, y) + pack : c.right(x, y) + pack + (child - 2) * w;
  };
  for (int32_t u = 1; u <= r - 2; ++u) {
    for (int32_t v = u + 2; v <= r; ++v) {
      std::vector<float> &to = within[u * bounds + v];
      to.assign(square, 0);
      const std::vector<float> &shorter = within[u * bounds + v - 1];
      for (int32_t x = 0; x < n; ++x) {
        for (int32_t y = x + v - u; y <= n; ++y) {
          const float *factors = c.factors(x, y) - x - 1;
          sum_over(
              x + 1, y, w,
              [&](int32_t z) { return v == u + 2 ? slot(u + 1, x, z) : &shorter[cell(x, z)]; },
              [&](int32_t z) { return slot(v, z, y); }, [&](int32_t z) { return factors[z]; }, &to[cell(x, y)]);
        }
      }
    }
  }
  for (int32_t u = 1; u <= r - 2; ++u) {
    for (int32_t v = u + 2; v <= r; ++v) {
      std::vector<float> &to = around[u * bounds + v];
      to.assign(square, 0);
      const std::vector<float> &wider = around[(u - 1) * bounds + v];
      const float *by = &weight[(static_cast<size_t>(u) * bounds + v) * w];
      const std::vector<float> &inner = within[u * bounds + v];
      for (int32_t x = u; x < n; ++x) {
        for (int32_t y = x + v - u; y <= n; ++y) {
          sum_over(
              0, x, w,
              [&](int32_t z) -> const float * {
                if (u > 1) return &wider[cell(z, y)];
                return v == r ? c.out_states(z, y) + group.state : c.out_left(z, y) + pack + (v - 1) * w;
              },
              [&](int32_t z) { return slot(u, z, x); }, [&](int32_t z) { return c.factors(z, y)[x - z - 1]; }, &to[cell(x, y)]);
          diff[x * (n + 1) + y] += weighted(by, &to[cell(x, y)], &inner[cell(x, y)], w);
        }
      }
    }
  }
}

WO_CLONES void group_corners(grammar::Chart &c, const grammar::ChartRules::Group &group, double *diff) {
  const int32_t n = c.n, w = group.width, r = group.arity, bounds = r + 1, pack = group.pack;
  const std::vector<float> weight = corner_weights(c.r, group);
  const std::vector<float> ones(w, 1.0f);
  const auto at = [&](int32_t u, int32_t v) { return &weight[(static_cast<size_t>(u) * bounds + v) * w]; };
  double uses = 0;
  for (int32_t x = 0; x < n; ++x) {
    for (int32_t y = x + 1; y <= n; ++y) {
      double sum = 0;
      const float *left = c.left(x, y) + pack, *right = c.right(x, y) + pack;
      const float *out_left = c.out_left(x, y) + pack, *out_right = c.out_right(x, y) + pack;
      for (int32_t v = 1; v < r; ++v) {
        const int32_t lanes = (v - 1) * w;
        sum += weighted(at(0, v), left + lanes, out_left + lanes, w);
        sum += weighted(at(v, v + 1), right + lanes, out_right + lanes, w);
        diff[y * (n + 1) + y] += weighted(at(v, v), left + lanes, out_left + lanes, w);
      }
      if (y - x >= r) {
        const float *states = c.states(x, y) + group.state, *out = c.out_states(x, y) + group.state;
        sum += weighted(at(0, r), states, out, w);
        uses += weighted(ones.data(), states, out, w);
      }
      diff[x * (n + 1) + y] += sum;
    }
  }
  if (r > 2 && uses > negligible) inner_corners(c, group, weight, diff);
}

}  // namespace

std::vector<double> summed_corners(std::vector<double> &diff, int32_t n) {
  std::vector<double> out(static_cast<size_t>(n) * n, 0);
  for (int32_t x = 0; x < n; ++x) {
    double along = 0;
    for (int32_t y = 0; y < n; ++y) {
      along += diff[x * (n + 1) + y];
      // Two-dimensional sum: this row's running sum on top of what the rows above gave.
      diff[x * (n + 1) + y] = along + (x ? diff[(x - 1) * (n + 1) + y] : 0);
      if (x < y) out[x * n + y] = std::min(1.0, std::max(0.0, diff[x * (n + 1) + y]));
    }
  }
  return out;
}

std::vector<double> inversions(grammar::Chart &c) {
  const FlushSmall flush;
  const int32_t n = c.n;
  std::vector<double> diff(static_cast<size_t>(n + 1) * (n + 1), 0);
  if (n < 2 || !(c.z > 0)) return std::vector<double>(static_cast<size_t>(n) * n, 0);
  for (const grammar::ChartRules::Group &group : c.r.groups) group_corners(c, group, diff.data());
  return summed_corners(diff, n);
}

namespace {

// Losses in fixed point, so that sums are exact and equal ones are found equal however they were added up.
constexpr double fixed_point = 1 << 30;

struct Way {  // a way to build a span: cost, pairs turned round, split point, the parts' types and ranks
  int64_t cost, turned;
  int32_t split, left_type, left_rank, right_rank;
  // Of two ways of the same cost the one that leaves more words in place; the rest makes the order total.
  bool before(const Way &other) const {
    return std::tie(cost, turned, split, left_type, left_rank, right_rank) <
           std::tie(other.cost, other.turned, other.split, other.left_type, other.left_rank, other.right_rank);
  }
  bool operator<(const Way &other) const { return other.before(*this); }  // the least on top of a heap
};

// Spans with <1,2> (type 0) or <2,1> (type 1) on top. The right part never has its parent's type, so that
// every order is built in one way only.
class Orders {
 public:
  Orders(const std::vector<double> &inverted, int32_t n, int32_t k) : inverted_(inverted), n_(n), k_(k) {
    sums_.assign(static_cast<size_t>(n + 1) * (n + 1), 0);
    for (int32_t a = 0; a < n; ++a) {
      for (int32_t b = 0; b < n; ++b) {
        sums_[(a + 1) * (n + 1) + b + 1] = std::llround(inverted[a * n + b] * fixed_point) +
                                           sums_[a * (n + 1) + b + 1] + sums_[(a + 1) * (n + 1) + b] -
                                           sums_[a * (n + 1) + b];
      }
    }
    ways_.resize(static_cast<size_t>(n + 1) * (n + 1) * 2);
    for (int32_t d = 2; d <= n; ++d) {
      for (int32_t i = 0; i + d <= n; ++i) {
        fill(i, i + d, 0);
        fill(i, i + d, 1);
      }
    }
  }

  std::vector<RankedOrder> best() {
    std::vector<RankedOrder> out;
    size_t next[2] = {0, 0};
    while (out.size() < static_cast<size_t>(k_)) {
      const std::vector<Way> &straight = list(0, n_, 0), &inverse = list(0, n_, 1);
      const bool more[2] = {next[0] < straight.size(), next[1] < inverse.size()};
      if (!more[0] && !more[1]) break;
      const int32_t type = more[0] && (!more[1] || !dearer(straight[next[0]], inverse[next[1]])) ? 0 : 1;
      RankedOrder found{0, {}};
      emit(0, n_, type, static_cast<int32_t>(next[type]), found.order);
      found.loss = loss_of(found.order);
      ++next[type];
      out.push_back(std::move(found));
    }
    return out;
  }

 private:
  static bool dearer(const Way &one, const Way &other) {
    return std::tie(one.cost, one.turned) > std::tie(other.cost, other.turned);
  }
  std::vector<Way> &list(int32_t i, int32_t j, int32_t type) {
    return ways_[(static_cast<size_t>(i) * (n_ + 1) + j) * 2 + type];
  }
  int64_t rectangle(int32_t i, int32_t k, int32_t j) const {
    const auto at = [&](int32_t a, int32_t b) { return sums_[a * (n_ + 1) + b]; };
    return at(k, j) - at(i, j) - at(k, k) + at(i, k);
  }
  double loss_of(const std::vector<int32_t> &order) const {
    double sum = 0;
    for (size_t p = 0; p < order.size(); ++p) {
      for (size_t q = p + 1; q < order.size(); ++q) {
        const int32_t a = order[p], b = order[q];
        sum += a < b ? inverted_[a * n_ + b] : 1 - inverted_[b * n_ + a];
      }
    }
    return sum;
  }
  // Entry `rank` of a part's list; null past its end.
  const Way *part(int32_t i, int32_t j, int32_t type, int32_t rank) {
    static const Way word{0, 0, 0, 0, 0, 0};
    if (j - i == 1) return rank == 0 && type == 0 ? &word : nullptr;
    const std::vector<Way> &found = list(i, j, type);
    return rank < static_cast<int32_t>(found.size()) ? &found[rank] : nullptr;
  }
  const Way *right_part(int32_t k, int32_t j, int32_t type, int32_t rank) {
    return part(k, j, j - k == 1 ? 0 : 1 - type, rank);
  }

  void fill(int32_t i, int32_t j, int32_t type) {
    std::vector<Way> heap;
    Way least{std::numeric_limits<int64_t>::max(), 0, 0, 0, 0, 0};
    const auto joined = [&](int32_t k, int32_t left_type, int32_t left_rank, int32_t right_rank, Way &way) {
      const Way *left = part(i, k, left_type, left_rank), *right = right_part(k, j, type, right_rank);
      if (!left || !right) return false;
      const int64_t pairs = static_cast<int64_t>(k - i) * (j - k), turned = rectangle(i, k, j);
      const int64_t cost = type ? pairs * static_cast<int64_t>(fixed_point) - turned : turned;
      way = {left->cost + right->cost + cost, left->turned + right->turned + (type ? pairs : 0), k, left_type,
             left_rank, right_rank};
      return true;
    };
    Way way;
    for (int32_t k = i + 1; k < j; ++k) {
      for (int32_t left = 0; left < 2; ++left) {
        if (!joined(k, left, 0, 0, way)) continue;
        if (k_ == 1) {
          if (way.before(least)) least = way;
        } else {
          heap.push_back(way);
        }
      }
    }
    std::vector<Way> &out = list(i, j, type);
    if (k_ == 1) {
      if (least.split) out.push_back(least);
      return;
    }
    std::make_heap(heap.begin(), heap.end());
    while (!heap.empty() && out.size() < static_cast<size_t>(k_)) {
      std::pop_heap(heap.begin(), heap.end());
      const Way top = heap.back();
      heap.pop_back();
      out.push_back(top);
      const auto push = [&](int32_t left_rank, int32_t right_rank) {
        if (!joined(top.split, top.left_type, left_rank, right_rank, way)) return;
        heap.push_back(way);
        std::push_heap(heap.begin(), heap.end());
      };
      // Each pair of ranks is reached once: along the left list, and from its start along the right one.
      push(top.left_rank + 1, top.right_rank);
      if (top.left_rank == 0) push(0, top.right_rank + 1);
    }
  }

  void emit(int32_t i, int32_t j, int32_t type, int32_t rank, std::vector<int32_t> &out) {
    if (j - i == 1) {
      out.push_back(i);
      return;
    }
    const Way way = list(i, j, type)[rank];
    const int32_t right_type = j - way.split == 1 ? 0 : 1 - type;
    if (type) emit(way.split, j, right_type, way.right_rank, out);
    emit(i, way.split, way.left_type, way.left_rank, out);
    if (!type) emit(way.split, j, right_type, way.right_rank, out);
  }

  const std::vector<double> &inverted_;
  int32_t n_, k_;
  std::vector<int64_t> sums_;
  std::vector<std::vector<Way>> ways_;
};

}  // namespace

std::vector<RankedOrder> best_orders(const std::vector<double> &inverted, int32_t n, int32_t k) {
  if (n < 2) {
    RankedOrder only{0, {}};
    if (n) only.order.push_back(0);
    return {only};
  }
  return Orders(inverted, n, k).best();
}

void improve(const std::vector<double> &inverted, int32_t n, RankedOrder &found) {
  if (n < 3) return;
  // gain(p, q): what is won if the words at places p < q change sides; summed over rectangles of places.
  const auto wrong = [&](int32_t a, int32_t b) {  // the loss of a before b
    return a < b ? inverted[a * n + b] : 1 - inverted[b * n + a];
  };
  std::vector<double> sums(static_cast<size_t>(n + 1) * (n + 1), 0);
  for (int round = 0; round < n; ++round) {
    for (int32_t p = 0; p < n; ++p) {
      for (int32_t q = 0; q < n; ++q) {
        const int32_t a = found.order[p], b = found.order[q];
        const double gain = p < q ? wrong(a, b) - wrong(b, a) : 0;
        sums[(p + 1) * (n + 1) + q + 1] =
            gain + sums[p * (n + 1) + q + 1] + sums[(p + 1) * (n + 1) + q] - sums[p * (n + 1) + q];
      }
    }
    double most = 1e-9;
    int32_t s = 0, t = 0, u = 0;
    for (int32_t from = 0; from < n; ++from) {
      for (int32_t cut = from + 1; cut < n; ++cut) {
        const double *low = &sums[from * (n + 1)], *high = &sums[cut * (n + 1)];
        for (int32_t to = cut + 1; to <= n; ++to) {
          const double gain = high[to] - low[to] - high[cut] + low[cut];
          if (gain > most) most = gain, s = from, t = cut, u = to;
        }
      }
    }
    if (!u) return;
    std::rotate(found.order.begin() + s, found.order.begin() + t, found.order.begin() + u);
    found.loss -= most;
  }
}

std::vector<RankedOrder> ranked_orders(const std::vector<double> &inverted, int32_t n, int32_t k, bool moves) {
  std::vector<RankedOrder> orders = best_orders(inverted, n, k);
  if (!moves) return orders;
  RankedOrder better = orders[0];
  improve(inverted, n, better);
  if (better.order != orders[0].order) {
    const auto same = [&](const RankedOrder &one) { return one.order == better.order; };
    orders.erase(std::remove_if(orders.begin(), orders.end(), same), orders.end());
    orders.insert(orders.begin(), std::move(better));
    if (orders.size() > static_cast<size_t>(k)) orders.pop_back();
  }
  return orders;
}

}  // namespace wordorder::decode
