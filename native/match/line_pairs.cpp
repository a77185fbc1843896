#include "match/line_pairs.h"

#include "match/renumber.h"

namespace wordorder::match {

Stages LineMatcher::equal_words() {
  Stages stages;
  stages.exact = 0;
  stages.words = 1;
  return stages;
}

void LineMatcher::clear() {
  table_.clear();
  ids_.clear();
  ends_.assign(1, 0);
}

void LineMatcher::add(std::string_view text, text::Splitter splitter) {
  table_.encode(text.data(), static_cast<int64_t>(text.size()), splitter, ids_, ends_);
}

MatchedPairs LineMatcher::match(const int64_t *first, const int64_t *second, int64_t pairs, int32_t beam, Ties ties) {
  const base::Batch lines{ids_.data(), ends_.data(), size()};
  offsets_.assign(1, 0);
  for (int64_t p = 0; p < pairs; ++p) offsets_.push_back(offsets_.back() + lines.length(first[p]));
  positions_.resize(offsets_.back());
  matcher_.use(table_.size(), beam, ties);
  for (int64_t p = 0; p < pairs; ++p) {
    const int32_t n = lines.length(first[p]), m = lines.length(second[p]);
    marks_.resize(size_t{0} + n + m);
    matcher_.match(lines.begin(first[p]), n, lines.begin(second[p]), m, positions_.data() + offsets_[p], marks_.data(),
                   marks_.data() + n);
  }
  MatchedPairs out;
  renumber({positions_.data(), offsets_.data(), pairs}, out.values, out.ends);
  out.counts.resize(pairs);
  out.reference_lengths.resize(pairs);
  for (int64_t p = 0; p < pairs; ++p) {
    const int64_t n = lines.length(first[p]), m = lines.length(second[p]), matched = out.ends[p + 1] - out.ends[p];
    out.counts[p] = {n, 2 * matched, n + m};
    out.reference_lengths[p] = m;
    if (matched == 0 && n + m > 0) out.unmatched.push_back(p);
  }
  return out;
}

}  // namespace wordorder::match
