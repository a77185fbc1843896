// Results for sequences of numbers that come again, as among pairs of similar texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wordorder::base {

// A table of recent sequences; a sequence may take the place of an older one.
template <class Result>
class Memo {
 public:
  struct Found {
    Result &result;
    bool known;  // if not, the caller must set the result
  };
  Found find(const int32_t *begin, size_t size) {
    if (slots_.empty()) slots_.resize(kSlots);
    Slot &slot = slots_[hash(begin, size) % kSlots];
    const bool known = slot.used && slot.key.size() == size && std::equal(begin, begin + size, slot.key.begin());
    if (!known) {
      slot.used = true;
      slot.key.assign(begin, begin + size);
    }
    return {slot.result, known};
  }

 private:
  static constexpr uint64_t kSlots = 1 << 10;
  struct Slot {
    bool used = false;
    std::vector<int32_t> key;
    Result result{};
  };
  // Two numbers at a time in two independent chains, which a CPU computes side by side.
  static uint64_t hash(const int32_t *begin, size_t size) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
    uint64_t sums[2] = {size, ~size};
    size_t k = 0;
    for (; k + 2 <= size; k += 2) {
      uint64_t both;
      std::memcpy(&both, begin + k, sizeof both);
      uint64_t &sum = sums[k / 2 % 2];
      sum = (sum ^ both) * kFactor;
      sum ^= sum >> 29;
    }
    if (k < size) sums[0] = (sums[0] ^ static_cast<uint32_t>(begin[k])) * kFactor;
    const uint64_t mixed = (sums[0] ^ (sums[1] * kFactor)) * kFactor;
    return mixed >> 40;
  }
  std::vector<Slot> slots_;
};

}  // namespace wordorder::base
