#include "decode/best_orders.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/rectangles.h"
#include "decode/narrow_spans.h"

namespace wordorder::decode {

namespace {

// Losses are integers in this unit, so that sums are exact and equal losses compare equal in whatever order they were
// added.
constexpr double unit = 1 << 30;

struct Way {  // a way to build a span: its cost, its inverted pairs, the split, the types and ranks of the parts
  int64_t cost, inverted;
  int32_t split, left_type, left_rank, right_rank;
  // At equal cost, prefer fewer inverted pairs; the other fields make the order total.
  bool before(const Way &other) const {
    return std::tie(cost, inverted, split, left_type, left_rank, right_rank) <
           std::tie(other.cost, other.inverted, other.split, other.left_type, other.left_rank, other.right_rank);
  }
  bool operator<(const Way &other) const { return other.before(*this); }  // the cheapest is at the top of a heap
};

// Dynamic programming over spans with <1,2> (type 0) or <2,1> (type 1) at the top. The right part never has the type of
// its parent, so every order is built in exactly one way.
class OrderSearch {
 public:
  OrderSearch(const std::vector<double> &inverted, int32_t n, int32_t k, int32_t widest)
      : inverted_(inverted), n_(n), k_(k), spans_(n, widest), sums_(n) {
    sums_.set([&](int64_t a, int64_t b) { return std::llround(inverted[a * n + b] * unit); });
    ways_.resize(spans_.size() * 2);
    for (int32_t d = 2; d <= n; ++d) {
      for (int32_t i = 0; i < spans_.count(d); ++i) {
        for (int32_t type = 0; type < spans_.ops(i, i + d); ++type) fill(i, i + d, type);
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
      RankedOrder ranked{0, {}};
      emit(0, n_, type, static_cast<int32_t>(next[type]), ranked.order);
      ranked.loss = loss_of(ranked.order);
      ++next[type];
      out.push_back(std::move(ranked));
    }
    return out;
  }

 private:
  static bool dearer(const Way &first, const Way &second) {
    return std::tie(first.cost, first.inverted) > std::tie(second.cost, second.inverted);
  }
  std::vector<Way> &list(int32_t i, int32_t j, int32_t type) {
    return ways_[spans_.at(i, j) * 2 + type];
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
  // Entry `rank` of the list of a part, or null past its end.
  const Way *part(int32_t i, int32_t j, int32_t type, int32_t rank) {
    static const Way word{0, 0, 0, 0, 0, 0};
    if (j - i == 1) return rank == 0 && type == 0 ? &word : nullptr;
    const std::vector<Way> &ways = list(i, j, type);
    return rank < static_cast<int32_t>(ways.size()) ? &ways[rank] : nullptr;
  }
  const Way *right_part(int32_t k, int32_t j, int32_t type, int32_t rank) {
    return part(k, j, j - k == 1 ? 0 : 1 - type, rank);
  }

  void fill(int32_t i, int32_t j, int32_t type) {
    std::vector<Way> heap;
    Way least{std::numeric_limits<int64_t>::max(), 0, 0, 0, 0, 0};
    const auto joined = [&](int32_t k, int64_t loss, int32_t left_type, int32_t left_rank, int32_t right_rank,
                            Way &way) {
      const Way *left = part(i, k, left_type, left_rank), *right = right_part(k, j, type, right_rank);
      if (!left || !right) return false;
      const int64_t pairs = static_cast<int64_t>(k - i) * (j - k);
      const int64_t cost = type ? pairs * static_cast<int64_t>(unit) - loss : loss;
      way = {left->cost + right->cost + cost,
             left->inverted + right->inverted + (type ? pairs : 0),
             k,
             left_type,
             left_rank,
             right_rank};
      return true;
    };
    Way way;
    for (int32_t k = spans_.first_cut(i, j); k < j; ++k) {
      const int64_t loss = sums_(i, k, j);
      for (int32_t left = 0; left < 2; ++left) {
        if (!joined(k, loss, left, 0, 0, way)) continue;
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
      const int64_t loss = sums_(i, top.split, j);
      const auto push = [&](int32_t left_rank, int32_t right_rank) {
        if (!joined(top.split, loss, top.left_type, left_rank, right_rank, way)) return;
        heap.push_back(way);
        std::push_heap(heap.begin(), heap.end());
      };
      // Reach each pair of ranks once: along the left list, and from its start along the right list.
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
  NarrowSpans spans_;
  base::RectangleSums<int64_t> sums_;
  std::vector<std::vector<Way>> ways_;
};

}  // namespace

std::vector<RankedOrder> best_orders(const std::vector<double> &inverted, int32_t n, int32_t k, int32_t widest) {
  if (n < 2) {
    RankedOrder only{0, {}};
    if (n) only.order.push_back(0);
    return {only};
  }
  return OrderSearch(inverted, n, k, widest).best();
}

void improve(const std::vector<double> &inverted, int32_t n, RankedOrder &ranked) {
  if (n < 3) return;
  // The gain of exchanging the words at places p < q, summed over rectangles of places.
  const auto wrong = [&](int32_t a, int32_t b) {  // the loss of a before b
    return a < b ? inverted[a * n + b] : 1 - inverted[b * n + a];
  };
  base::RectangleSums<double> gains(n);
  for (int round = 0; round < n; ++round) {
    const int32_t *const order = ranked.order.data();
    gains.set_by_neighbours(
        [&](int64_t p, int64_t q) { return p < q ? wrong(order[p], order[q]) - wrong(order[q], order[p]) : 0; });
    double most = 1e-9;
    int32_t s = 0, t = 0, u = 0;
    for (int32_t from = 0; from < n; ++from) {
      for (int32_t cut = from + 1; cut < n; ++cut) {
        const double *low = gains.row(from), *high = gains.row(cut);
        for (int32_t to = cut + 1; to <= n; ++to) {
          const double gain = high[to] - low[to] - high[cut] + low[cut];
          if (gain > most) most = gain, s = from, t = cut, u = to;
        }
      }
    }
    if (!u) return;
    std::rotate(ranked.order.begin() + s, ranked.order.begin() + t, ranked.order.begin() + u);
    ranked.loss -= most;
  }
}

std::vector<RankedOrder> ranked_orders(const std::vector<double> &inverted, int32_t n, int32_t k, bool moves,
                                       int32_t widest) {
  std::vector<RankedOrder> orders = best_orders(inverted, n, k, widest);
  if (!moves) return orders;
  RankedOrder better = orders[0];
  improve(inverted, n, better);
  if (better.order != orders[0].order) {
    const auto same = [&](const RankedOrder &other) { return other.order == better.order; };
    orders.erase(std::remove_if(orders.begin(), orders.end(), same), orders.end());
    orders.insert(orders.begin(), std::move(better));
    if (orders.size() > static_cast<size_t>(k)) orders.pop_back();
  }
  return orders;
}

}  // namespace wordorder::decode
