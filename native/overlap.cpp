#include "overlap.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "parallel.h"
#include "words.h"

namespace wordorder {
namespace {

using Symbols = std::vector<int32_t>;

// Numbers for 64-bit keys, in the order in which they come; small keys need no hashing.
class Numbers {
 public:
  // Keys lie below `keys`; at most `most` different ones will come.
  void begin(uint64_t keys, size_t most) {
    for (const uint64_t slot : used_) slots_[slot].number = 0;
    used_.clear();
    direct_ = keys <= kDirect;
    size_t room = direct_ ? static_cast<size_t>(keys) : 64;
    while (!direct_ && room < 2 * most) room *= 2;
    if (slots_.size() < room) slots_.resize(room);
    mask_ = room - 1;
  }
  int32_t add(uint64_t key) {
    const uint64_t slot = find(key);
    if (slots_[slot].number == 0) {
      used_.push_back(slot);
      slots_[slot] = {key, static_cast<int32_t>(used_.size())};
    }
    return slots_[slot].number - 1;
  }
  int32_t get(uint64_t key) const { return slots_[find(key)].number - 1; }  // -1: not there
  int32_t size() const { return static_cast<int32_t>(used_.size()); }

 private:
  static constexpr uint64_t kDirect = 1 << 14;
  struct Slot {
    uint64_t key = 0;
    int32_t number = 0;
  };
  uint64_t find(uint64_t key) const {
    if (direct_) return key;
    uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 32;
    uint64_t slot = mixed & mask_;
    while (slots_[slot].number != 0 && slots_[slot].key != key) slot = (slot + 1) & mask_;
    return slot;
  }

  std::vector<Slot> slots_;
  std::vector<uint64_t> used_;
  uint64_t mask_ = 0;
  bool direct_ = true;
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

// One side of a pair.
struct Side {
  std::vector<std::string_view> words;
  Symbols characters;  // code points, later numbers
  Symbols numbers;     // of words; -1: not on the other side
  std::string buffer, spare;

  void cut(std::string_view line, const Cutting &cutting) {
    words.clear();
    const char *at = line.data(), *end = at + line.size();
    if (cutting.split == Cutting::spaces) {
      cut_at_spaces(at, end);
    } else {
      if (cutting.split == Cutting::mteval_13a) {
        tokenise_13a(line, buffer, spare);
        at = buffer.data();
        end = at + buffer.size();
      }
      while (at < end) {
        if (const int skip = white(at, end)) {
          at += skip;
          continue;
        }
        const char *const begin = at;
        while (at < end && !white(at, end)) ++at;
        words.emplace_back(begin, at - begin);
      }
    }
    decode(cutting.utf16);
  }

 private:
  void cut_at_spaces(const char *at, const char *end) {
    const bool empty = at == end;
    while (at < end && end[-1] == ' ') --end;
    while (at < end) {
      const char *const begin = at;
      while (at < end && *at != ' ') ++at;
      words.emplace_back(begin, at - begin);
      while (at < end && *at == ' ') ++at;
    }
    if (empty) words.emplace_back("", 0);
  }

  // Well-formed UTF-8 is expected: Python made it.
  void decode(bool utf16) {
    characters.clear();
    for (size_t w = 0; w < words.size(); ++w) {
      if (w > 0) characters.push_back(' ');
      const char *at = words[w].data(), *const end = at + words[w].size();
      while (at < end) {
        const unsigned char c = *at;
        const int bytes = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        int32_t point = bytes == 1 ? c : c & (0x7F >> bytes);
        for (int k = 1; k < bytes && at + k < end; ++k) point = point << 6 | (at[k] & 0x3F);
        at += bytes;
        if (utf16 && point > 0xFFFF) {
          characters.push_back(0xD800 + ((point - 0x10000) >> 10));
          characters.push_back(0xDC00 + ((point - 0x10000) & 0x3FF));
        } else {
          characters.push_back(point);
        }
      }
    }
  }
};

// Where the counts of a template go.
struct Want {
  int32_t size, drop;
  int64_t *out;
};

int64_t pieces(int64_t length, int64_t size, int64_t drop) {
  return std::max<int64_t>(0, length - size + 1 - drop);
}

int64_t pairs_within(int64_t words, int64_t distance) {
  distance = std::min(distance, words - 1);
  return distance <= 0 ? 0 : distance * words - distance * (distance + 1) / 2;
}

class Counter {
 public:
  Counter(const std::vector<Counted> &templates, const Cutting &cutting) : cutting_(cutting) {
    for (size_t t = 0; t < templates.size(); ++t) {
      const Counted &one = templates[t];
      places_[static_cast<int>(one.kind)].push_back({one, 3 * t});
    }
    for (auto &places : places_) {
      // By size; skips of any width (-1) come last.
      std::stable_sort(places.begin(), places.end(), [](const Place &x, const Place &y) {
        return static_cast<uint32_t>(x.counted.size) < static_cast<uint32_t>(y.counted.size);
      });
    }
  }

