#include "decode/mixed_order.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/dispatch.h"
#include "base/rectangles.h"

namespace wordorder::decode {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Finds, for each span and each pair of words that it may begin and end with, the value of its best order.
class MixedSearch {
 public:
  MixedSearch(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n, double share)
      : n_(n), inverted_(n) {
    const int32_t m = n + 1;
    const double pair = (1 - share) / std::max(1.0, n * (n - 1) / 2.0), step = share / m;
    steps_.resize(static_cast<size_t>(m) * m);
    for (size_t c = 0; c < steps_.size(); ++c) steps_[c] = static_cast<float>(step * next[c]);
    inverted_.set([&](int64_t a, int64_t b) { return a < b ? inverted[a * n + b] * pair : 0; });
    pair_ = pair;
    blocks_.resize(static_cast<size_t>(m) * m);
    for (int32_t i = 0; i < n; ++i) {
      block(i, i + 1).best.assign(1, 0.0f);
      join(i, i + 1);
    }
    for (int32_t d = 2; d <= n; ++d) {
      for (int32_t i = 0; i + d <= n; ++i) {
        fill(i, i + d);
        join(i, i + d);
      }
    }
  }

  std::vector<int32_t> order() {
    float most = kNever;
    int32_t first = 0, last = 0;
    for (int32_t f = 0; f < n_; ++f) {
      for (int32_t l = 0; l < n_; ++l) {
        const float value = block(0, n_).best[f * n_ + l] + steps_[n_ * (n_ + 1) + f] + steps_[l * (n_ + 1) + n_];
        if (value > most) most = value, first = f, last = l;
      }
    }
    std::vector<int32_t> out;
    emit(0, n_, first, last, out);
    if (static_cast<int32_t>(out.size()) != n_) throw std::overflow_error("the tables hold numbers that are too large");
    return out;
  }

 private:
  struct Block {
    std::vector<float> best;  // [first][last], words counted from the start of the block
    std::vector<float>
        before;  // [first][b]: the best value with the step to word b after the block, counted from its end
    std::vector<float> after;  // [first][b]: the same for word b before the block, counted from 0
  };
  Block &block(int32_t i, int32_t j) { return blocks_[static_cast<size_t>(i) * (n_ + 1) + j]; }
  float value(int32_t i, int32_t k, int32_t j, int op) const {
    const double inverted = inverted_(i, k, j);
    return static_cast<float>(op ? inverted : pair_ * (k - i) * (j - k) - inverted);
  }

  // Adds the steps from the last word of a block to each word outside it.
  void join(int32_t i, int32_t j) {
    Block &b = block(i, j);
    const int32_t d = j - i, m = n_ + 1;
    b.before.assign(static_cast<size_t>(d) * (n_ - j), kNever);
    b.after.assign(static_cast<size_t>(d) * i, kNever);
    for (int32_t f = 0; f < d; ++f) {
      for (int32_t l = 0; l < d; ++l) {
        const float value = b.best[f * d + l];
        if (value == kNever) continue;
        const float *step = &steps_[(i + l) * m];
        float *to = b.before.data() + static_cast<size_t>(f) * (n_ - j);
        for (int32_t w = 0; w < n_ - j; ++w) to[w] = std::max(to[w], value + step[j + w]);
        to = b.after.data() + static_cast<size_t>(f) * i;
        for (int32_t w = 0; w < i; ++w) to[w] = std::max(to[w], value + step[w]);
      }
    }
  }

  void fill(int32_t i, int32_t j);

  void emit(int32_t i, int32_t j, int32_t f, int32_t l, std::vector<int32_t> &out) {
    if (j - i == 1) {
      out.push_back(i);
      return;
    }
    const int32_t d = j - i;
    const float wanted = block(i, j).best[(f - i) * d + l - i];
    for (int32_t k = i + 1; k < j; ++k) {
      const int op = f < k ? 0 : 1;
      if ((l < k) == (op == 0)) continue;
      // `head` is read first; then `tail`, which begins with word b.
      const int32_t start = op ? k : i, middle = op ? j : k, other = op ? i : k, end = op ? k : j;
      const Block &head = block(start, middle), &tail = block(other, end);
      const int32_t size = middle - start, rest = end - other;
      for (int32_t b = other; b < end; ++b) {
        const float reached =
            op ? head.after[(f - start) * start + b] : head.before[(f - start) * (n_ - middle) + b - middle];
        if (reached + tail.best[(b - other) * rest + l - other] + value(i, k, j, op) != wanted) continue;
        for (int32_t a = start; a < middle; ++a) {
          if (head.best[(f - start) * size + a - start] + steps_[a * (n_ + 1) + b] != reached) continue;
          emit(start, middle, f, a, out);
          emit(other, end, b, l, out);
          return;
        }
      }
    }
  }

  int32_t n_;
  double pair_ = 0;
  std::vector<float> steps_;
  base::RectangleSums<double> inverted_;  // expected share of inverted pairs
  std::vector<Block> blocks_;
};

// to[l] = max over b of head[b] + tail[b][l] + by
WO_CLONES void best_steps(const float *head, const float *tail, int32_t size, int32_t stride, float by, float *to) {
  for (int32_t b = 0; b < size; ++b) {
    const float start = head[b];
    if (start == kNever) continue;
    const float *row = tail + static_cast<size_t>(b) * stride;
    for (int32_t l = 0; l < stride; ++l) {
      const float value = start + row[l] + by;
      to[l] = value > to[l] ? value : to[l];
    }
  }
}

void MixedSearch::fill(int32_t i, int32_t j) {
  const int32_t d = j - i;
  std::vector<float> &best = block(i, j).best;
  best.assign(static_cast<size_t>(d) * d, kNever);
  for (int32_t k = i + 1; k < j; ++k) {
    const Block &left = block(i, k), &right = block(k, j);
    const int32_t p = k - i, q = j - k;
    const float straight = value(i, k, j, 0), inverted = value(i, k, j, 1);
    for (int32_t f = 0; f < p; ++f) {
      best_steps(left.before.data() + static_cast<size_t>(f) * (n_ - k), right.best.data(), q, q, straight,
                 &best[f * d + p]);
    }
    for (int32_t f = 0; f < q; ++f) {
      best_steps(right.after.data() + static_cast<size_t>(f) * k + i, left.best.data(), p, p, inverted,
                 &best[(p + f) * d]);
    }
  }
}

}  // namespace

std::vector<int32_t> mixed_order(const std::vector<double> &inverted, const std::vector<double> &next, int32_t n,
                                 double share) {
  if (n < 2) return std::vector<int32_t>(n, 0);
  return MixedSearch(inverted, next, n, share).order();
}

}  // namespace wordorder::decode
