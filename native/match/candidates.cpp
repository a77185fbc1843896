#include "match/candidates.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace wordorder::match {

namespace {

// Bounds on the work for one sentence pair. Real lines of 5,000 words stay below the first. Beyond it, a word that
// occurs more than kWindow times keeps only the partners that are nearest in position and nearest in rank.
constexpr int64_t kMostCandidates = int64_t{1} << 18;
constexpr int32_t kWindow = 32;
constexpr int64_t kMostAugmenting = 1 << 20;

using Entries = std::vector<std::pair<int32_t, int32_t>>;  // sorted

struct Range {
  Entries::const_iterator from, to;
  bool narrowed;  // of many, only the nearest
  auto begin() const { return from; }
  auto end() const { return to; }
};

// The entries with this key; of more than `most` of them, those that are at most kWindow places away. The place of an
// entry, which grows within a key, is place(entry.second).
template <class Place>
Range nearest(const Entries &entries, int32_t key, int64_t most, int32_t centre, Place place) {
  // No structured binding: lambdas of C++17 cannot capture one.
  const auto found = std::equal_range(entries.begin(), entries.end(), std::make_pair(key, 0),
                                      [](const auto &a, const auto &b) { return a.first < b.first; });
  const Entries::const_iterator from = found.first, to = found.second;
  if (to - from <= most) return {from, to, false};
  const auto at = [&](int32_t limit) {
    return std::partition_point(from, to, [&](const auto &entry) { return place(entry.second) < limit; });
  };
  return {at(centre - kWindow), at(centre + kWindow + 1), true};
}

}  // namespace

Candidates::Candidates(const Stages &stages) : stages_(stages) {
  if (stages.exact >= 0 || stages.stem >= 0) by_key_.assign(stages.words, {0, 0});
  if (stages.synonym >= 0) by_synset_.assign(stages.synset_count, {0, 0});
}

void Candidates::find(const int32_t *hyp, int32_t hyp_size, const int32_t *ref, int32_t ref_size) {
  n = hyp_size, m = ref_size;
  list.clear();
  groups.clear();
  narrowed = false;
  longest = 1;
  if (++stamp_ == 0) {  // the stamps have wrapped around: clear old marks
    std::fill(by_key_.begin(), by_key_.end(), Slot{0, 0});
    std::fill(by_synset_.begin(), by_synset_.end(), Slot{0, 0});
    stamp_ = 1;
  }
  group.resize(n);
  first.resize(n + 1);
  ref_group.resize(m);
  if (!by_key_.empty()) {
    group_by_key(hyp, ref);
    list_by_key(hyp, ref);
  }
  complete = !narrowed;
  if (stages_.synonym >= 0 || stages_.paraphrase >= 0 || (stages_.halved && stages_.stem >= 0)) {
    complete = false;
    // With synonyms or paraphrases, or words that count less, everything is sorted and grouped again.
    if (stages_.synonym >= 0) add_synonyms(hyp, ref);
    if (stages_.paraphrase >= 0) add_paraphrases(hyp, ref);
    remove_duplicates();
    regroup();
  } else if (by_key_.empty()) {
    std::fill(first.begin(), first.end(), 0);
    std::fill(group.begin(), group.end(), -1);
  }
  number_bits();
}

void Candidates::group_by_key(const int32_t *hyp, const int32_t *ref) {
  for (int32_t j = 0; j < m; ++j) {
    Slot &slot = by_key_[key(ref[j])];
    if (slot.stamp != stamp_) {
      slot = {stamp_, static_cast<int32_t>(groups.size())};
      groups.emplace_back();
    }
    ref_group[j] = slot.value;
    ++groups[slot.value].ref_count;
  }
  for (int32_t i = 0; i < n; ++i) {
    const Slot slot = by_key_[key(hyp[i])];
    group[i] = slot.stamp == stamp_ ? slot.value : -1;
    if (group[i] < 0) continue;
    ++groups[slot.value].hyp_count;
    groups[slot.value].last = i;
  }
}

