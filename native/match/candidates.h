// The links that are possible between two sentences of one language, and which of them compete.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "text/paraphrases.h"

namespace wordorder::match {

// The resources that decide which words may match. A stage that is not used has the number -1.
struct Stages {
  int32_t words = 0;                 // how many words are numbered
  const int32_t *stems = nullptr;    // the stem number of every word
  const int32_t *synsets = nullptr;  // synsets of word w: synsets[synset_ends[w]] .. synsets[synset_ends[w + 1]]
  const int64_t *synset_ends = nullptr;
  int32_t synset_count = 0;
  const int32_t *phrase_words = nullptr;  // the number of every word in the paraphrase table, or -1
  const text::Paraphrases *paraphrases = nullptr;
  int8_t exact = -1, stem = -1, synonym = -1, paraphrase = -1;
  bool halved = false;  // links of stages other than exact count half of their words, as in the METEOR 1.5 program
};

// A possible link: hyp_length hypothesis words from i on with ref_length reference words from j on.
struct Candidate {
  int32_t i, j;
  int16_t hyp_length, ref_length;
  int8_t stage;
  int16_t counted;  // the words of both sides that it counts for when alignments are compared
};

// Words that compete for partners: a connected component of the graph of candidates.
struct Group {
  int32_t hyp_count = 0, ref_count = 0;
  int32_t spare = 0;  // hypothesis words that stay unlinked in every best cover; only for groups without phrases
  int32_t last = -1;  // the last hypothesis position of the group
  int32_t bits_begin = 0, bits_end = 0;  // the bits of its reference words in a search state; none if nothing can clash
  // With phrases, or links that count less than their words: the most words that one hypothesis word can count for.
  int32_t per_word = 0;
};

// The candidates of one sentence pair, sorted by i, then by j.
class Candidates {
 public:
  explicit Candidates(const Stages &stages);
  // Goes on with other words; only if equal words and stems are all that is matched.
  void set_words(int32_t words) {
    stages_.words = words;
    if (by_key_.size() < static_cast<size_t>(words)) by_key_.resize(words, {0, 0});
  }
  void find(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m);

  bool keyed() const { return !by_key_.empty(); }
  int32_t key(int32_t word) const { return stages_.stems ? stages_.stems[word] : word; }
  bool halved() const { return stages_.halved; }
  int8_t stage(int32_t hyp_word, int32_t ref_word) const {
    return stages_.exact >= 0 && hyp_word == ref_word ? stages_.exact : stages_.stem;
  }

  std::vector<Candidate> list;
  std::vector<int32_t> first;  // candidates of hypothesis word i: list[first[i]] .. list[first[i + 1]]
  std::vector<int32_t> group;  // of every hypothesis word, or -1
  std::vector<Group> groups;
  std::vector<int32_t> ref_group, ref_bit;  // of every reference word, or -1
  int32_t bits = 0, longest = 1;
  bool narrowed = false;  // some candidates were dropped to bound the work
  bool complete = false;  // every hypothesis word of a group has all its reference words as candidates
  int32_t n = 0, m = 0;

 private:
  struct Slot {
    uint32_t stamp;
    int32_t value;
  };
  void group_by_key(const int32_t *hyp, const int32_t *ref);
  void list_by_key(const int32_t *hyp, const int32_t *ref);
  void add_synonyms(const int32_t *hyp, const int32_t *ref);
  void add_paraphrases(const int32_t *hyp, const int32_t *ref);
  void remove_duplicates();
  void halve();
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
  std::vector<std::pair<int32_t, int32_t>> by_meaning_;  // synset and reference position, sorted
  std::vector<text::PhraseAt> hyp_phrases_, ref_phrases_;
  std::vector<std::pair<int32_t, int32_t>> by_phrase_;  // phrase and index in ref_phrases_, sorted
  std::vector<int32_t> numbers_;
};

}  // namespace wordorder::match
