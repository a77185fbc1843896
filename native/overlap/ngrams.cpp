#include "overlap/ngrams.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace wordorder::overlap {
namespace {

using Key = unsigned __int128;

// The distinct n-grams of a text, sorted, as numbers that are the same in all texts.
struct Counted {
  std::vector<uint32_t> ngram, count;
};

int64_t shared(const Counted &a, const Counted &b) {
  const size_t a_size = a.ngram.size(), b_size = b.ngram.size();
  const uint32_t *x = a.ngram.data(), *y = b.ngram.data();
  int64_t sum = 0;
  for (size_t i = 0, j = 0; i < a_size && j < b_size;) {
    const uint32_t left = x[i], right = y[j];
    sum += left == right ? std::min(a.count[i], b.count[j]) : 0;
    i += left <= right;
    j += right <= left;
  }
  return sum;
}

}  // namespace

void shared_ngrams(const base::Batch &texts, int32_t order, const int64_t *first, const int64_t *second, int64_t pairs,
                   int threads, int64_t *out) {
  std::vector<std::vector<Counted>> tables(order, std::vector<Counted>(texts.size));
  base::parallel_blocks(order, 1, threads, [&](int64_t begin, int64_t end, int) {
    for (int64_t n = begin; n < end; ++n) {
      // All n-grams of all texts with the number of their text; sorting them numbers them.
      struct Place {
        Key key;
        int32_t text;
      };
      std::vector<Place> places;
      for (int64_t t = 0; t < texts.size; ++t) {
        const int32_t *symbols = texts.begin(t);
        for (int32_t i = 0; i + n < texts.length(t); ++i) {
          Key key = 0;
          for (int64_t k = 0; k <= n; ++k) key = key << symbol_bits | static_cast<uint32_t>(symbols[i + k]);
          places.push_back({key, static_cast<int32_t>(t)});
        }
      }
      std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) {
        return a.key != b.key ? a.key < b.key : a.text < b.text;
      });
      uint32_t number = 0;
      for (size_t i = 0; i < places.size(); ++i) {
        number += i > 0 && places[i].key != places[i - 1].key;
        Counted &table = tables[n][places[i].text];
        if (table.ngram.empty() || table.ngram.back() != number) {
          table.ngram.push_back(number);
          table.count.push_back(0);
        }
        ++table.count.back();
      }
    }
  });
  base::parallel_blocks(pairs, 256, threads, [&](int64_t begin, int64_t end, int) {
    for (int64_t p = begin; p < end; ++p) {
      for (int32_t n = 0; n < order; ++n) {
        out[p * order + n] = shared(tables[n][first[p]], tables[n][second[p]]);
      }
    }
  });
}

}  // namespace wordorder::overlap
