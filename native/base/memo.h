// Results for sequences of numbers that come again, as among pairs of similar texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wordorder::base {

// A table of recent sequences, which must outlive it; a sequence may take the place of an older one.
template <class Result>
class Memo {
 public:
  struct Found {
    Result &result;
    bool known;  // if not, the caller must set the result
  };
  Found find(const int32_t *begin, size_t size) {
    if (slots_.empty()) slots_.resize(kSlots);
    const uint64_t mixed = hash(begin, size);
    Slot &slot = slots_[mixed >> kShift];
    const bool known =
        slot.begin != nullptr && slot.hash == mixed && slot.size == size && std::equal(begin, begin + size, slot.begin);
    if (!known) {
      slot.begin = begin;
      slot.size = size;
      slot.hash = mixed;
    }
    return {slot.result, known};
  }

 private:
  static constexpr int kShift = 54;
  static constexpr size_t kSlots = size_t{1} << (64 - kShift);
  struct Slot {
    const int32_t *begin = nullptr;
    size_t size = 0;
    uint64_t hash = 0;
    Result result{};
  };
  // Four numbers at a time in two independent chains, which a CPU computes side by side.
  static uint64_t hash(const int32_t *begin, size_t size) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
    uint64_t left = size, right = ~left, pair[2];
    size_t k = 0;
    for (; k + 4 <= size; k += 4) {
      std::memcpy(pair, begin + k, sizeof pair);
      left = (left ^ pair[0]) * kFactor;
      right = (right ^ pair[1]) * kFactor;
    }
    for (; k < size; ++k) left = (left ^ static_cast<uint32_t>(begin[k])) * kFactor;
    left ^= left >> 32;
    right ^= right >> 29;
    return (left * kFactor ^ right) * kFactor;
  }
  std::vector<Slot> slots_;
};

}  // namespace wordorder::base
