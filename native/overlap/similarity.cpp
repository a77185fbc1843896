#include "overlap/similarity.h"

#include <algorithm>
#include <cmath>

namespace wordorder::overlap {
namespace {

constexpr double kEmptySide = 100000;  // disbalance if one text is empty: BEER 2.0's number
constexpr double kMostOneSided = 2;    // of the logarithm of the quotient of two lengths
// Expected shares of pairs that are kept if all words are shared, and pairs taken as kept beforehand (features.py).
constexpr double kNeighbours = 0.5, kInOrder = 0.75;
constexpr int64_t kKeptNeighbours = 2, kKeptPairs = 4;
// Longer texts have more pairs in order by chance: these quotients of lengths count them in full, and not at all.
constexpr double kLonger = 1.5, kNotOrdered = 2;

struct Shares {
  double p, r, low, high;
  int64_t matched, hyp, ref;
};

double share(int64_t part, int64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

double f_score(double p, double r, double beta) {
  const double factor = beta * beta;
  const double below = factor * p + r;
  return below != 0 ? (1 + factor) * p * r / below : 0.0;
}

double disbalance(int64_t hyp, int64_t ref) {
  const int64_t shorter = std::min(hyp, ref);
  return shorter ? static_cast<double>(std::max(hyp, ref)) / static_cast<double>(shorter) - 1.0 : kEmptySide;
}

double one_sided(int64_t shorter, int64_t longer) {
  if (shorter == 0) return longer > 0 ? kMostOneSided : 0.0;
  const double quotient = static_cast<double>(std::max<int64_t>(longer, 1)) / static_cast<double>(shorter);
  return std::min(std::max(std::log(quotient), 0.0), kMostOneSided);
}

double lost(const Shares &words, int64_t kept, int64_t pairs, double expected, int64_t prior) {
  const double longer = share(words.hyp, words.ref);
  const double counted = std::min(std::max((kNotOrdered - longer) / (kNotOrdered - kLonger), 0.0), 1.0);
  const double found = (static_cast<double>(kept) * counted + static_cast<double>(prior)) /
                       static_cast<double>(pairs + prior);
  return std::max(expected - found, 0.0);
}

double measured(const Similarity &wanted, const std::vector<Shares> &shares) {
  const Shares &of = shares[wanted.pieces];
  switch (wanted.measure) {
    case Measure::precision:
      return of.p;
    case Measure::recall:
      return of.r;
    case Measure::lesser:
      return of.low;
    case Measure::greater:
      return of.high;
    case Measure::f:
      return f_score(of.p, of.r, wanted.beta);
    case Measure::symmetric_f:
      return f_score(of.low, of.high, wanted.beta);
    case Measure::geometric:
      return std::sqrt(of.p * of.r);
    case Measure::disbalance:
      return disbalance(of.hyp, of.ref);
    case Measure::too_short:
      return one_sided(of.hyp, of.ref);
    case Measure::too_long:
      return one_sided(of.ref, of.hyp);
    case Measure::lost_neighbours:
      return lost(of, shares[wanted.pairs].matched, std::max<int64_t>(of.matched - 1, 0), kNeighbours * of.r,
                  kKeptNeighbours);
    case Measure::lost_order:
      return lost(of, shares[wanted.pairs].matched, of.matched * (of.matched - 1) / 2,
                  kInOrder * (of.r * of.r * of.r * of.r), kKeptPairs);
  }
  return 0;
}

}  // namespace

void similarities(const int64_t *counts, int64_t pairs, const std::vector<int32_t> &instead,
                  const std::vector<Similarity> &wanted, double most, double *out) {
  std::vector<int64_t> matched(instead.size()), hyp(instead.size()), ref(instead.size());
  std::vector<Shares> shares(instead.size());
  for (int64_t p = 0; p < pairs; ++p) {
    for (size_t k = 0; k < instead.size(); ++k) {
      const int64_t *const of = counts + 3 * static_cast<int64_t>(k) * pairs + p;
      matched[k] = of[0], hyp[k] = of[pairs], ref[k] = of[2 * pairs];
      if (hyp[k] == 0 && ref[k] == 0 && instead[k] != kNothing) {
        const int32_t other = instead[k];
        matched[k] = other == kOne ? 1 : matched[other];
        hyp[k] = other == kOne ? 1 : hyp[other];
        ref[k] = other == kOne ? 1 : ref[other];
      }
      const double precision = share(matched[k], hyp[k]), recall = share(matched[k], ref[k]);
      shares[k] = {precision,  recall, std::min(precision, recall), std::max(precision, recall),
                   matched[k], hyp[k], ref[k]};
    }
    for (size_t f = 0; f < wanted.size(); ++f) {
      const double value = std::min(measured(wanted[f], shares), most);
      out[static_cast<int64_t>(f) * pairs + p] = value - wanted[f].copy;
    }
  }
}

}  // namespace wordorder::overlap
