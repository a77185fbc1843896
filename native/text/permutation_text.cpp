#include "text/permutation_text.h"

#include <charconv>
#include <cstring>

namespace wordorder::text {
namespace {

constexpr char kOpen[] = "\xE2\x9F\xA8", kClose[] = "\xE2\x9F\xA9";  // ⟨ ⟩ in UTF-8

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Removes blanks at both ends and one pair of brackets; returns false if the brackets do not match.
bool strip(const char *&at, const char *&end, bool &bracketed) {
  while (at < end && blank(*at)) ++at;
  while (at < end && blank(end[-1])) --end;
  bool open = false, close = false;
  if (end - at >= 3 && std::memcmp(at, kOpen, 3) == 0) {
    at += 3;
    open = true;
  } else if (at < end && *at == '<') {
    ++at;
    open = true;
  }
  if (end - at >= 3 && std::memcmp(end - 3, kClose, 3) == 0) {
    end -= 3;
    close = true;
  } else if (at < end && end[-1] == '>') {
    --end;
    close = true;
  }
  bracketed = open;
  return open == close;
}

class LineParser {
 public:
  explicit LineParser(int32_t base) : base_(base) {}

  // Appends the values of the line to `out`; returns false, and appends nothing, if it is not a permutation.
  bool parse(const char *at, const char *end, std::vector<int32_t> &out) {
    bool bracketed = false;
    if (!strip(at, end, bracketed)) return false;
    const size_t first = out.size();
    bool separated = true;  // a number may start here
    while (true) {
      bool comma = false;
      while (at < end && (blank(*at) || (*at == ',' && !comma))) {
        comma |= *at == ',';
        separated = true;
        ++at;
      }
      if (comma && (out.size() == first || at == end)) break;  // stray comma
      if (at == end) {
        if ((out.size() > first || bracketed) && distinct(out, first)) return true;
        break;
      }
      int32_t value = 0;
      const auto [rest, error] = std::from_chars(at, end, value);
      if (error != std::errc() || *at == '-' || !separated) break;
      out.push_back(value - base_);
      at = rest;
      separated = false;
    }
    out.resize(first);
    return false;
  }

 private:
  bool distinct(const std::vector<int32_t> &out, size_t first) {
    const size_t n = out.size() - first;
    if (seen_.size() < n) seen_.resize(n, 0);
    ++stamp_;
    for (size_t k = first; k < out.size(); ++k) {
      const int32_t v = out[k];
      if (v < 0 || static_cast<size_t>(v) >= n || seen_[v] == stamp_) return false;
      seen_[v] = stamp_;
    }
    return true;
  }

  int32_t base_;
  std::vector<int64_t> seen_;
  int64_t stamp_ = 0;
};

}  // namespace

ParsedLines parse_permutations(const char *text, int64_t size, int32_t base) {
  ParsedLines result;
  result.values.reserve(size / 3 + 1);
  LineParser parser(base);
  const char *at = text, *const stop = text + size;
  for (int64_t line = 0; at < stop; ++line) {
    const char *end = static_cast<const char *>(std::memchr(at, '\n', stop - at));
    if (end == nullptr) end = stop;
    if (!parser.parse(at, end, result.values)) {
      result.bad_line = line;
      result.bad_begin = at - text;
      result.bad_end = end - text;
      break;
    }
    result.offsets.push_back(static_cast<int64_t>(result.values.size()));
    at = end + 1;
  }
  return result;
}

Invalid find_invalid(const base::Batch &batch) {
  std::vector<int64_t> seen;
  for (int64_t s = 0; s < batch.size; ++s) {
    const int32_t *const p = batch.begin(s);
    const int32_t n = batch.length(s);
    if (seen.size() < static_cast<size_t>(n)) seen.resize(n, 0);
    for (int32_t i = 0; i < n; ++i) {
      if (p[i] < 0 || p[i] >= n || seen[p[i]] == s + 1) return {s, i};
      seen[p[i]] = s + 1;
    }
  }
  return {};
}

}  // namespace wordorder::text