void Candidates::list_by_key(const int32_t *hyp, const int32_t *ref) {
  begin_.resize(groups.size() + 1);
  int64_t total = 0;
  int32_t at = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    Group &here = groups[g];
    begin_[g] = at;
    if (here.hyp_count == 0) continue;
    at += here.ref_count;
    here.spare = std::max(0, here.hyp_count - here.ref_count);
    total += int64_t{here.hyp_count} * here.ref_count;
  }
  begin_[groups.size()] = at;
  by_group_.resize(at);
  met_.assign(groups.size(), 0);
  for (int32_t j = 0; j < m; ++j) {
    const int32_t g = ref_group[j];
    if (groups[g].hyp_count > 0) by_group_[begin_[g] + met_[g]++] = j;
  }
  const bool too_many = total > kMostCandidates;
  if (too_many) std::fill(met_.begin(), met_.end(), 0);
  list.reserve(std::min(total, kMostCandidates));
  for (int32_t i = 0; i < n; ++i) {
    first[i] = static_cast<int32_t>(list.size());
    const int32_t g = group[i];
    if (g < 0) continue;
    const int32_t *const places = by_group_.data() + begin_[g];
    const int32_t count = groups[g].ref_count;
    const auto add = [&](int32_t from, int32_t to) {
      const size_t size = list.size();
      list.resize(size + (to - from));
      for (int32_t k = from; k < to; ++k) {
        list[size + k - from] = {i, places[k], 1, 1, stage(hyp[i], ref[places[k]]), 2};
      }
    };
    if (!too_many || count <= kWindow) {
      add(0, count);
      continue;
    }
    // The k-th of h words keeps the partners around rank k * r / h, so that a full cover remains possible.
    narrowed = true;
    const int64_t rank = int64_t{met_[g]++} * count / groups[g].hyp_count;
    const int64_t near = std::lower_bound(places, places + count, i) - places;
    const auto clip = [&](int64_t k) { return static_cast<int32_t>(std::clamp<int64_t>(k, 0, count)); };
    const int64_t low = std::min(rank, near), high = std::max(rank, near);
    const int32_t half = kWindow / 4, middle = clip(low + half);
    add(clip(low - half), middle);
    add(std::max(middle, clip(high - half)), std::max(middle, clip(high + half)));
  }
  first[n] = static_cast<int32_t>(list.size());
}

void Candidates::add_synonyms(const int32_t *hyp, const int32_t *ref) {
  by_meaning_.clear();
  int32_t shared = 0;  // synsets of the reference
  const int64_t *const ends = stages_.synset_ends;
  for (int32_t j = 0; j < m; ++j) {
    for (int64_t k = ends[ref[j]]; k < ends[ref[j] + 1]; ++k) {
      Slot &slot = by_synset_[stages_.synsets[k]];
      if (slot.stamp != stamp_) slot = {stamp_, shared++};
      by_meaning_.emplace_back(slot.value, j);
    }
  }
  std::sort(by_meaning_.begin(), by_meaning_.end());
  for (int32_t i = 0; i < n; ++i) {
    for (int64_t k = ends[hyp[i]]; k < ends[hyp[i] + 1]; ++k) {
      const Slot slot = by_synset_[stages_.synsets[k]];
      if (slot.stamp != stamp_) continue;
      const Range partners = nearest(by_meaning_, slot.value, 2 * kWindow, i, [](int32_t j) { return j; });
      narrowed |= partners.narrowed;
      for (const auto &[meaning, j] : partners) list.push_back({i, j, 1, 1, stages_.synonym, 2});
    }
  }
}

void Candidates::add_paraphrases(const int32_t *hyp, const int32_t *ref) {
  const text::Paraphrases &table = *stages_.paraphrases;
  const auto find = [&](const int32_t *words, int32_t size, std::vector<text::PhraseAt> &phrases) {
    numbers_.resize(size);
    for (int32_t k = 0; k < size; ++k) numbers_[k] = stages_.phrase_words[words[k]];
    table.find(numbers_.data(), size, phrases);
  };
  find(hyp, n, hyp_phrases_);
  find(ref, m, ref_phrases_);
  by_phrase_.clear();
  for (const text::PhraseAt &at : ref_phrases_) {
    by_phrase_.emplace_back(at.phrase, static_cast<int32_t>(&at - ref_phrases_.data()));
  }
  std::sort(by_phrase_.begin(), by_phrase_.end());
  for (const text::PhraseAt &here : hyp_phrases_) {
    const int32_t *const others = table.begin(here.phrase), *const end = table.end(here.phrase);
    const auto add = [&](int32_t phrase) {
      const int64_t most = std::max<int64_t>(2 * kWindow, kMostCandidates - static_cast<int64_t>(list.size()));
      const auto place = [&](int32_t k) { return ref_phrases_[k].begin; };
      const Range partners = nearest(by_phrase_, phrase, most, here.begin, place);
      narrowed |= partners.narrowed;
      for (const auto &[same, k] : partners) {
        const text::PhraseAt &there = ref_phrases_[k];
        list.push_back({here.begin, there.begin, static_cast<int16_t>(here.length), static_cast<int16_t>(there.length),
                        stages_.paraphrase, static_cast<int16_t>(here.length + there.length)});
      }
    };
    // Both lists are sorted; walk the shorter one.
    if (end - others > static_cast<int64_t>(by_phrase_.size())) {
      for (size_t k = 0; k < by_phrase_.size(); ++k) {
        if (k > 0 && by_phrase_[k].first == by_phrase_[k - 1].first) continue;
        const auto [from, to] = std::equal_range(others, end, by_phrase_[k].first);
        for (auto entry = from; entry < to; ++entry) add(*entry);
      }
    } else {
      for (const int32_t *other = others; other < end; ++other) add(*other);
    }
  }
}

