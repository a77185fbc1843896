#include "aligner.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fixed_point.h"
#include "parallel.h"

namespace wordorder {

namespace {

constexpr int64_t block = 64;             // sentences a thread takes at a time
constexpr float floor_probability = 1e-20f;  // no word is impossible; also keeps floats normal
constexpr float negligible = 1e-6f;       // expected counts below this are not added

}  // namespace

// What one thread needs to compute posteriors.
struct Aligner::Worker {
  const Aligner &model;
  Hmm hmm;
  std::vector<float> forward, reverse, null_forward, null_reverse;  // word probabilities
  std::vector<int64_t> cells;
  std::vector<int32_t> begin_forward, begin_reverse;
  Posteriors out;
  JumpCounts jumps[2];

  explicit Worker(const Aligner &aligner) : model(aligner) {}

  // Windows of at most `width` positions about the diagonal.
  static void place(std::vector<int32_t> &begin, int32_t rows, int32_t length, int32_t width) {
    begin.resize(rows);
    for (int32_t r = 0; r < rows; ++r) {
      const int64_t middle = static_cast<int64_t>(r) * length / rows;
      begin[r] = static_cast<int32_t>(std::clamp<int64_t>(middle - width / 2, 0, length - width));
    }
  }

  // p(target word | source word) and the reverse; own is what this very pair of words added to the counts.
  float probability(int64_t cell, int32_t given, int direction, float own) const {
    const float prior = static_cast<float>(model.prior[direction]);
    const float count = cell == PairTable::none ? 0.0f : model.counts[2 * cell + direction];
    const float total = known(given, 1 - direction) ? model.totals[direction][given] : 0.0f;
    const float words = static_cast<float>(model.null_counts[direction].size());
    return std::max((std::max(count - own, 0.0f) + prior) / (std::max(total - own, 0.0f) + prior * words + 1e-9f), floor_probability);
  }
  float null_probability(int32_t word, int direction, float own) const {
    const float prior = static_cast<float>(model.prior_null[direction]);
    const float count = known(word, direction) ? model.null_counts[direction][word] : 0.0f;
    const float words = static_cast<float>(model.null_counts[direction].size());
    return std::max((std::max(count - own, 0.0f) + prior) / (std::max(model.null_totals[direction] - own, 0.0f) + prior * words + 1e-9f), floor_probability);
  }
  bool known(int32_t word, int side) const {
    return word >= 0 && word < static_cast<int32_t>(model.null_counts[side].size());
  }

  // Fills `out`; windows are in begin_forward and begin_reverse, W wide and V wide.
  void posteriors(const int32_t *source, int32_t I, const int32_t *target, int32_t J, const uint32_t *stored, const uint16_t *own,
                  const float *own_nf, const float *own_nr, bool use_hmm, double null, bool count) {
    const int32_t W = I > longest || J > longest ? std::min(I, window) : I;
    const int32_t V = I > longest || J > longest ? std::min(J, window) : J;
    place(begin_forward, J, I, W);
    place(begin_reverse, I, J, V);
    forward.resize(static_cast<size_t>(J) * W);
    reverse.resize(static_cast<size_t>(I) * V);
    null_forward.resize(J);
    null_reverse.resize(I);
    for (int32_t j = 0; j < J; ++j) null_forward[j] = null_probability(target[j], 0, own ? own_nf[j] : 0.0f);
    for (int32_t i = 0; i < I; ++i) null_reverse[i] = null_probability(source[i], 1, own ? own_nr[i] : 0.0f);
    if (W == I && V == J) {
      for (int32_t i = 0; i < I; ++i) {
        for (int32_t j = 0; j < J; ++j) {
          const int64_t cell = stored ? stored[static_cast<size_t>(i) * J + j] : model.table.find(source[i], target[j]);
          const uint16_t *mine = own ? own + 2 * (static_cast<size_t>(i) * J + j) : nullptr;
          forward[static_cast<size_t>(j) * I + i] = probability(cell, source[i], 0, mine ? mine[0] / 65535.0f : 0.0f);
          reverse[static_cast<size_t>(i) * J + j] = probability(cell, target[j], 1, mine ? mine[1] / 65535.0f : 0.0f);
        }
      }
    } else {
      for (int32_t j = 0; j < J; ++j) {
        for (int32_t k = 0; k < W; ++k) {
          forward[static_cast<size_t>(j) * W + k] = probability(model.table.find(source[begin_forward[j] + k], target[j]), source[begin_forward[j] + k], 0, 0);
        }
      }
      for (int32_t i = 0; i < I; ++i) {
        for (int32_t k = 0; k < V; ++k) {
          reverse[static_cast<size_t>(i) * V + k] = probability(model.table.find(source[i], target[begin_reverse[i] + k]), target[begin_reverse[i] + k], 1, 0);
        }
      }
    }
    out.forward.resize(forward.size());
    out.reverse.resize(reverse.size());
    out.null_forward.resize(J);
    out.null_reverse.resize(I);
    if (use_hmm) {
      const float p = static_cast<float>(null);
      out.likelihood[0] = hmm.run(J, I, W, begin_forward.data(), forward.data(), null_forward.data(), p, model.jumps[0],
                                  out.forward.data(), out.null_forward.data(), count ? &jumps[0] : nullptr);
      out.likelihood[1] = hmm.run(I, J, V, begin_reverse.data(), reverse.data(), null_reverse.data(), p, model.jumps[1],
                                  out.reverse.data(), out.null_reverse.data(), count ? &jumps[1] : nullptr);
    } else {
      out.likelihood[0] = model1(J, W, forward, null_forward, out.forward, out.null_forward);
      out.likelihood[1] = model1(I, V, reverse, null_reverse, out.reverse, out.null_reverse);
    }
  }

