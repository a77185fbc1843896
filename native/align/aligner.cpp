#include "align/aligner.h"

#include <algorithm>
#include <cmath>

#include "align/sentence_aligner.h"
#include "base/fixed_point.h"
#include "base/parallel.h"

namespace wordorder::align {

namespace {

constexpr int64_t block = 64;        // sentences that a thread processes at a time
constexpr float negligible = 1e-6f;  // smaller expected counts are not added
constexpr double least = 1e-20;      // the smallest probability, which also keeps products of floats normal

float ratio(double count, double total, double even) {
  return static_cast<float>(std::max(total > 0 ? count / total : even, least));
}

void estimate_jumps(const JumpCounts &counts, double prior, Jumps &jumps) {
  std::array<double, Jumps::classes> count{}, exposure{}, weights{};
  double running = 0, sum = 0;
  for (int32_t d = -Jumps::reach; d <= Jumps::reach; ++d) {
    const int32_t k = Jumps::class_of(d);
    running += base::real(counts.exposure_change[Jumps::reach + d]);
    count[k] += base::real(counts.count[Jumps::reach + d]);
    exposure[k] += running / Jumps::class_size(k);
  }
  for (int32_t k = 0; k < Jumps::classes; ++k) {
    // If no sentence is long enough for a step, the step keeps its weight.
    const double weight = (count[k] + prior) / (exposure[k] + prior);
    weights[k] = exposure[k] > 1e-9 ? std::max(weight, 1e-12) : jumps.weights()[k];
    sum += weights[k];
  }
  for (double &weight : weights) weight /= sum;
  jumps.set(weights.data());
}

}  // namespace

void Aligner::start(const base::Batch &source, const base::Batch &target, int32_t source_words, int32_t target_words,
                    int threads) {
  table.build(source, target, source_words, target_words, longest, room, threads);
  parameters = Parameters();
  facts_ = WordFacts();
  estimate_evenly(0, threads);
}

void Aligner::start(std::vector<int64_t> rows, std::vector<int32_t> columns, int32_t target_words, int threads) {
  table.assign(std::move(rows), std::move(columns), target_words);
  parameters = Parameters();
  facts_ = WordFacts();
  estimate_evenly(0, threads);
}

void Aligner::set_prior(const Vocabularies &words, double alpha, int32_t prefix, double spelling, double classes,
                        int threads) {
  facts_.build(table, words, prefix, spelling, classes, threads);
  estimate_evenly(alpha, threads);
}

void Aligner::estimate_evenly(double alpha, int threads) {
  estimate(Sums(2 * table.cells(), 0), {Sums(table.target_words(), 0), Sums(table.source_words(), 0)}, alpha, threads);
}

Counts Aligner::expect(const base::Batch &source, const base::Batch &target, const Learning &how, int threads) const {
  Counts counts{Sums(2 * table.cells(), 0), {Sums(table.target_words(), 0), Sums(table.source_words(), 0)}, {}, {}};
  std::vector<std::array<double, 2>> likelihood(source.size, {0, 0});
  std::vector<SentenceAligner> workers(threads, SentenceAligner(table, parameters));
  const auto add = [threads](int64_t &sum, float value) {
    if (value < negligible) return;
    if (threads > 1) {
      base::add_shared(&sum, base::fixed(value));
    } else {
      sum += base::fixed(value);
    }
  };
  base::parallel_blocks(source.size, block, threads, [&](int64_t first, int64_t last, int thread) {
    SentenceAligner &worker = workers[thread];
    const Posteriors &out = worker.out;
    for (int64_t s = first; s < last; ++s) {
      const int32_t I = source.length(s), J = target.length(s);
      if (!trainable(I, J, longest)) continue;
      const int32_t *e = source.begin(s), *f = target.begin(s);
      const uint32_t *cells = table.stored(s);
      worker.run(e, I, f, J, cells, how.hmm, how.null, how.hmm);
      likelihood[s] = out.likelihood;
      for (int32_t i = 0; i < I; ++i) {
        for (int32_t j = 0; j < J; ++j) {
          float to = out.link[0][static_cast<size_t>(j) * I + i], from = out.link[1][static_cast<size_t>(i) * J + j];
          if (how.agree) to = from = to * from;
          if (to < negligible && from < negligible) continue;
          const int64_t cell = cells ? cells[static_cast<size_t>(i) * J + j] : table.find(e[i], f[j]);
          add(counts.cells[2 * cell], to);
          add(counts.cells[2 * cell + 1], from);
        }
      }
      for (int32_t j = 0; j < J; ++j) add(counts.nulls[0][f[j]], out.null[0][j]);
      for (int32_t i = 0; i < I; ++i) add(counts.nulls[1][e[i]], out.null[1][i]);
    }
  });
  for (const SentenceAligner &worker : workers) {
    for (int d = 0; d < 2; ++d) counts.steps[d].add(worker.steps[d]);
  }
  for (const auto &sentence : likelihood) {
    for (int d = 0; d < 2; ++d) counts.likelihood[d] += sentence[d];
  }
  return counts;
}

void Aligner::update(const Counts &counts, const Learning &how, int threads) {
  facts_.update(table, counts.cells);
  estimate(counts.cells, counts.nulls, how.alpha, threads);
  for (int d = 0; how.hmm && d < 2; ++d) estimate_jumps(counts.steps[d], how.jump_prior, parameters.jumps[d]);
}

// p = (count + alpha + pseudo-count) / (total + alpha * words + total of pseudo-counts).
void Aligner::estimate(const Sums &counts, const std::array<Sums, 2> &null_counts, double alpha, int threads) {
  const std::vector<int64_t> &rows = table.rows();
  const std::vector<int32_t> &columns = table.columns();
  const std::array<double, 2> words{static_cast<double>(table.target_words()),
                                    static_cast<double>(table.source_words())};
  std::array<Sums, 2> totals{Sums(table.source_words(), 0), Sums(table.target_words(), 0)};
  const auto for_cells = [&](auto work) {
    base::parallel_blocks(table.source_words(), 64, threads, [&](int64_t first, int64_t last, int) {
      for (int64_t e = first; e < last; ++e) {
        for (int64_t c = rows[e]; c < rows[e + 1]; ++c) work(c, static_cast<int32_t>(e), columns[c]);
      }
    });
  };
  for_cells([&](int64_t c, int32_t e, int32_t f) {
    int64_t to = counts[2 * c], from = counts[2 * c + 1];
    if (!facts_.empty()) {
      to += base::fixed(facts_.pseudo_count(c, e, f, 0));
      from += base::fixed(facts_.pseudo_count(c, e, f, 1));
    }
    totals[0][e] += to;
    if (from) base::add_shared(&totals[1][f], from);
  });
  parameters.lexical.resize(2 * table.cells());
  for (int d = 0; d < 2; ++d) {
    parameters.unseen[d].resize(totals[d].size());
    for (size_t w = 0; w < totals[d].size(); ++w) {
      parameters.unseen[d][w] = ratio(alpha, base::real(totals[d][w]) + alpha * words[d], 1 / words[d]);
    }
  }
  for_cells([&](int64_t c, int32_t e, int32_t f) {
    for (int d = 0; d < 2; ++d) {
      const double extra = facts_.empty() ? 0 : facts_.pseudo_count(c, e, f, d);
      const double total = base::real(totals[d][d == 0 ? e : f]) + alpha * words[d];
      parameters.lexical[2 * c + d] = ratio(base::real(counts[2 * c + d]) + alpha + extra, total, 1 / words[d]);
    }
  });
  for (int d = 0; d < 2; ++d) {
    int64_t sum = 0;
    for (const int64_t count : null_counts[d]) sum += count;
    const double total = base::real(sum) + alpha * words[d];
    parameters.null_lexical[d].resize(null_counts[d].size());
    for (size_t w = 0; w < null_counts[d].size(); ++w) {
      parameters.null_lexical[d][w] = ratio(base::real(null_counts[d][w]) + alpha, total, 1 / words[d]);
    }
    parameters.null_unseen[d] = ratio(alpha, total, 1 / words[d]);
  }
}

Links Aligner::align(const base::Batch &source, const base::Batch &target, const Decoding &how, bool trained,
                     int threads) const {
  struct Part {
    std::vector<int32_t> pairs;
    std::vector<float> scores;
    std::vector<int64_t> sizes;
  };
  std::vector<Part> parts((source.size + block - 1) / block);
  std::vector<SentenceAligner> workers(threads, SentenceAligner(table, parameters));
  std::vector<Symmetriser> symmetrisers(threads);
  base::parallel_blocks(source.size, block, threads, [&](int64_t first, int64_t last, int thread) {
    SentenceAligner &worker = workers[thread];
    const Posteriors &out = worker.out;
    Part &part = parts[first / block];
    std::array<std::vector<Link>, 2> best;
    std::vector<Link> links;
    for (int64_t s = first; s < last; ++s) {
      const int32_t I = source.length(s), J = target.length(s);
      links.clear();
      if (I && J) {
        const bool stored = trained && trainable(I, J, longest);
        worker.run(source.begin(s), I, target.begin(s), J, stored ? table.stored(s) : nullptr, how.hmm, how.null,
                   false);
        const auto score = [&](int32_t i, int32_t j) { return std::sqrt(out.at(0, j, i) * out.at(1, i, j)); };
        if (how.symmetry == Symmetry::posterior) {
          for (int32_t i = 0; i < I; ++i) {
            for (int32_t j = out.begin[1][i], end = j + out.width[1]; j < end; ++j) {
              if (score(i, j) >= how.threshold) links.push_back({i, j});
            }
          }
        } else {
          for (int d = 0; d < 2; ++d) {
            best[d].clear();
            for (int32_t row = 0; row < (d == 0 ? J : I); ++row) {
              const float *p = out.link[d].data() + static_cast<size_t>(row) * out.width[d];
              const auto k = static_cast<int32_t>(std::max_element(p, p + out.width[d]) - p);
              const int32_t column = out.begin[d][row] + k;
              if (p[k] > out.null[d][row]) best[d].push_back(d == 0 ? Link{column, row} : Link{row, column});
            }
          }
          symmetrisers[thread].run(best[0], best[1], how.symmetry, links);
        }
        for (const Link &link : links) {
          part.pairs.insert(part.pairs.end(), {link.source, link.target});
          part.scores.push_back(score(link.source, link.target));
        }
      }
      part.sizes.push_back(static_cast<int64_t>(links.size()));
    }
  });
  Links all;
  for (const Part &part : parts) {
    all.pairs.insert(all.pairs.end(), part.pairs.begin(), part.pairs.end());
    all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
    for (const int64_t size : part.sizes) all.ends.push_back(all.ends.back() + size);
  }
  return all;
}

}  // namespace wordorder::align
