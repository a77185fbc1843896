// Reading permutations from text, and checking them.
#pragma once

#include <vector>

#include "base/batch.h"

namespace wordorder::text {

struct ParsedLines {
  std::vector<int32_t> values;
  std::vector<int64_t> offsets{0};
  int64_t bad_line = -1;               // the first line that is not a permutation, counted from 0; -1 if there is none
  int64_t bad_begin = 0, bad_end = 0;  // its bytes
};

// Reads one permutation of base .. base + n - 1 per line: numbers separated by blanks or commas, with or without
// <angle> or ⟨angle⟩ brackets around the line. Stops at the first line that is anything else, including an empty
// line; the caller reports what is wrong with it.
ParsedLines parse_permutations(const char *text, int64_t size, int32_t base);

struct Invalid {
  int64_t sentence = -1, position = -1;  // -1 if all are permutations
};

// The first place where the batch is not a permutation of 0 .. n - 1.
Invalid find_invalid(const base::Batch &batch);

}  // namespace wordorder::text
