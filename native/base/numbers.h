// Consecutive numbers for keys and for words, in order of appearance.
#pragma once

#include <cstdint>
#include <cstring>
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

// A hash of a word, eight bytes at a time. It is used in memory only.
inline uint64_t hash_of(std::string_view word) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
  const char *at = word.data();
  size_t left = word.size();
  uint64_t hash = left * kFactor;
  uint64_t part;
  for (; left >= 8; at += 8, left -= 8) {
    std::memcpy(&part, at, 8);
    hash = (hash ^ part) * kFactor;
    hash ^= hash >> 32;
  }
  part = 0;
  for (size_t k = 0; k < left; ++k) part |= static_cast<uint64_t>(static_cast<unsigned char>(at[k])) << (8 * k);
  hash = (hash ^ part) * kFactor;
  return hash ^ (hash >> 32);
}

// The same for words, which are kept where they are: the text that they are part of must outlive this object.
class WordNumbers {
 public:
  // Starts again, with room for `most` different words, and more if need be.
  void begin(size_t most) {
    size_t room = 64;
    while (room < 2 * most) room *= 2;
    slots_.assign(room, Slot{});
    words_.clear();
  }
  int32_t add(std::string_view word) {
    const uint32_t hash = static_cast<uint32_t>(hash_of(word));
    size_t slot = find(word, hash);
    if (slots_[slot].number == 0) {
      if (2 * (words_.size() + 1) > slots_.size()) {
        grow();
        slot = find(word, hash);
      }
      words_.push_back(word);
      slots_[slot] = {hash, size()};
    }
    return slots_[slot].number - 1;
  }
  // The number of a word, or -1.
  int32_t get(std::string_view word) const {
    return slots_[find(word, static_cast<uint32_t>(hash_of(word)))].number - 1;
  }
  int32_t size() const { return static_cast<int32_t>(words_.size()); }
  // All words; word k has number k. The view of a word may be replaced by another of the same letters.
  const std::vector<std::string_view> &words() const { return words_; }
  void move_last(std::string_view word) { words_.back() = word; }

 private:
  struct Slot {
    uint32_t hash = 0;
    int32_t number = 0;
  };
  size_t find(std::string_view word, uint32_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash & mask;
    while (slots_[slot].number != 0 &&
           (slots_[slot].hash != hash || words_[static_cast<size_t>(slots_[slot].number) - 1] != word)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot &each : old) {
      if (each.number == 0) continue;
      size_t slot = each.hash & (slots_.size() - 1);
      while (slots_[slot].number != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = each;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::vector<std::string_view> words_;
};

}  // namespace wordorder::base