  void count(std::string_view hypothesis, std::string_view reference, int64_t *out) {
    hyp_.cut(hypothesis, cutting_);
    ref_.cut(reference, cutting_);
    lengths(Kind::char_length, hyp_.characters.size(), ref_.characters.size(), out);
    lengths(Kind::word_length, hyp_.words.size(), ref_.words.size(), out);
    if (!of(Kind::chars).empty()) {
      wants_.clear();
      for (const Place &p : of(Kind::chars)) wants_.push_back({p.counted.size, p.counted.rule, out + p.at});
      const int32_t symbols = number_characters();
      chain(hyp_.characters, ref_.characters, symbols);
    }
    if (of(Kind::words).empty() && of(Kind::skips).empty()) return;
    const int32_t symbols = number_words();
    if (!of(Kind::skips).empty()) {
      wants_.clear();
      for (const Place &p : of(Kind::skips)) wants_.push_back({p.counted.size, 0, out + p.at});
      skips(symbols);
    }
    wants_.clear();
    for (const Place &p : of(Kind::words)) wants_.push_back({p.counted.size, 0, out + p.at});
    edges_.assign(of(Kind::words).size(), 0);
    for (size_t k = 0; k < wants_.size(); ++k) {
      if (of(Kind::words)[k].counted.rule) edges_[k] = shared_edges(wants_[k].size);
    }
    chain(hyp_.numbers, ref_.numbers, symbols);  // overwrites the numbers of single words
    for (size_t k = 0; k < wants_.size(); ++k) {
      if (!of(Kind::words)[k].counted.rule) continue;
      wants_[k].out[0] += edges_[k];
      wants_[k].out[1] += 2;
      wants_[k].out[2] += 2;
    }
  }

 private:
  struct Place {
    Counted counted;
    size_t at;
  };
  const std::vector<Place> &of(Kind kind) const { return places_[static_cast<int>(kind)]; }

  void lengths(Kind kind, int64_t hyp, int64_t ref, int64_t *out) const {
    for (const Place &p : of(kind)) {
      out[p.at] = std::min(hyp, ref);
      out[p.at + 1] = hyp;
      out[p.at + 2] = ref;
    }
  }

  int32_t number_characters() {
    numbers_.begin(std::numeric_limits<uint64_t>::max(), ref_.characters.size());
    return number(ref_.characters, hyp_.characters, ref_.characters.size(), hyp_.characters.size(),
                  [](const Symbols &from, size_t i) { return static_cast<int64_t>(from[i]); });
  }

  int32_t number_words() {
    words_.begin(ref_.words.size());
    ref_.numbers.clear();
    hyp_.numbers.clear();
    for (const std::string_view word : ref_.words) ref_.numbers.push_back(words_.add(word));
    seen_.assign(words_.size(), 0);
    for (const std::string_view word : hyp_.words) {
      const int32_t n = words_.get(word);
      if (n >= 0) seen_[n] = 1;
      hyp_.numbers.push_back(n);
    }
    for (int32_t &n : ref_.numbers) n = seen_[n] ? n : -1;
    return words_.size();
  }

