// Writing tables of numbers as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wordorder::text {

// How to write one field of every row.
struct Field {
  std::string before;  // a separator or a key
  int width = 0;       // the field is padded with blanks on the left
  int decimals = -1;   // -1: the shortest decimal that reads back as the same double
};

// Writes the row number as fields[0], then columns[c] as fields[c + 1], then `after`, for every row.
std::string format_rows(const std::vector<const double *> &columns, int64_t rows, int64_t first_number,
                        const std::vector<Field> &fields, const std::string &after);

}  // namespace wordorder::text
