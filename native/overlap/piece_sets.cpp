#include "overlap/piece_sets.h"

#include "base/bits.h"
#include "base/dispatch.h"

namespace wordorder::overlap {
namespace {

WO_CLONES int64_t common_bits(const uint64_t *marked, const int32_t *place, const uint64_t *word, int64_t size) {
  int64_t sum = 0;
  for (int64_t k = 0; k < size; ++k) sum += base::count_ones(marked[place[k]] & word[k]);
  return sum;
}

}  // namespace

int32_t PieceSets::new_number() {
  const int32_t number = static_cast<int32_t>(repeated_.size());
  repeated_.push_back(-1);
  if (bits_.size() <= static_cast<size_t>(number >> 6)) bits_.push_back(0);
  return number;
}

void PieceSets::add(int32_t piece) {
  if (static_cast<size_t>(piece) >= slots_.size()) slots_.resize(piece + 1);
  Slot &slot = slots_[piece];
  const int64_t text = static_cast<int64_t>(begins_.size()) - 1;
  int32_t number = slot.text == text ? repeated_[slot.latest] : slot.number;
  if (number < 0) {
    number = new_number();
    (slot.text == text ? repeated_[slot.latest] : slot.number) = number;
  }
  slot.text = text;
  slot.latest = number;
  uint64_t &word = bits_[number >> 6];
  if (word == 0) used_.push_back(number >> 6);
  word |= uint64_t{1} << (number & 63);
}

void PieceSets::next_text() {
  for (const int32_t place : used_) {
    place_.push_back(place);
    word_.push_back(bits_[place]);
    bits_[place] = 0;
  }
  used_.clear();
  begins_.push_back(static_cast<int64_t>(place_.size()));
}

void PieceSets::count_shared(const int64_t *first, const int64_t *second, int64_t begin, int64_t end,
                             int64_t *out) const {
  std::vector<uint64_t> marked(bits_.size());
  for (int64_t p = begin; p < end; ++p) {
    const int64_t one = first[p], from = begins_[one], to = begins_[one + 1];
    if (p == begin || one != first[p - 1]) {
      for (int64_t k = from; k < to; ++k) marked[place_[k]] = word_[k];
    }
    const int64_t other = begins_[second[p]];
    out[p] = common_bits(marked.data(), place_.data() + other, word_.data() + other, begins_[second[p] + 1] - other);
    if (p + 1 == end || one != first[p + 1]) {
      for (int64_t k = from; k < to; ++k) marked[place_[k]] = 0;
    }
  }
}

}  // namespace wordorder::overlap
