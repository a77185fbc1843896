// Matching the words of two sentences of one language, one to one.
//
// Among all alignments the search wants, in this order: most words covered, fewest chunks (runs
// of links that are next to each other on both sides), least distance (the sum of |i - j| over the
// links' first words). That is METEOR's objective (Denkowski and Lavie, 2011).
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.h"
#include "text/paraphrases.h"

namespace wordorder::match {

inline int32_t ones(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_popcountll(bits);
#else
  int32_t count = 0;
  for (; bits; bits &= bits - 1) ++count;
  return count;
#endif
}

// What may match what. A stage that is not used has number -1.
struct Stages {
  int32_t words = 0;              // how many words are numbered
  const int32_t *stems = nullptr;  // stem number of every word
  const int32_t *synsets = nullptr;  // synsets of word w: synsets[synset_ends[w]] .. synset_ends[w + 1]
  const int64_t *synset_ends = nullptr;
  int32_t synset_count = 0;
  const int32_t *phrase_words = nullptr;  // number of every word in the table of paraphrases, or -1
  const text::Paraphrases *paraphrases = nullptr;
  int8_t exact = -1, stem = -1, synonym = -1, paraphrase = -1;
};

// Words i .. i + hyp_length of the hypothesis may be linked with j .. j + ref_length of the reference.
struct Candidate {
  int32_t i, j;
  int16_t hyp_length, ref_length;
  int8_t stage;
};

// Words that compete for partners: a connected part of the graph of candidates.
struct Group {
  int32_t hyp_count = 0, ref_count = 0;
  int32_t spare = 0;      // hypothesis words that stay alone in every best cover (no phrases only)
  int32_t last = -1;      // last hypothesis position of the group
  int32_t bits_begin = 0, bits_end = 0;  // reference words as bits of a state; none if nothing can clash
  int32_t per_word = 0;   // with phrases: most words that one hypothesis word can cover, both sides counted
};

// The candidates of one sentence pair, sorted by i, then j.
class Candidates {
 public:
  explicit Candidates(const Stages &stages);
  void find(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m);

  bool keyed() const { return !by_key_.empty(); }
  int32_t key(int32_t word) const { return stages_.stems ? stages_.stems[word] : word; }
  int8_t stage(int32_t hyp_word, int32_t ref_word) const {
    return stages_.exact >= 0 && hyp_word == ref_word ? stages_.exact : stages_.stem;
  }

  std::vector<Candidate> list;
  std::vector<int32_t> first;      // candidates of hypothesis word i: list[first[i]] .. list[first[i + 1]]
  std::vector<int32_t> group;      // of every hypothesis word, or -1
  std::vector<Group> groups;
  std::vector<int32_t> ref_group, ref_bit;  // of every reference word, or -1
  int32_t bits = 0, longest = 1;
  bool narrowed = false;           // not all candidates were kept: see kMostCandidates
  int32_t n = 0, m = 0;

 private:
  struct Slot {
    uint32_t stamp;
    int32_t value;
  };
  struct Chain {
    int32_t head, tail, count;
  };
  void group_by_key(const int32_t *hyp, const int32_t *ref);
  void list_by_key(const int32_t *hyp, const int32_t *ref);
  void add_synonyms(const int32_t *hyp, const int32_t *ref);
  void add_paraphrases(const int32_t *hyp, const int32_t *ref);
  void tidy();
  void regroup();
  int32_t largest_matching(int32_t g);
  bool augment(int32_t i);
  void number_bits();
  int32_t root(int32_t node);