  // Numbers the pieces at the first `ref_size` and `hyp_size` places, in place; -1: not on both sides.
  template <class Key>
  int32_t number(Symbols &ref, Symbols &hyp, size_t ref_size, size_t hyp_size, Key key) {
    for (size_t i = 0; i < ref_size; ++i) {
      const int64_t k = key(ref, i);
      ref[i] = k < 0 ? -1 : numbers_.add(k);
    }
    const int32_t found = numbers_.size();
    seen_.assign(found, 0);
    for (size_t i = 0; i < hyp_size; ++i) {
      const int64_t k = key(hyp, i);
      const int32_t n = k < 0 ? -1 : numbers_.get(k);
      if (n >= 0) seen_[n] = 1;
      hyp[i] = n;
    }
    for (size_t i = 0; i < ref_size; ++i) {
      if (ref[i] >= 0 && !seen_[ref[i]]) ref[i] = -1;
    }
    return found;
  }

  // N-grams of numbered symbols for all of wants_, which ascend by size.
  void chain(Symbols &hyp, Symbols &ref, int32_t symbols) {
    const int64_t h = hyp.size(), r = ref.size();
    int32_t size = 1, found = symbols;
    last_hyp_.assign(hyp.begin(), hyp.end());  // single symbols: hyp and ref become longer n-grams
    last_ref_.assign(ref.begin(), ref.end());
    for (const Want &want : wants_) {
      const int64_t hyp_pieces = pieces(h, want.size, want.drop), ref_pieces = pieces(r, want.size, want.drop);
      want.out[1] = hyp_pieces;
      want.out[2] = ref_pieces;
      if (hyp_pieces == 0 || ref_pieces == 0) {
        want.out[0] = 0;
        continue;
      }
      if (want.size == 0) {  // the empty piece
        want.out[0] = std::min(hyp_pieces, ref_pieces);
        continue;
      }
      while (size < want.size && found > 0) {
        const int32_t step = size++;
        numbers_.begin(static_cast<uint64_t>(found) * symbols, r);
        const auto longer = [&](const Symbols &from, size_t i) -> int64_t {
          if ((from[i] | from[i + 1]) < 0) return -1;
          const Symbols &last = &from == &ref ? last_ref_ : last_hyp_;
          return static_cast<int64_t>(from[i]) * symbols + last[i + step];
        };
        found = number(ref, hyp, std::max<int64_t>(0, r - step), std::max<int64_t>(0, h - step), longer);
      }
      want.out[0] = found == 0 ? 0 : clipped(hyp, hyp_pieces, ref, ref_pieces, found);
    }
  }

  int64_t clipped(const Symbols &hyp, int64_t hyp_pieces, const Symbols &ref, int64_t ref_pieces, int32_t found) {
    left_.assign(found, 0);
    for (int64_t i = 0; i < ref_pieces; ++i) {
      if (ref[i] >= 0) ++left_[ref[i]];
    }
    int64_t matched = 0;
    for (int64_t i = 0; i < hyp_pieces; ++i) {
      if (hyp[i] >= 0 && left_[hyp[i]] > 0) {
        --left_[hyp[i]];
        ++matched;
      }
    }
    return matched;
  }

  // Whether both texts begin, and whether they end, with the same `size` words or all they have.
  int shared_edges(int64_t size) const {
    const Symbols &x = hyp_.numbers, &y = ref_.numbers;
    const int64_t h = x.size(), r = y.size(), n = std::min(size, h);
    if (n != std::min(size, r)) return 0;
    bool begin = true, end = true;
    for (int64_t k = 0; k < n; ++k) {
      begin &= x[k] >= 0 && x[k] == y[k];
      end &= x[h - n + k] >= 0 && x[h - n + k] == y[r - n + k];
    }
    return begin + end;
  }

  void skips(int32_t symbols) {
    const int64_t h = hyp_.numbers.size(), r = ref_.numbers.size();
    for (const Want &want : wants_) {
      const int64_t distance = want.size < 0 ? std::max(h, r) : want.size + int64_t{1};
      want.out[1] = pairs_within(h, distance);
      want.out[2] = pairs_within(r, distance);
    }
    if (symbols <= kTable && h <= kFew && r <= kFew) {
      few_skips(symbols);
    } else {
      for (const Want &want : wants_) many_skips(want, symbols);
    }
  }

