// One-to-one matching of the words of two sentences of one language.
//
// The best alignment covers the most words, then has the fewest chunks (runs of links that are neighbours on both
// sides), then the least distance (the sum of |i - j| over the first words of the links). This is the objective of
// METEOR (Denkowski and Lavie, 2011).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "match/candidates.h"

namespace wordorder::match {

// How to choose between alignments with equal coverage and chunks.
enum class Ties : int {
  distance,  // the least distance, as published
  first,     // the earliest words of both sides, as in the METEOR 1.5 program
};

// Aligns one sentence pair after the other and reuses its memory.
class Matcher {
 public:
  Matcher(const Stages &stages, int32_t beam, Ties ties) : candidates_(stages), beam_(beam), ties_(ties) {}
  // Goes on with other settings, for equal words that are numbered below `words`; keeps its memory.
  void use(int32_t words, int32_t beam, Ties ties) {
    candidates_.set_words(words);
    beam_ = beam;
    ties_ = ties;
  }
  // Writes the reference position of each hypothesis word (or -1), and the stage of each word of both sides (or -1).
  // Returns whether the alignment is known to be the best.
  bool match(const int32_t *hyp, int32_t n, const int32_t *ref, int32_t m, int32_t *positions, int8_t *stages,
             int8_t *ref_stages);

 private:
  struct Node {
    int64_t cost, bound;  // the cost so far, and a lower bound of the final cost
    uint64_t used;        // hash of the used reference words that still matter
    int32_t parent, chosen, follower, level, mask;
  };
  void set_units();
  int64_t tie_cost(const Candidate &link, const Group &group) const;
  void relax();
  bool trace();
  int64_t link_greedily();
  void search(int32_t width);
  void expand(int32_t p, int32_t index);
  void select(int32_t level, int32_t width);
  int64_t skip_cost(int32_t p, const uint64_t *mask) const;
  void link_remaining(const int32_t *hyp, const int32_t *ref, int32_t *positions, int8_t *stages, int8_t *ref_stages);
  std::vector<Node> &proposed_at(int32_t level) { return levels_[level % levels_.size()]; }
  const uint64_t *mask_at(const Node &node) const {
    return rings_[node.level % rings_.size()].data() + int64_t{node.mask} * mask_words_;
  }

  Candidates candidates_;
  int32_t beam_;
  Ties ties_;
  int64_t link_unit_ = 0, chunk_unit_ = 0, cover_unit_ = 0;
  std::vector<int64_t> base_;         // by candidate: its cost
  std::vector<int64_t> after_;        // by candidate: the least cost of what can follow
  std::vector<int32_t> follower_;     // by candidate: the first candidate that continues its chunk, or -1
  std::vector<int64_t> none_, skip_;  // by position: the least cost of what can follow, and the cost of no link
  std::vector<int32_t> chosen_, best_;
  std::vector<uint8_t> taken_;
  std::vector<int32_t> processed_;  // by group: its hypothesis words before the current position
  std::vector<int32_t> level_;      // by position: how many earlier positions have candidates
  std::vector<Node> nodes_;
  std::vector<std::vector<Node>> levels_;     // proposals for the next few levels
  std::vector<std::vector<uint64_t>> rings_;  // masks of the last few levels
  std::vector<std::pair<int64_t, int32_t>> ranking_;
  std::vector<std::pair<int32_t, int32_t>> free_, alone_;
  std::vector<int32_t> seen_;
  int32_t mask_words_ = 0;
  int64_t best_cost_ = 0, pruned_ = 0;
};

}  // namespace wordorder::match
