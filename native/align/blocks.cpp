#include "align/blocks.h"

#include <algorithm>

namespace wordorder::align {

namespace {

// Joins spans that overlap on one side; tells whether any did.
template <class From, class To>
bool join(std::vector<Span> &spans, From from, To to) {
  std::sort(spans.begin(), spans.end(), [&](const Span &a, const Span &b) { return a.*from < b.*from; });
  size_t size = 0;
  for (size_t k = 0; k < spans.size(); ++k) {
    if (size && spans[k].*from <= spans[size - 1].*to) {
      Span &last = spans[size - 1];
      last.source_from = std::min(last.source_from, spans[k].source_from);
      last.source_to = std::max(last.source_to, spans[k].source_to);
      last.target_from = std::min(last.target_from, spans[k].target_from);
      last.target_to = std::max(last.target_to, spans[k].target_to);
    } else {
      spans[size++] = spans[k];
    }
  }
  const bool any = size < spans.size();
  spans.resize(size);
  return any;
}

}  // namespace

std::vector<Span> blocks_of(const Link *first, const Link *last) {
  std::vector<Span> spans;
  for (const Link *link = first; link != last; ++link) {
    spans.push_back({link->source, link->source, link->target, link->target});
  }
  // Each round joins at least two spans, and a few rounds are enough in practice.
  join(spans, &Span::source_from, &Span::source_to);
  while (join(spans, &Span::target_from, &Span::target_to) && join(spans, &Span::source_from, &Span::source_to)) {
  }
  std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.source_from < b.source_from; });
  return spans;
}

}  // namespace wordorder::align
