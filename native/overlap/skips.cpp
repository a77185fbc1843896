#include "overlap/skips.h"

#include <algorithm>

namespace wordorder::overlap {
namespace {

int64_t pairs_within(int64_t words, int64_t distance) {
  distance = std::min(distance, words - 1);
  return distance <= 0 ? 0 : distance * words - distance * (distance + 1) / 2;
}

}  // namespace

void SkipCounter::count(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants) {
  const int64_t h = hyp.size(), r = ref.size();
  for (const Want &want : wants) {
    const int64_t distance = want.size < 0 ? std::max(h, r) : want.size + int64_t{1};
    want.out[1] = pairs_within(h, distance);
    want.out[2] = pairs_within(r, distance);
  }
  if (symbols <= kTable && hyp.size() <= kFew && ref.size() <= kFew) {
    few(hyp, ref, symbols, wants);
  } else {
    for (const Want &want : wants) many(hyp, ref, symbols, want);
  }
}

// Handles all limits in one pass: pairs are added by distance, and a table holds how many more of each pair the
// hypothesis has than the reference.
void SkipCounter::few(const Symbols &hyp, const Symbols &ref, int32_t symbols, const std::vector<Want> &wants) {
  const int32_t h = static_cast<int32_t>(hyp.size()), r = static_cast<int32_t>(ref.size());
  // One more word stands for all that are not shared; its pairs are not counted. Without branches, which words that
  // come and go would mispredict.
  const int32_t stride = symbols + 1;
  ahead_.assign(static_cast<size_t>(stride) * stride, 0);
  const auto known = [&](const Symbols &words, Symbols &all) {
    all.resize(words.size());
    for (size_t i = 0; i < words.size(); ++i) all[i] = words[i] < 0 ? symbols : words[i];
  };
  known(hyp, hyp_words_);
  known(ref, ref_words_);
  int64_t matched = 0;
  auto want = wants.begin();
  const int32_t *const x = hyp_words_.data(), *const y = ref_words_.data();
  for (int32_t d = 1; d < std::max(h, r); ++d) {
    for (; want != wants.end() && want->size >= 0 && want->size == d - 2; ++want) want->out[0] = matched;
    if (want == wants.end()) return;
    for (int32_t i = 0; i + d < r; ++i) {
      int32_t &a = ahead_[y[i] * stride + y[i + d]];
      matched += (a > 0) & (y[i] != symbols) & (y[i + d] != symbols);
      --a;
    }
    for (int32_t i = 0; i + d < h; ++i) {
      int32_t &a = ahead_[x[i] * stride + x[i + d]];
      matched += (a < 0) & (x[i] != symbols) & (x[i + d] != symbols);
      ++a;
    }
  }
  for (; want != wants.end(); ++want) want->out[0] = matched;
}

void SkipCounter::Places::set(const Symbols &words, int32_t symbols) {
  begin.assign(symbols + 1, 0);
  for (const int32_t w : words) begin[w + 1] += w >= 0;
  for (int32_t w = 0; w < symbols; ++w) begin[w + 1] += begin[w];
  at.resize(begin[symbols]);
  next.assign(begin.begin(), begin.end());
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] >= 0) at[next[words[i]]++] = static_cast<int64_t>(i);
  }
}

// Handles one first word at a time, so that memory is linear in the length of the line.
void SkipCounter::many(const Symbols &hyp, const Symbols &ref, int32_t symbols, const Want &want) {
  const int64_t longest = std::max(hyp.size(), ref.size());
  const int64_t distance = want.size < 0 ? longest : std::min<int64_t>(longest, want.size + int64_t{1});
  hyp_places_.set(hyp, symbols);
  ref_places_.set(ref, symbols);
  hyp_after_.assign(symbols, 0);
  ref_after_.assign(symbols, 0);
  int64_t matched = 0;
  for (int32_t first = 0; first < symbols; ++first) {
    if (hyp_places_.empty(first) || ref_places_.empty(first)) continue;
    touched_.clear();
    followers(hyp, hyp_places_, first, distance, hyp_after_);
    followers(ref, ref_places_, first, distance, ref_after_);
    for (const int32_t word : touched_) {  // a word that is in both lists is zero the second time
      matched += std::min(hyp_after_[word], ref_after_[word]);
      hyp_after_[word] = ref_after_[word] = 0;
    }
  }
  want.out[0] = matched;
}

// Counts how often each word follows `first` within the distance: separately from each position of `first` or, if that
// would cover more than the whole text, in one sweep with the number of positions in reach.
void SkipCounter::followers(const Symbols &words, const Places &places, int32_t first, int64_t distance,
                            std::vector<int64_t> &after) {
  const int64_t n = words.size(), begin = places.begin[first], end = places.begin[first + 1];
  const auto add = [&](int64_t j, int64_t times) {
    const int32_t word = words[j];
    if (word < 0 || times == 0) return;
    if (after[word] == 0) touched_.push_back(word);
    after[word] += times;
  };
  if ((end - begin) * distance <= n) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t stop = std::min(n, places.at[k] + distance + 1);
      for (int64_t j = places.at[k] + 1; j < stop; ++j) add(j, 1);
    }
    return;
  }
  int64_t reach = 0;
  for (int64_t j = places.at[begin] + 1; j < n; ++j) {
    reach += words[j - 1] == first;
    if (j - distance - 1 >= 0) reach -= words[j - distance - 1] == first;
    add(j, reach);
  }
}

}  // namespace wordorder::overlap
