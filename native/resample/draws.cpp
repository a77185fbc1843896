#include "resample/draws.h"

#include <algorithm>
#include <array>

namespace wordorder::resample {

namespace {

// Mixes the words of a seed into four, from which any number of words is made: numpy's SeedSequence (O'Neill 2015).
class Seed {
 public:
  explicit Seed(const std::vector<uint32_t> &words) {
    for (size_t k = 0; k < pool_.size(); ++k) pool_[k] = hashed(k < words.size() ? words[k] : 0);
    for (size_t from = 0; from < pool_.size(); ++from) {
      for (size_t to = 0; to < pool_.size(); ++to) {
        if (from != to) pool_[to] = mixed(pool_[to], hashed(pool_[from]));
      }
    }
    for (size_t from = pool_.size(); from < words.size(); ++from) {
      for (uint32_t &to : pool_) to = mixed(to, hashed(words[from]));
    }
  }

  uint64_t next() {
    const uint64_t low = half();
    return low | uint64_t{half()} << 32;
  }

 private:
  uint32_t hashed(uint32_t word) {
    word ^= in_;
    in_ *= 0x931e8875u;
    word *= in_;
    return word ^ word >> 16;
  }
  static uint32_t mixed(uint32_t x, uint32_t y) {
    const uint32_t word = 0xca01f9ddu * x - 0x4973f715u * y;
    return word ^ word >> 16;
  }
  uint32_t half() {
    uint32_t word = pool_[at_++ % pool_.size()] ^ out_;
    out_ *= 0x58f38dedu;
    word *= out_;
    return word ^ word >> 16;
  }

  std::array<uint32_t, 4> pool_{};
  uint32_t in_ = 0x43b0d7e5u, out_ = 0x8b51f9ddu;
  size_t at_ = 0;
};

constexpr uint64_t kFactorHigh = 2549297995355413924u, kFactorLow = 4865540595714422341u;

}  // namespace

Draws::Wide Draws::product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__  // one instruction; this product is most of the time of a draw
  __extension__ typedef unsigned __int128 Whole;
  const Whole whole = static_cast<Whole>(a) * b;
  return {static_cast<uint64_t>(whole >> 64), static_cast<uint64_t>(whole)};
#else
  const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & 0xffffffffu);
  return {a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (low & 0xffffffffu)};
#endif
}

Draws::Wide Draws::sum(const Wide &a, const Wide &b) {
  const uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low), low};
}

Draws::Draws(const std::vector<uint32_t> &seed) {
  Seed words(seed);
  const uint64_t high = words.next(), low = words.next(), stream_high = words.next(), stream_low = words.next();
  increment_ = {stream_high << 1 | stream_low >> 63, stream_low << 1 | 1};
  step();
  state_ = sum(state_, {high, low});
  step();
}

void Draws::step() {
  Wide times = product(state_.low, kFactorLow);
  times.high += state_.high * kFactorLow + state_.low * kFactorHigh;
  state_ = sum(times, increment_);
}

uint32_t Draws::next() {
  has_spare_ = !has_spare_;
  if (!has_spare_) return spare_;
  step();
  const uint64_t bits = state_.high ^ state_.low;
  const unsigned turn = static_cast<unsigned>(state_.high >> 58);
  const uint64_t turned = bits >> turn | bits << (-turn & 63);
  spare_ = static_cast<uint32_t>(turned >> 32);
  return static_cast<uint32_t>(turned);
}

uint32_t Draws::below(uint32_t end) {
  uint64_t found = uint64_t{next()} * end;
  if (static_cast<uint32_t>(found) < end) {
    const uint32_t least = -end % end;  // 2^32 modulo end: as many products would favour some numbers
    while (static_cast<uint32_t>(found) < least) found = uint64_t{next()} * end;
  }
  return static_cast<uint32_t>(found >> 32);
}

void Draws::weights(int64_t samples, int64_t segments, double *out) {
  std::fill(out, out + samples * segments, 0.0);
  const auto end = static_cast<uint32_t>(segments);
  for (int64_t sample = 0; sample < samples; ++sample, out += segments) {
    if (segments == 1) out[0] = 1;  // nothing is drawn from a single segment
    for (int64_t k = 0; segments > 1 && k < segments; ++k) out[below(end)] += 1;
  }
}

}  // namespace wordorder::resample