// Sorts the candidates and keeps, of equal ones, the one of the first stage.
void Candidates::remove_duplicates() {
  const auto order = [](const Candidate &c) { return std::make_tuple(c.i, c.j, c.hyp_length, c.ref_length); };
  std::sort(list.begin(), list.end(), [&](const Candidate &a, const Candidate &b) {
    return order(a) != order(b) ? order(a) < order(b) : a.stage < b.stage;
  });
  if (stages_.halved) halve();
  list.erase(std::unique(list.begin(), list.end(),
                         [&](const Candidate &a, const Candidate &b) { return order(a) == order(b); }),
             list.end());
  std::fill(first.begin(), first.end(), 0);
  for (const Candidate &c : list) ++first[c.i + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
}

// Lets links of later stages count half of their words, rounded down on each side. As in METEOR, a link counts in full
// if its words have no other candidate; a link that two stages or two entries of the paraphrase table allow is two
// candidates.
void Candidates::halve() {
  const auto same = [this](const Candidate &a, const Candidate &b) {
    return a.stage == b.stage && a.stage != stages_.paraphrase && a.i == b.i && a.j == b.j;
  };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  edges_.assign(n + m, 0);
  for (const Candidate &c : list) {
    for (int32_t k = 0; k < c.hyp_length; ++k) ++edges_[c.i + k];
    for (int32_t k = 0; k < c.ref_length; ++k) ++edges_[n + c.j + k];
  }
  for (Candidate &c : list) {
    if (c.stage == stages_.exact) continue;
    bool only = true;
    for (int32_t k = 0; k < c.hyp_length; ++k) only &= edges_[c.i + k] == 1;
    for (int32_t k = 0; k < c.ref_length; ++k) only &= edges_[n + c.j + k] == 1;
    if (!only) c.counted = static_cast<int16_t>(c.hyp_length / 2 + c.ref_length / 2);
  }
}

int32_t Candidates::root(int32_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void Candidates::regroup() {
  parent_.resize(n + m);
  std::iota(parent_.begin(), parent_.end(), 0);
  partner_.assign(n + m, -1);  // for now: whether the word is in any candidate
  for (const Candidate &c : list) {
    for (int32_t k = 0; k < c.hyp_length; ++k) partner_[c.i + k] = 0, parent_[root(c.i + k)] = root(c.i);
    for (int32_t k = 0; k < c.ref_length; ++k) partner_[n + c.j + k] = 0, parent_[root(n + c.j + k)] = root(c.i);
  }
  groups.clear();
  met_.assign(n + m, -1);
  for (int32_t node = 0; node < n + m; ++node) {
    int32_t &where = node < n ? group[node] : ref_group[node - n];
    where = -1;
    if (partner_[node] < 0) continue;
    int32_t &g = met_[root(node)];
    if (g < 0) {
      g = static_cast<int32_t>(groups.size());
      groups.emplace_back();
    }
    where = g;
    ++(node < n ? groups[g].hyp_count : groups[g].ref_count);
    if (node < n) groups[g].last = node;
  }
  edges_.assign(groups.size(), 0);
  for (const Candidate &c : list) {
    Group &here = groups[group[c.i]];
    ++edges_[group[c.i]];
    longest = std::max<int32_t>(longest, c.hyp_length);
    if (c.hyp_length + c.ref_length > 2 || c.counted < 2) {
      here.per_word = std::max({here.per_word, 2, (c.counted + c.hyp_length - 1) / c.hyp_length});
    }
  }
  std::fill(partner_.begin(), partner_.end(), -1);
  visited_.assign(n + m, 0);
  visit_ = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    Group &here = groups[g];
    if (here.per_word) continue;
    const int64_t all = int64_t{here.hyp_count} * here.ref_count;
    const bool plain = edges_[g] == all || int64_t{here.hyp_count} * edges_[g] > kMostAugmenting;
    here.spare = plain ? std::max(0, here.hyp_count - here.ref_count)
                       : here.hyp_count - largest_matching(static_cast<int32_t>(g));
  }
}

// The size of a largest matching of one group, by Kuhn's augmenting paths.
int32_t Candidates::largest_matching(int32_t g) {
  int32_t size = 0;
  for (int32_t i = 0; i <= groups[g].last; ++i) {
    if (group[i] != g) continue;
    ++visit_;
    size += augment(i);
  }
  return size;
}

bool Candidates::augment(int32_t i) {
  for (int32_t c = first[i]; c < first[i + 1]; ++c) {
    const int32_t j = list[c].j;
    if (visited_[j] == visit_) continue;
    visited_[j] = visit_;
    if (partner_[j] < 0 || augment(partner_[j])) {
      partner_[j] = i;
      return true;
    }
  }
  return false;
}

void Candidates::number_bits() {
  bits = 0;
  for (Group &here : groups) {
    const bool contested = here.hyp_count > 1 || here.per_word;
    here.bits_begin = here.bits_end = bits;
    if (contested) bits += here.ref_count;
  }
  if (!bits) return;  // nothing can clash
  ref_bit.resize(m);
  for (int32_t j = 0; j < m; ++j) {
    Group *const here = ref_group[j] < 0 ? nullptr : &groups[ref_group[j]];
    ref_bit[j] = here && (here->hyp_count > 1 || here->per_word) ? here->bits_end++ : -1;
  }
}

}  // namespace wordorder::match