  // Model 1: every source word, and null, is as likely before the target word is seen.
  static double model1(int32_t rows, int32_t width, const std::vector<float> &lexical, const std::vector<float> &null,
                       std::vector<float> &posterior, std::vector<float> &null_posterior) {
    double likelihood = 0;
    for (int32_t r = 0; r < rows; ++r) {
      const float *from = lexical.data() + static_cast<size_t>(r) * width;
      float *to = posterior.data() + static_cast<size_t>(r) * width;
      float total = null[r];
      for (int32_t k = 0; k < width; ++k) total += from[k];
      for (int32_t k = 0; k < width; ++k) to[k] = from[k] / total;
      null_posterior[r] = null[r] / total;
      likelihood += std::log(static_cast<double>(total) / (width + 1));
    }
    return likelihood;
  }
};

void Aligner::start(const Batch &source, const Batch &target, int32_t source_words, int32_t target_words,
                    int threads) {
  table.build(source, target, source_words, target_words, longest, int64_t{1} << 29, threads);
  counts.assign(2 * table.cells(), 0.0f);
  null_counts[0].assign(target_words, 0.0f);
  null_counts[1].assign(source_words, 0.0f);
  totals[0].assign(source_words, 0.0f);
  totals[1].assign(target_words, 0.0f);
  null_totals = {0, 0};
  prior = prior_null = {1, 1};
  own.assign(2 * table.entries(), 0);
  own_null[0].assign(target.offsets[target.size], 0.0f);
  own_null[1].assign(source.offsets[source.size], 0.0f);
  jumps = {};
}

std::array<double, 2> Aligner::iterate(const Batch &source, const Batch &target, const Learning &how, int threads) {
  std::vector<int64_t> sums(counts.size(), 0);
  std::array<std::vector<int64_t>, 2> null_sums;
  for (int d = 0; d < 2; ++d) null_sums[d].assign(null_counts[d].size(), 0);
  std::vector<std::array<double, 2>> likelihood(source.size, {0, 0});
  std::vector<Worker> workers(threads, Worker(*this));
  if (how.alpha > 0 || totals[0].empty()) prior = {how.alpha, how.alpha}, prior_null = {how.alpha_null, how.alpha_null};
  exclude = how.exclude;
  const auto add = [&](int64_t *sum, float value) {
    if (value < negligible) return;
    if (threads > 1) {
      add_shared(sum, fixed(value));
    } else {
      *sum += fixed(value);
    }
  };
  parallel_blocks(source.size, block, threads, [&](int64_t first, int64_t last, int thread) {
    Worker &worker = workers[thread];
    Posteriors &out = worker.out;
    for (int64_t s = first; s < last; ++s) {
      const int32_t I = source.length(s), J = target.length(s);
      if (!trainable(I, J, longest)) continue;
      const int32_t *e = source.begin(s), *f = target.begin(s);
      const uint32_t *stored = table.stored(s);
      uint16_t *mine = exclude ? own.data() + 2 * table.entry(s) : nullptr;
      float *nf = own_null[0].data() + target.offsets[s], *nr = own_null[1].data() + source.offsets[s];
      worker.posteriors(e, I, f, J, stored, mine, nf, nr, how.hmm, how.null, how.hmm);
      likelihood[s] = out.likelihood;
      for (int32_t i = 0; i < I; ++i) {
        for (int32_t j = 0; j < J; ++j) {
          float to = out.forward[static_cast<size_t>(j) * I + i], back = out.reverse[static_cast<size_t>(i) * J + j];
          if (how.agree) to = back = (how.mode & 4) ? std::sqrt(to * back) : to * back;
          if (mine) {
            uint16_t *m = mine + 2 * (static_cast<size_t>(i) * J + j);
            m[0] = static_cast<uint16_t>(std::lrint(to * 65535.0f));
            m[1] = static_cast<uint16_t>(std::lrint(back * 65535.0f));
            to = m[0] / 65535.0f;
            back = m[1] / 65535.0f;
          }
          if (to < negligible && back < negligible) continue;
          const int64_t cell = stored ? stored[static_cast<size_t>(i) * J + j] : table.find(e[i], f[j]);
          add(&sums[2 * cell], to);
          add(&sums[2 * cell + 1], back);
        }
      }
      for (int32_t j = 0; j < J; ++j) add(&null_sums[0][f[j]], nf[j] = out.null_forward[j]);
      for (int32_t i = 0; i < I; ++i) add(&null_sums[1][e[i]], nr[i] = out.null_reverse[i]);
    }
  });
  std::array<double, 2> total{0, 0};
  for (const auto &one : likelihood) {
    total[0] += one[0];
    total[1] += one[1];
  }
  prior = {how.alpha, how.alpha}, prior_null = {how.alpha_null, how.alpha_null};
  std::array<std::vector<int64_t>, 2> sides;
  for (int d = 0; d < 2; ++d) sides[d].assign(totals[d].size(), 0);
  for (int32_t e = 0; e < table.source_words(); ++e) {
    for (int64_t c = table.rows()[e]; c < table.rows()[e + 1]; ++c) {
      sides[0][e] += sums[2 * c];
      sides[1][table.columns()[c]] += sums[2 * c + 1];
    }
  }
  for (size_t c = 0; c < sums.size(); ++c) counts[c] = static_cast<float>(real(sums[c]));
  for (int d = 0; d < 2; ++d) {
    for (size_t w = 0; w < sides[d].size(); ++w) totals[d][w] = static_cast<float>(real(sides[d][w]));
    int64_t sum = 0;
    for (size_t w = 0; w < null_sums[d].size(); ++w) {
      null_counts[d][w] = static_cast<float>(real(null_sums[d][w]));
      sum += null_sums[d][w];
    }
    null_totals[d] = static_cast<float>(real(sum));
  }
  if (how.hmm) {
    for (int d = 0; d < 2; ++d) {
      for (int t = 1; t < threads; ++t) workers[0].jumps[d].add(workers[t].jumps[d]);
      maximise_jumps(workers[0].jumps[d], how.jump_prior, jumps[d]);
    }
  }
  return total;
}

void Aligner::maximise_jumps(const JumpCounts &counts, double prior, Jumps &jumps) const {
  std::array<double, Jumps::classes> count{}, exposure{}, weights{};
  double running = 0;
  for (int32_t d = -Jumps::reach; d <= Jumps::reach; ++d) {
    const int32_t k = Jumps::class_of(d);
    running += real(counts.exposure_change[Jumps::reach + d]);
    count[k] += real(counts.count[Jumps::reach + d]);
    exposure[k] += running / Jumps::class_size(k);
  }
  double sum = 0;
  for (int32_t k = 0; k < Jumps::classes; ++k) {
    const double old = jumps.weights()[k];
    // A step seen from nowhere keeps its weight; the prior counts as steps of the present weights.
    weights[k] = exposure[k] > 1e-9 ? std::max((count[k] + prior) / (exposure[k] + prior), 1e-12) : old;
    sum += weights[k];
  }
  for (double &weight : weights) weight /= sum;
  jumps.set(weights.data());
}

Links Aligner::align(const Batch &source, const Batch &target, Symmetry symmetry, float threshold, bool hmm,
                     double null, bool trained, int threads) const {
  struct Part {
    std::vector<int32_t> pairs;
    std::vector<float> scores;
    std::vector<int64_t> sizes;
  };
  std::vector<Part> parts((source.size + block - 1) / block);
  std::vector<Worker> workers(threads, Worker(*this));
  parallel_blocks(source.size, block, threads, [&](int64_t first, int64_t last, int thread) {
    Worker &worker = workers[thread];
    const Posteriors &out = worker.out;
    Part &part = parts[first / block];
    Symmetriser symmetriser;
    std::vector<uint8_t> one, other;
    for (int64_t s = first; s < last; ++s) {
      const int32_t I = source.length(s), J = target.length(s);
      const size_t before = part.scores.size();
      if (I && J) {
        const bool inside = I <= longest && J <= longest;
        const bool ours = trained && trainable(I, J, longest);
        worker.posteriors(source.begin(s), I, target.begin(s), J, ours ? table.stored(s) : nullptr,
                          ours && exclude ? own.data() + 2 * table.entry(s) : nullptr,
                          own_null[0].data() + target.offsets[s], own_null[1].data() + source.offsets[s], hmm, null, false);
        const int32_t W = static_cast<int32_t>(out.forward.size() / J), V = static_cast<int32_t>(out.reverse.size() / I);
        const auto to = [&](int32_t i, int32_t j) {
          const int32_t k = i - worker.begin_forward[j];
          return k >= 0 && k < W ? out.forward[static_cast<size_t>(j) * W + k] : 0.0f;
        };
        const auto back = [&](int32_t i, int32_t j) {
          const int32_t k = j - worker.begin_reverse[i];
          return k >= 0 && k < V ? out.reverse[static_cast<size_t>(i) * V + k] : 0.0f;
        };
        (void)inside;
        if (symmetry == Symmetry::posterior) {
          for (int32_t i = 0; i < I; ++i) {
            for (int32_t k = 0; k < V; ++k) {
              const int32_t j = worker.begin_reverse[i] + k;
              const float score = std::sqrt(to(i, j) * back(i, j));
              if (score < threshold) continue;
              part.pairs.insert(part.pairs.end(), {i, j});
              part.scores.push_back(score);
            }
          }
        } else {
          one.assign(static_cast<size_t>(I) * J, 0);
          other.assign(static_cast<size_t>(I) * J, 0);
          for (int32_t j = 0; j < J; ++j) {
            const float *p = out.forward.data() + static_cast<size_t>(j) * W;
            const int64_t best = std::max_element(p, p + W) - p;
            if (p[best] > out.null_forward[j]) one[(worker.begin_forward[j] + best) * J + j] = 1;
          }
          for (int32_t i = 0; i < I; ++i) {
            const float *p = out.reverse.data() + static_cast<size_t>(i) * V;
            const int64_t best = std::max_element(p, p + V) - p;
            if (p[best] > out.null_reverse[i]) other[static_cast<size_t>(i) * J + worker.begin_reverse[i] + best] = 1;
          }
          symmetriser.run(I, J, one.data(), other.data(), symmetry);
          for (int32_t i = 0; i < I; ++i) {
            for (int32_t j = 0; j < J; ++j) {
              if (!one[static_cast<size_t>(i) * J + j]) continue;
              part.pairs.insert(part.pairs.end(), {i, j});
              part.scores.push_back(std::sqrt(to(i, j) * back(i, j)));
            }
          }
        }
      }
      part.sizes.push_back(static_cast<int64_t>(part.scores.size() - before));
    }
  });
  Links links;
  for (const Part &part : parts) {
    links.pairs.insert(links.pairs.end(), part.pairs.begin(), part.pairs.end());
    links.scores.insert(links.scores.end(), part.scores.begin(), part.scores.end());
    for (const int64_t size : part.sizes) links.ends.push_back(links.ends.back() + size);
  }
  return links;
}

}  // namespace wordorder
