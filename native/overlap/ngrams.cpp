#include "overlap/ngrams.h"

#include <algorithm>

#include "base/parallel.h"
#include "overlap/piece_sets.h"

namespace wordorder::overlap {

NgramNumbers::NgramNumbers(const base::Batch &texts, int64_t symbols)
    : texts_(texts), symbols_(symbols), distinct_(symbols) {
  number_.assign(texts.values, texts.values + texts.offsets[texts.size]);
}

void NgramNumbers::lengthen() {
  numbers_.begin(static_cast<uint64_t>(distinct_) * symbols_, number_.size());
  for (int64_t t = 0; t < texts_.size; ++t) {
    int32_t *const number = number_.data() + texts_.offsets[t];
    const int32_t *const last = texts_.begin(t) + size_;
    const int64_t count = texts_.length(t) - size_;
    for (int64_t i = 0; i < count; ++i) number[i] = numbers_.add(static_cast<uint64_t>(number[i]) * symbols_ + last[i]);
  }
  distinct_ = numbers_.size();
  ++size_;
}

namespace {

int64_t symbols_of(const base::Batch &texts) {
  const int64_t total = texts.offsets[texts.size];
  return total ? int64_t{*std::max_element(texts.values, texts.values + total)} + 1 : 1;
}

}  // namespace

void shared_ngrams(const base::Batch &texts, int32_t order, const int64_t *first, const int64_t *second, int64_t pairs,
                   int threads, int64_t *out) {
  NgramNumbers numbers(texts, symbols_of(texts));
  for (int32_t n = 1; n <= order; ++n) {
    if (n > 1) numbers.lengthen();
    PieceSets sets;
    for (int64_t t = 0; t < texts.size; ++t) {
      for (int64_t i = 0; i + n <= texts.length(t); ++i) sets.add(numbers.of(t)[i]);
      sets.next_text();
    }
    base::parallel_blocks(pairs, 1024, threads, [&](int64_t begin, int64_t end, int) {
      sets.count_shared(first, second, begin, end, out + (n - 1) * pairs);
    });
  }
}

void expected_ngrams(const base::Batch &texts, int32_t order, const int64_t *starts, int64_t lists,
                     const double *weights, double *out) {
  NgramNumbers numbers(texts, symbols_of(texts));
  std::vector<double> expected;
  std::vector<int32_t> counts;
  for (int32_t n = 1; n <= order; ++n) {
    if (n > 1) numbers.lengthen();
    expected.assign(numbers.distinct(), 0);
    counts.assign(numbers.distinct(), 0);
    for (int64_t l = 0; l < lists; ++l) {
      const auto each = [&](int64_t t, auto &&see) {
        for (int64_t i = 0; i + n <= texts.length(t); ++i) see(numbers.of(t)[i]);
      };
      for (int64_t t = starts[l]; t < starts[l + 1]; ++t) {
        each(t, [&](int32_t ngram) { expected[ngram] += weights[t]; });
      }
      for (int64_t t = starts[l]; t < starts[l + 1]; ++t) {
        double shared = 0;
        each(t, [&](int32_t ngram) { ++counts[ngram]; });
        each(t, [&](int32_t ngram) {  // the second time, nothing is left
          shared += std::min<double>(counts[ngram], expected[ngram]);
          counts[ngram] = 0;
        });
        out[(n - 1) * texts.size + t] = shared;
      }
      for (int64_t t = starts[l]; t < starts[l + 1]; ++t) each(t, [&](int32_t ngram) { expected[ngram] = 0; });
    }
  }
}

}  // namespace wordorder::overlap
