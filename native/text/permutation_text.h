// Permutations from text, and tables to text, at the speed of the disk.
#pragma once

#include <string>
#include <vector>

#include "base/batch.h"

namespace wordorder::text {

struct ParsedLines {
  std::vector<int32_t> values;
  std::vector<int64_t> offsets{0};
  int64_t bad_line = -1;  // first line that is not a permutation, counted from 0; -1: none
  int64_t bad_begin = 0, bad_end = 0;  // its bytes
};

// One permutation of base .. base + n - 1 a line: numbers separated by blanks or commas, with
// or without <angle> or ⟨angle⟩ brackets around the line. Stops at the first line that is
// anything else, an empty line included; it is for the caller to say what is wrong with it.
ParsedLines parse_permutations(const char *text, int64_t size, int32_t base);

struct Invalid {
  int64_t sentence = -1, position = -1;  // -1: all are permutations
};

// First place where the batch is not a permutation of 0 .. n - 1.
Invalid find_invalid(const base::Batch &batch);

// How to write one field of every row.
struct Field {
  std::string before;  // separator, or a key
  int width = 0;       // padded with blanks on the left
  int decimals = -1;   // -1: the shortest decimal that reads back as the same double
};

// Rows of a table: the number of the row as fields[0], then columns[c] as fields[c + 1], then `after`.
std::string format_rows(const std::vector<const double *> &columns, int64_t rows, int64_t first_number,
                        const std::vector<Field> &fields, const std::string &after);

}  // namespace wordorder::text