  // All widths in one pass: pairs join by distance, and a table holds by how many the
  // hypothesis is ahead of the reference.
  void few_skips(int32_t symbols) {
    const int32_t h = static_cast<int32_t>(hyp_.numbers.size()), r = static_cast<int32_t>(ref_.numbers.size());
    ahead_.assign(static_cast<size_t>(symbols) * symbols, 0);
    int64_t matched = 0;
    auto want = wants_.begin();
    const int32_t *const x = hyp_.numbers.data(), *const y = ref_.numbers.data();
    for (int32_t d = 1; d < std::max(h, r); ++d) {
      for (; want != wants_.end() && want->size == d - 2; ++want) want->out[0] = matched;
      if (want == wants_.end()) return;
      for (int32_t i = 0; i + d < r; ++i) {
        if ((y[i] | y[i + d]) < 0) continue;
        int32_t &a = ahead_[y[i] * symbols + y[i + d]];
        matched += a > 0;
        --a;
      }
      for (int32_t i = 0; i + d < h; ++i) {
        if ((x[i] | x[i + d]) < 0) continue;
        int32_t &a = ahead_[x[i] * symbols + x[i + d]];
        matched += a < 0;
        ++a;
      }
    }
    for (; want != wants_.end(); ++want) want->out[0] = matched;
  }

  // One first word at a time: memory stays linear however long the line is.
  void many_skips(const Want &want, int32_t symbols) {
    const int64_t longest = std::max(hyp_.numbers.size(), ref_.numbers.size());
    const int64_t distance = want.size < 0 ? longest : std::min<int64_t>(longest, want.size + int64_t{1});
    hyp_places_.set(hyp_.numbers, symbols);
    ref_places_.set(ref_.numbers, symbols);
    hyp_after_.assign(symbols, 0);
    ref_after_.assign(symbols, 0);
    int64_t matched = 0;
    for (int32_t first = 0; first < symbols; ++first) {
      if (hyp_places_.count(first) == 0 || ref_places_.count(first) == 0) continue;
      followers(hyp_.numbers, hyp_places_, first, distance, hyp_after_);
      followers(ref_.numbers, ref_places_, first, distance, ref_after_);
      for (const int32_t word : touched_) {
        matched += std::min(hyp_after_[word], ref_after_[word]);
        hyp_after_[word] = ref_after_[word] = 0;
      }
      touched_.clear();
    }
    want.out[0] = matched;
  }

  // The places of each word.
  struct Places {
    std::vector<int64_t> begin, at;
    void set(const Symbols &words, int32_t symbols) {
      begin.assign(symbols + 1, 0);
      for (const int32_t w : words) begin[w + 1] += w >= 0;
      for (int32_t w = 0; w < symbols; ++w) begin[w + 1] += begin[w];
      at.resize(begin[symbols]);
      std::vector<int64_t> next(begin.begin(), begin.end() - 1);
      for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] >= 0) at[next[words[i]]++] = static_cast<int64_t>(i);
      }
    }
    int64_t count(int32_t word) const { return begin[word + 1] - begin[word]; }
  };

  // How often each word follows `first` within the distance: from each place where `first` stands, or,
  // where those reach over more than the whole text, in one sweep with a count of places in reach.
  void followers(const Symbols &words, const Places &places, int32_t first, int64_t distance,
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

  static constexpr int32_t kTable = 128;  // different words for which a square table is small
  static constexpr int64_t kFew = 256;

  Cutting cutting_;
  std::vector<Place> places_[5];
  Side hyp_, ref_;
  Numbers numbers_;
  WordNumbers words_;
  std::vector<Want> wants_;
  std::vector<int> edges_;
  std::vector<char> seen_;
  std::vector<int32_t> left_, ahead_, touched_;
  Symbols last_hyp_, last_ref_;
  Places hyp_places_, ref_places_;
  std::vector<int64_t> hyp_after_, ref_after_;
};

}  // namespace

void count_overlaps(const std::vector<std::string_view> &hypotheses, const std::vector<std::string_view> &references,
                    const std::vector<Counted> &templates, const Cutting &cutting, int threads, int64_t *out) {
  std::vector<Counter> counters(std::max(threads, 1), Counter(templates, cutting));
  const int64_t stride = 3 * static_cast<int64_t>(templates.size());
  parallel_blocks(static_cast<int64_t>(hypotheses.size()), 64, threads, [&](int64_t first, int64_t last, int thread) {
    for (int64_t p = first; p < last; ++p) counters[thread].count(hypotheses[p], references[p], out + p * stride);
  });
}

}  // namespace wordorder
