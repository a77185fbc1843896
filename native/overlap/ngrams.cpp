#include "overlap/ngrams.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace wordorder::overlap {
namespace {

using Key = unsigned __int128;

// The distinct n-grams of a text, sorted.
struct Counted {
  std::vector<Key> ngram;
  std::vector<int32_t> count;
};

void count_ngrams(const int32_t *symbols, int32_t length, int32_t n, std::vector<Key> &keys, Counted &out) {
  keys.clear();
  for (int32_t i = 0; i + n <= length; ++i) {
    Key key = 0;
    for (int32_t k = 0; k < n; ++k) key = key << symbol_bits | static_cast<uint32_t>(symbols[i + k]);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  for (const Key key : keys) {
    if (out.ngram.empty() || out.ngram.back() != key) {
      out.ngram.push_back(key);
      out.count.push_back(0);
    }
    ++out.count.back();
  }
}

int64_t shared(const Counted &a, const Counted &b) {
  const size_t a_size = a.ngram.size(), b_size = b.ngram.size();
  const Key *x = a.ngram.data(), *y = b.ngram.data();
  int64_t sum = 0;
  for (size_t i = 0, j = 0; i < a_size && j < b_size;) {
    const Key left = x[i], right = y[j];
    sum += left == right ? std::min(a.count[i], b.count[j]) : 0;
    i += left <= right;
    j += right <= left;
  }
  return sum;
}

}  // namespace

void shared_ngrams(const base::Batch &texts, int32_t order, const int64_t *first, const int64_t *second, int64_t pairs,
                   int threads, int64_t *out) {
  std::vector<Counted> tables(texts.size * order);
  base::parallel_blocks(texts.size, 64, threads, [&](int64_t begin, int64_t end, int) {
    std::vector<Key> keys;
    for (int64_t t = begin; t < end; ++t) {
      for (int32_t n = 1; n <= order; ++n) {
        count_ngrams(texts.begin(t), texts.length(t), n, keys, tables[t * order + n - 1]);
      }
    }
  });
  base::parallel_blocks(pairs, 256, threads, [&](int64_t begin, int64_t end, int) {
    for (int64_t p = begin; p < end; ++p) {
      for (int32_t n = 0; n < order; ++n) {
        out[p * order + n] = shared(tables[first[p] * order + n], tables[second[p] * order + n]);
      }
    }
  });
}

}  // namespace wordorder::overlap
