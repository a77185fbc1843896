// How often each segment of a small corpus is drawn in bootstrap samples.
//
// The draws are those of numpy.random.default_rng(seed).integers(n, size=n), sample after sample: the generator PCG64
// (O'Neill 2014) with numpy's way of making its state from a seed, and Lemire's (2019) numbers below a bound. Published
// intervals thus stay as they are, and neither numpy.random, which takes long to import, nor a loop in Python is needed.
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::resample {

class Draws {
 public:
  // `seed` are the words of 32 bits of a seed, the lowest first.
  explicit Draws(const std::vector<uint32_t> &seed);
  // Fills `out`, [samples][segments], with the weights of the segments in the next samples.
  void weights(int64_t samples, int64_t segments, double *out);

 private:
  struct Wide {
    uint64_t high, low;
  };
  static Wide product(uint64_t a, uint64_t b);
  static Wide sum(const Wide &a, const Wide &b);

  void step();
  uint32_t next();
  uint32_t below(uint32_t end);

  Wide state_{0, 0}, increment_{0, 0};
  uint32_t spare_ = 0;  // the second half of the last 64 bits
  bool has_spare_ = false;
};

}  // namespace wordorder::resample
