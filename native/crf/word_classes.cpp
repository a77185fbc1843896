#include "crf/word_classes.h"

#include <algorithm>
#include <cmath>

namespace wordorder::crf {

namespace {

struct Neighbour {
  int32_t word;
  int32_t count;
};

// The neighbours of each word and their counts: list[offsets[w]] .. list[offsets[w + 1]].
struct Neighbours {
  std::vector<int64_t> offsets;
  std::vector<Neighbour> list;
};

Neighbours count_neighbours(std::vector<std::pair<int32_t, int32_t>> &pairs, int32_t words) {
  std::sort(pairs.begin(), pairs.end());
  Neighbours out;
  out.offsets.assign(words + 1, 0);
  for (size_t p = 0; p < pairs.size();) {
    size_t q = p;
    while (q < pairs.size() && pairs[q] == pairs[p]) ++q;
    out.list.push_back({pairs[p].second, static_cast<int32_t>(q - p)});
    out.offsets[pairs[p].first + 1] = static_cast<int64_t>(out.list.size());
    p = q;
  }
  for (int32_t w = 0; w < words; ++w) out.offsets[w + 1] = std::max(out.offsets[w + 1], out.offsets[w]);
  return out;
}

}  // namespace

std::vector<int32_t> exchange_classes(const base::Batch &text, int32_t words, int32_t classes, int32_t rounds) {
  // The sentence boundary is an extra word in an extra class, the last one.
  const int32_t boundary = words, all = classes + 1;
  std::vector<std::pair<int32_t, int32_t>> pairs, reversed;
  std::vector<int64_t> uses(words + 1, 0);
  for (int64_t s = 0; s < text.size; ++s) {
    int32_t before = boundary;
    const int32_t *at = text.begin(s), n = text.length(s);
    for (int32_t p = 0; p <= n; ++p) {
      const int32_t word = p < n ? at[p] : boundary;
      pairs.emplace_back(before, word);
      reversed.emplace_back(word, before);
      ++uses[word];
      before = word;
    }
  }
  const Neighbours after = count_neighbours(pairs, words + 1), earlier = count_neighbours(reversed, words + 1);
  std::vector<int32_t> of(words + 1);
  for (int32_t w = 0; w < words; ++w) of[w] = w % classes;
  of[boundary] = classes;
  std::vector<int64_t> bigrams(static_cast<size_t>(all) * all, 0), sizes(all, 0);
  for (int32_t w = 0; w <= words; ++w) {
    sizes[of[w]] += uses[w];
    for (int64_t k = after.offsets[w]; k < after.offsets[w + 1]; ++k) {
      bigrams[static_cast<size_t>(of[w]) * all + of[after.list[k].word]] += after.list[k].count;
    }
  }
  std::vector<double> logs(1 << 16);
  for (size_t x = 1; x < logs.size(); ++x) logs[x] = static_cast<double>(x) * std::log(static_cast<double>(x));
  const auto plogp = [&](int64_t x) {
    return x < static_cast<int64_t>(logs.size()) ? logs[x] : static_cast<double>(x) * std::log(static_cast<double>(x));
  };
  std::vector<int64_t> to(all, 0), from(all, 0);  // the word's neighbours by class
  std::vector<int32_t> to_some, from_some;
  for (int32_t round = 0; round < rounds; ++round) {
    int64_t moved = 0;
    for (int32_t w = 0; w < words; ++w) {
      int64_t self = 0;
      for (int64_t k = after.offsets[w]; k < after.offsets[w + 1]; ++k) {
        const Neighbour &neighbour = after.list[k];
        if (neighbour.word == w) {
          self = neighbour.count;
          continue;
        }
        if (!to[of[neighbour.word]]) to_some.push_back(of[neighbour.word]);
        to[of[neighbour.word]] += neighbour.count;
      }
      for (int64_t k = earlier.offsets[w]; k < earlier.offsets[w + 1]; ++k) {
        const Neighbour &neighbour = earlier.list[k];
        if (neighbour.word == w) continue;
        if (!from[of[neighbour.word]]) from_some.push_back(of[neighbour.word]);
        from[of[neighbour.word]] += neighbour.count;
      }
      const auto place = [&](int32_t c, int64_t sign) {  // removes the word from a class, or adds it
        for (const int32_t g : to_some) bigrams[static_cast<size_t>(c) * all + g] += sign * to[g];
        for (const int32_t g : from_some) bigrams[static_cast<size_t>(g) * all + c] += sign * from[g];
        bigrams[static_cast<size_t>(c) * all + c] += sign * self;
        sizes[c] += sign * uses[w];
      };
      place(of[w], -1);
      int32_t best = of[w];
      double most = -1e300;
      for (int32_t c = 0; c < classes; ++c) {
        const int64_t *row = &bigrams[static_cast<size_t>(c) * all];
        double gain = -2 * (plogp(sizes[c] + uses[w]) - plogp(sizes[c]));
        for (const int32_t g : to_some) {
          if (g != c) gain += plogp(row[g] + to[g]) - plogp(row[g]);
        }
        for (const int32_t g : from_some) {
          if (g == c) continue;
          const int64_t before = bigrams[static_cast<size_t>(g) * all + c];
          gain += plogp(before + from[g]) - plogp(before);
        }
        gain += plogp(row[c] + self + to[c] + from[c]) - plogp(row[c]);
        if (gain > most + 1e-9) most = gain, best = c;
      }
      place(best, 1);
      moved += best != of[w];
      of[w] = best;
      for (const int32_t g : to_some) to[g] = 0;
      for (const int32_t g : from_some) from[g] = 0;
      to_some.clear();
      from_some.clear();
    }
    if (!moved) break;
  }
  of.pop_back();
  return of;
}

}  // namespace wordorder::crf