  Stages stages_;
  uint32_t stamp_ = 0;
  std::vector<Slot> by_key_, by_synset_;
  std::vector<int32_t> begin_, by_group_;  // reference positions of each group, in order
  std::vector<int32_t> met_, parent_, partner_, edges_;
  std::vector<uint32_t> visited_;
  uint32_t visit_ = 0;
  std::vector<Chain> chains_;
  std::vector<std::pair<int32_t, int32_t>> links_;  // reference position and next link of a chain
  std::vector<text::PhraseAt> hyp_phrases_, ref_phrases_;
  std::vector<std::pair<int32_t, int32_t>> by_phrase_;  // phrase and index in ref_phrases_, sorted
  std::vector<int32_t> numbers_;
};

// What decides between alignments of equal coverage and chunks.
enum class Ties : int {
  distance,  // least distance, as published
  first,     // the earliest words of both sides: what METEOR 1.5's program does
};

// Finds the alignment of one sentence pair after the other; keeps its memory between them.
class Matcher {
 public:
  Matcher(const Stages &stages, int32_t beam, Ties ties) : candidates_(stages), beam_(beam), ties_(ties) {}
  // Writes the reference position of each hypothesis word (or -1) and its stage (or -1).
  // Says whether the alignment is known to be the best.
  bool match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions, int8_t *stages);

 private:
  struct Node {
    int64_t cost, bound;  // so far; and at least this much in the end
    uint64_t used;        // hash of the used reference words that still matter
    int32_t parent, chosen, follower, level, mask;
  };
  void set_units();
  int64_t tie_cost(const Candidate &link, const Group &one) const;
  void relax();
  bool trace();
  void search(int32_t width);
  void expand(int32_t p, int32_t index);
  void select(int32_t level, int32_t width);
  int64_t skip_cost(int32_t p, const uint64_t *mask) const;
  void fill_up(const int32_t *hyp, const int32_t *ref, int32_t *positions, int8_t *stages);
  const uint64_t *mask_at(const Node &node) const {
    return rings_[node.level % rings_.size()].data() + int64_t{node.mask} * mask_words_;
  }

  Candidates candidates_;
  int32_t beam_;
  Ties ties_;
  int64_t link_unit_ = 0, chunk_unit_ = 0, cover_unit_ = 0;
  std::vector<int64_t> base_;        // of every candidate: what it costs,
  std::vector<int64_t> after_;       // the least that can follow it,
  std::vector<int32_t> follower_;    // and the first candidate that continues its chunk, or -1
  std::vector<int64_t> none_, skip_;  // of every position: the least that can follow, the price of no link
  std::vector<int32_t> chosen_, best_;
  std::vector<uint8_t> taken_;
  std::vector<int32_t> processed_;   // hypothesis words of each group before the current position
  std::vector<int32_t> level_;       // of every position: how many before it have candidates
  std::vector<Node> nodes_;
  std::vector<std::vector<Node>> levels_;
  std::vector<std::vector<uint64_t>> rings_;  // masks of the last few levels
  std::vector<std::pair<int64_t, int32_t>> ranking_;
  std::vector<std::pair<int32_t, int32_t>> free_, alone_;
  std::vector<int32_t> seen_;
  int32_t mask_words_ = 0;
  int64_t best_cost_ = 0, pruned_ = 0;
};

// Reference positions in hypothesis order as a permutation: words without one are dropped and the rest is
// renumbered. Where two words share a position (RIBES), the later one counts as coming before.
void renumber(const base::Batch &positions, std::vector<int32_t> &values, std::vector<int64_t> &ends);

// RIBES: a word is linked where it, or else it with the shortest context to its left or right, occurs once
// on both sides (Isozaki et al., 2010; NTT's program looks left before right).
class ContextMatcher {
 public:
  explicit ContextMatcher(int32_t words) : slots_(words) {}
  void match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions);

 private:
  struct Slot {
    uint32_t stamp = 0;
    int32_t number = 0;
  };
  struct Places {
    std::vector<int32_t> of, begin, at;  // word of each position; positions of each word, in order
  };
  struct Reach {
    int32_t hyp = 0, first = 0, second = 0, at = -1;
  };
  void list_places(const int32_t *words, int32_t n, bool number, Places &places);
  void reach(int32_t n, int32_t m, bool left, std::vector<Reach> &out);

  uint32_t stamp_ = 0;
  int32_t count_ = 0;
  std::vector<Slot> slots_;
  Places hyp_, ref_;
  std::vector<int32_t> next_;
  std::vector<std::pair<int32_t, int32_t>> hyp_row_, ref_row_;
  std::vector<Reach> left_, right_;
};

}  // namespace wordorder::match
