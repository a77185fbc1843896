#include "overlap/ngram_chain.h"

#include <algorithm>

namespace wordorder::overlap {
namespace {

int64_t pieces(size_t length, int64_t size, int64_t drop) {
  return std::max<int64_t>(0, static_cast<int64_t>(length) - size + 1 - drop);
}

}  // namespace

void NgramChain::Places::begin(const Symbols &symbols) {
  at.resize(symbols.size() + 1);
  key.resize(symbols.size() + 1);
  number.resize(symbols.size() + 1);
  size = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    at[size] = static_cast<int32_t>(i);
    key[size] = static_cast<uint64_t>(symbols[i]);
    size += symbols[i] >= 0;
  }
}

void NgramChain::Places::keep_symbols(size_t length) {
  last.resize(length);
  for (size_t k = 0; k < size; ++k) last[at[k]] = number[k] - 1;
}

// N-grams that are one symbol longer begin where two neighbouring places are left.
void NgramChain::Places::lengthen(uint64_t symbols, int32_t before) {
  size_t kept = 0;
  for (size_t k = 0; k + 1 < size; ++k) {
    const int32_t here = at[k];
    const bool goes_on = at[k + 1] == here + 1;
    const int32_t next = last[goes_on ? here + before : here];
    key[kept] = static_cast<uint64_t>(number[k] - 1) * symbols + static_cast<uint64_t>(next);
    at[kept] = here;
    kept += goes_on;
  }
  size = kept;
}

template <class Add, class Get>
int64_t NgramChain::share_by(Add add, Get get, int64_t hyp_limit, int64_t ref_limit) {
  left_.resize(ref_.size + 1);
  seen_.resize(ref_.size + 1);
  left_[0] = 0;
  distinct_ = 0;
  for (size_t k = 0; k < ref_.size; ++k) {
    const int32_t n = add(ref_.key[k]);
    const bool fresh = n > distinct_;
    distinct_ += fresh;
    ref_.number[k] = n;
    left_[n] = (fresh ? 0 : left_[n]) + (ref_.at[k] < ref_limit);
    seen_[n] = 0;
  }
  int64_t matched = 0;
  size_t kept = 0;
  for (size_t k = 0; k < hyp_.size; ++k) {
    const int32_t n = get(hyp_.key[k]), here = hyp_.at[k];
    const bool taken = (left_[n] > 0) & (here < hyp_limit);
    left_[n] -= taken;
    matched += taken;
    seen_[n] = 1;
    hyp_.number[kept] = n;
    hyp_.at[kept] = here;
    kept += n != 0;
  }
  hyp_.size = kept;
  return matched;
}

int64_t NgramChain::share(uint64_t keys, int64_t hyp_limit, int64_t ref_limit) {
  int64_t matched;
  if (keys <= kDirect) {
    if (direct_.empty()) direct_.resize(kDirect);
    int32_t *const direct = direct_.data();
    const auto add = [&](uint64_t key) { return direct[key] = direct[key] ? direct[key] : distinct_ + 1; };
    matched = share_by(add, [&](uint64_t key) { return direct[key]; }, hyp_limit, ref_limit);
    for (size_t k = 0; k < ref_.size; ++k) direct[ref_.key[k]] = 0;
  } else {
    numbers_.begin(keys, ref_.size);
    matched = share_by([&](uint64_t key) { return numbers_.add(key) + 1; },
                       [&](uint64_t key) { return numbers_.get(key) + 1; }, hyp_limit, ref_limit);
  }
  size_t kept = 0;
  for (size_t k = 0; k < ref_.size; ++k) {
    ref_.number[kept] = ref_.number[k];
    ref_.at[kept] = ref_.at[k];
    kept += seen_[ref_.number[k]];
  }
  ref_.size = kept;
  return matched;
}

void NgramChain::count(const Symbols &hyp, const Symbols &ref, uint64_t keys, const std::vector<Want> &wants) {
  const size_t h = hyp.size(), r = ref.size();
  int32_t size = 0;
  uint64_t symbols = 0;
  for (const Want &want : wants) {
    const int64_t hyp_pieces = pieces(h, want.size, want.drop), ref_pieces = pieces(r, want.size, want.drop);
    want.out[0] = want.size == 0 ? std::min(hyp_pieces, ref_pieces) : 0;  // of size 0: the empty piece
    want.out[1] = hyp_pieces;
    want.out[2] = ref_pieces;
    if (want.size == 0 || hyp_pieces == 0 || ref_pieces == 0) continue;
    if (want.size == size) {  // counted before, but with other limits or for another place
      hyp_.key.assign(hyp_.number.begin(), hyp_.number.end());
      ref_.key.assign(ref_.number.begin(), ref_.number.end());
      want.out[0] = share(static_cast<uint64_t>(distinct_) + 1, hyp_pieces, ref_pieces);
      continue;
    }
    while (size < want.size && (size == 0 || hyp_.size > 0)) {  // until nothing is shared
      if (size == 0) {
        hyp_.begin(hyp);
        ref_.begin(ref);
      } else {
        hyp_.lengthen(symbols, size);
        ref_.lengthen(symbols, size);
      }
      const uint64_t below = size == 0 ? keys : static_cast<uint64_t>(distinct_) * symbols;
      const int64_t matched = share(below, hyp_pieces, ref_pieces);
      if (++size == want.size) want.out[0] = matched;
      if (size == 1) {
        symbols = static_cast<uint64_t>(distinct_);
        hyp_.keep_symbols(h);
        ref_.keep_symbols(r);
      }
    }
  }
}

}  // namespace wordorder::overlap
