// Consecutive numbers for keys and for words, in order of appearance.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wordorder::base {

// Numbers for integer keys. Small keys, which are the most common, need no hashing.
class Numbers {
 public:
  // Starts again. Keys will be below `keys`; room is made for `most` different ones.
  void begin(uint64_t keys, size_t most) {
    for (const uint64_t key : small_) direct_[key] = 0;
    for (const uint64_t slot : large_) slots_[slot].number = 0;
    small_.clear();
    large_.clear();
    if (direct_.empty()) direct_.resize(kDirect);
    if (keys <= kDirect) return;
    size_t room = 64;
    while (room < 2 * most) room *= 2;
    if (slots_.size() < room) slots_.resize(room);
    mask_ = room - 1;
  }
  int32_t add(uint64_t key) {
    if (key < kDirect) {
      int32_t &number = direct_[key];
      if (number == 0) {
        small_.push_back(key);
        number = size();
      }
      return number - 1;
    }
    uint64_t slot = find(key);
    if (slots_[slot].number == 0) {
      if (2 * (large_.size() + 1) > mask_ + 1) {
        grow();
        slot = find(key);
      }
      large_.push_back(slot);
      slots_[slot] = {key, size()};
    }
    return slots_[slot].number - 1;
  }
  // The number of a key, or -1.
  int32_t get(uint64_t key) const { return (key < kDirect ? direct_[key] : slots_[find(key)].number) - 1; }
  int32_t size() const { return static_cast<int32_t>(small_.size() + large_.size()); }

 private:
  static constexpr uint64_t kDirect = 1 << 14;
  struct Slot {
    uint64_t key = 0;
    int32_t number = 0;
  };
  void grow() {
    std::vector<Slot> kept;
    for (const uint64_t slot : large_) {
      kept.push_back(slots_[slot]);
      slots_[slot].number = 0;
    }
    mask_ = 2 * mask_ + 1;
    if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
    for (size_t k = 0; k < kept.size(); ++k) {
      large_[k] = find(kept[k].key);
      slots_[large_[k]] = kept[k];
    }
  }
  uint64_t find(uint64_t key) const {
    uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 32;
    uint64_t slot = mixed & mask_;
    while (slots_[slot].number != 0 && slots_[slot].key != key) slot = (slot + 1) & mask_;
    return slot;
  }

  std::vector<int32_t> direct_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> small_, large_;  // the keys and slots in use
  uint64_t mask_ = 0;
};

// The same for words.
class WordNumbers {
 public:
  void begin(size_t most) {
    size_t room = 64;
    while (room < 2 * most) room *= 2;
    slots_.assign(room, 0);
    words_.clear();
  }
  int32_t add(std::string_view word) {
    int32_t &slot = slots_[find(word)];
    if (slot == 0) {
      words_.push_back(word);
      slot = static_cast<int32_t>(words_.size());
    }
    return slot - 1;
  }
  int32_t get(std::string_view word) const { return slots_[find(word)] - 1; }
  int32_t size() const { return static_cast<int32_t>(words_.size()); }

 private:
  size_t find(std::string_view word) const {
    uint64_t hash = 0xCBF29CE484222325u;
    for (const unsigned char c : word) hash = (hash ^ c) * 0x100000001B3u;
    const size_t mask = slots_.size() - 1;
    size_t slot = (hash ^ (hash >> 32)) & mask;
    while (slots_[slot] != 0 && words_[slots_[slot] - 1] != word) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<int32_t> slots_;
  std::vector<std::string_view> words_;
};

}  // namespace wordorder::base
