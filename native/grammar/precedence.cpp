#include "grammar/precedence.h"

#include "base/dispatch.h"
#include "base/lanes.h"
#include "order/precedence.h"

namespace wordorder::grammar {

using namespace base;

namespace {

// Operator groups with fewer expected uses than this are left out.
constexpr double negligible = 1e-7;

// For each pair of boundaries u <= v of an operator, the weight with which its posterior enters the cell of these
// boundaries, by lane. Children p < q that the operator inverts fill a rectangle, which has four corners.
std::vector<float> corner_weights(const ChartRules &r, const ChartRules::Group &group) {
  const int32_t bounds = group.arity + 1;
  std::vector<float> weight(static_cast<size_t>(bounds) * bounds * group.width, 0);
  for (const ChartRules::Member &member : group.members) {
    const Operator &op = r.grammar().operators[member.op];
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

// Sums over one boundary z: out = sum of first(z) * second(z) * factor(z).
template <class First, class Second, class Factor>
WO_INLINE void sum_over(int32_t from, int32_t to, int32_t width, First first, Second second, Factor factor,
                        float *out) {
  std::fill_n(out, width, 0.0f);
  for (int32_t z = from; z < to; ++z) {
    const float f = factor(z);
    const float *a = first(z), *b = second(z);
    for (int32_t i = 0; i < width; i += lane_count) {
      const Lanes scale = {f, f, f, f, f, f, f, f};
      *reinterpret_cast<Lanes *>(out + i) +=
          *reinterpret_cast<const Lanes *>(a + i) * *reinterpret_cast<const Lanes *>(b + i) * scale;
    }
  }
}

// Handles pairs of inner boundaries that are not neighbours: the product of an operator's children between them
// (`within`) and around them (`around`).
WO_CLONES void inner_corners(Chart &c, const ChartRules::Group &group, const std::vector<float> &weight,
                             RectangleAdditions<double> &inverted) {
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
              x + 1, y, w, [&](int32_t z) { return v == u + 2 ? slot(u + 1, x, z) : &shorter[cell(x, z)]; },
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
              [&](int32_t z) { return slot(u, z, x); }, [&](int32_t z) { return c.factors(z, y)[x - z - 1]; },
              &to[cell(x, y)]);
          inverted.cell(x, y) += weighted(by, &to[cell(x, y)], &inner[cell(x, y)], w);
        }
      }
    }
  }
}

WO_CLONES void group_corners(Chart &c, const ChartRules::Group &group, RectangleAdditions<double> &inverted) {
  const int32_t n = c.n, w = group.width, r = group.arity, bounds = r + 1, pack = group.pack;
  const std::vector<float> weight = corner_weights(c.rules, group);
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
        inverted.cell(y, y) += weighted(at(v, v), left + lanes, out_left + lanes, w);
      }
      if (y - x >= r) {
        const float *states = c.states(x, y) + group.state, *out = c.out_states(x, y) + group.state;
        sum += weighted(at(0, r), states, out, w);
        uses += weighted(ones.data(), states, out, w);
      }
      inverted.cell(x, y) += sum;
    }
  }
  if (r > 2 && uses > negligible) inner_corners(c, group, weight, inverted);
}

}  // namespace

std::vector<double> precedence(Chart &c) {
  const FlushSmall flush;
  const int32_t n = c.n;
  if (n < 2 || !(c.z > 0)) return std::vector<double>(static_cast<size_t>(n) * n, 0);
  RectangleAdditions<double> inverted(n);
  for (const ChartRules::Group &group : c.rules.groups) group_corners(c, group, inverted);
  return order::precedence_table(inverted);
}

}  // namespace wordorder::grammar
