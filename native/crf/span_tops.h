// The tops of spans in a dependency tree: the words of a span whose head is outside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordorder::crf {

enum class SpanKind : uint8_t {
  mixed,       // several tops with different heads
  siblings,    // several tops with the same head
  incomplete,  // one top, and some words below words of the span are outside it
  subtree      // one top with all words below it
};
constexpr int32_t span_kinds = 4;

struct SpanTop {
  int32_t word;  // the first top; the number of words if the span is mixed
  SpanKind kind;
};

// How the tops of two spans are related in the tree.
enum class TopRelation : uint32_t { unknown, first_governs, second_governs, siblings, other };

class SpanTops {
 public:
  // heads[w] is the head of word w; any other number than that of a word stands for a head outside the sentence.
  void set(const uint32_t *heads, int32_t n);
  SpanTop top(int32_t begin, int32_t end) const { return tops_[static_cast<size_t>(begin) * (n_ + 1) + end]; }
  TopRelation relation(int32_t a, int32_t b) const;
  // The head of a word; -1 if it is outside the sentence.
  int32_t head(int32_t word) const { return heads_[word]; }

 private:
  int32_t n_ = 0;
  std::vector<int32_t> heads_;
  std::vector<SpanTop> tops_;  // [begin][end]
};

}  // namespace wordorder::crf
