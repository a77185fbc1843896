#include "resample/weighted_sums.h"

#include <algorithm>
#include <cmath>

#include "base/dispatch.h"

namespace wordorder::resample {
namespace {

constexpr int most = 12;       // draws of one segment; more have a probability below 2^-32
constexpr int64_t tile = 64;   // segments at a time, whose rows stay in the cache
constexpr int64_t block = 1024;  // segments whose sums are exact in doubles: 38 bits, and weights of 14 bits together
constexpr int64_t lanes = 8;    // sums of a sample at a time, which stay in registers ...
constexpr int64_t together = 4;  // ... as do those of so many samples

// The numbers that a random number of 32 bits must reach for 1, 2, ... draws.
std::array<uint32_t, most> poisson_limits() {
  std::array<uint32_t, most> out;
  double probability = std::exp(-1.0), sum = 0;
  for (int k = 0; k < most; ++k) {
    sum += probability;
    out[k] = static_cast<uint32_t>(std::min(std::floor(sum * 4294967296.0), 4294967295.0));
    probability /= k + 1;
  }
  return out;
}

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The finaliser of MurmurHash3 (Appleby 2011), which vector units can compute.
inline uint32_t scrambled(uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

// Random numbers of some segments, before the sample is known.
struct Keys {
  std::array<uint32_t, tile> low, high;

  void set(uint64_t start, int64_t first, int64_t size) {
    for (int64_t s = 0; s < size; ++s) {
      const uint64_t key = mixed(start ^ static_cast<uint64_t>(first + s));
      low[s] = static_cast<uint32_t>(key);
      high[s] = static_cast<uint32_t>(key >> 32);
    }
  }
};

inline void draw_weights(Draw draw, const std::array<uint32_t, most> &limits, const Keys &keys, int64_t sample,
                         double *out) {
  const uint32_t number = static_cast<uint32_t>(sample) * 0x9e3779b9u;
  if (draw == Draw::all) {
    std::fill(out, out + tile, 1.0);
  } else if (draw == Draw::half) {
    for (int64_t s = 0; s < tile; ++s) {
      out[s] = static_cast<int32_t>(scrambled(scrambled(keys.low[s] + number) ^ keys.high[s]) >> 31);
    }
  } else {
    for (int64_t s = 0; s < tile; ++s) {
      const uint32_t bits = scrambled(scrambled(keys.low[s] + number) ^ keys.high[s]);
      int32_t weight = 0;
      for (int k = 0; k < most; ++k) weight += bits >= limits[k];
      out[s] = weight;
    }
  }
}

// The parts of columns that are not zero in a block, side by side, with columns of zeros up to a multiple of `lanes`.
struct Split {
  std::vector<double> values;  // [block][width]
  std::vector<int64_t> place;  // of each column among column * parts + part
  int64_t width = 0;

  void set(const double *rows, int64_t count, int64_t columns) {
    std::vector<double> all(static_cast<size_t>(count * columns * parts));
    std::vector<char> used(static_cast<size_t>(columns * parts), 0);
    for (int64_t i = 0; i < count * columns; ++i) {
      double rest = rows[i];
      for (int p = 0; p < parts; ++p) {
        const double scaled = std::ldexp(rest, -exponents[p]);
        const double part = p == parts - 1 ? std::nearbyint(scaled) : std::trunc(scaled);
        all[i * parts + p] = part;
        used[(i % columns) * parts + p] |= part != 0;
        rest -= std::ldexp(part, exponents[p]);
      }
    }
    place.clear();
    for (int64_t k = 0; k < columns * parts; ++k) {
      if (used[k]) place.push_back(k);
    }
    width = (static_cast<int64_t>(place.size()) + lanes - 1) / lanes * lanes;
    values.assign(static_cast<size_t>(block * width), 0.0);
    for (int64_t s = 0; s < count; ++s) {
      for (size_t k = 0; k < place.size(); ++k) values[s * width + k] = all[s * columns * parts + place[k]];
    }
  }
};

// Adds the weighted sums of a block to `sums`, [samples][width]; samples come in groups of `together`. Segments after the last one are rows of zeros.
WO_CLONES
void add_block(Draw draw, uint64_t start, int64_t first, const Split &split, int64_t samples, double *sums) {
  const auto limits = poisson_limits();
  const int64_t width = split.width;
  Keys keys;
  double weight[together][tile];
  for (int64_t from = 0; from < block; from += tile) {
    keys.set(start, first + from, tile);
    const double *rows = split.values.data() + from * width;
    for (int64_t b = 0; b < samples; b += together) {
      for (int64_t t = 0; t < together; ++t) draw_weights(draw, limits, keys, b + t, weight[t]);
      for (int64_t k = 0; k < width; k += lanes) {
        double sum[together][lanes];
        for (int64_t t = 0; t < together; ++t) {
          for (int64_t i = 0; i < lanes; ++i) sum[t][i] = sums[(b + t) * width + k + i];
        }
        for (int64_t s = 0; s < tile; ++s) {
          const double *row = rows + s * width + k;
          for (int64_t t = 0; t < together; ++t) {
            for (int64_t i = 0; i < lanes; ++i) sum[t][i] += weight[t][s] * row[i];
          }
        }
        for (int64_t t = 0; t < together; ++t) {
          for (int64_t i = 0; i < lanes; ++i) sums[(b + t) * width + k + i] = sum[t][i];
        }
      }
    }
  }
}

}  // namespace

void carry(int64_t *sum) {
  for (int p = parts - 1; p > 0; --p) {
    const int bits = exponents[p - 1] - exponents[p];
    const int64_t whole = (sum[p] + (int64_t{1} << (bits - 1))) >> bits;
    sum[p] -= whole * (int64_t{1} << bits);
    sum[p - 1] += whole;
  }
}

void weights(Draw draw, uint64_t seed, int64_t first, int64_t count, int64_t sample, double *out) {
  const auto limits = poisson_limits();
  Keys keys;
  double weight[tile];
  for (int64_t from = 0; from < count; from += tile) {
    keys.set(mixed(seed), first + from, tile);
    draw_weights(draw, limits, keys, sample, weight);
    std::copy(weight, weight + std::min(tile, count - from), out + from);
  }
}

std::vector<int64_t> weighted_sums(Draw draw, uint64_t seed, const Rows &rows, int64_t samples) {
  std::vector<int64_t> out(static_cast<size_t>(samples * rows.columns * parts), 0);
  const int64_t grouped = (samples + together - 1) / together * together;
  std::vector<double> sums;
  Split split;
  for (int64_t from = 0; from < rows.count; from += block) {
    split.set(rows.values + from * rows.columns, std::min(block, rows.count - from), rows.columns);
    sums.assign(static_cast<size_t>(grouped * split.width), 0.0);
    add_block(draw, mixed(seed), rows.first + from, split, grouped, sums.data());
    for (int64_t b = 0; b < samples; ++b) {
      int64_t *row = out.data() + b * rows.columns * parts;
      for (size_t k = 0; k < split.place.size(); ++k) {
        row[split.place[k]] += static_cast<int64_t>(sums[b * split.width + k]);
      }
      for (int64_t c = 0; c < rows.columns; ++c) carry(row + c * parts);
    }
  }
  return out;
}

}  // namespace wordorder::resample
