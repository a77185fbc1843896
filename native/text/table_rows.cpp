#include "text/table_rows.h"

#include <charconv>

namespace wordorder::text {

std::string format_rows(const std::vector<const double *> &columns, int64_t rows, int64_t first_number,
                        const std::vector<Field> &fields, const std::string &after) {
  constexpr size_t kRoom = 512;  // enough for any double with up to 100 decimals
  char digits[kRoom];
  std::string out;
  out.reserve(static_cast<size_t>(rows) * (8 + 16 * columns.size()));
  const auto put = [&](const Field &field, const char *end) {
    out += field.before;
    const int length = static_cast<int>(end - digits);
    if (length < field.width) out.append(field.width - length, ' ');
    out.append(digits, length);
  };
  for (int64_t r = 0; r < rows; ++r) {
    put(fields[0], std::to_chars(digits, digits + kRoom, first_number + r).ptr);
    for (size_t c = 0; c < columns.size(); ++c) {
      const Field &field = fields[c + 1];
      const double value = columns[c][r];
      put(field, field.decimals < 0
                     ? std::to_chars(digits, digits + kRoom, value).ptr
                     : std::to_chars(digits, digits + kRoom, value, std::chars_format::fixed, field.decimals).ptr);
    }
    out += after;
  }
  return out;
}

}  // namespace wordorder::text
