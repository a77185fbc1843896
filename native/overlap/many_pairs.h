// Counts of shared pieces for texts that take part in many pairs: every text is cut and its pieces are numbered once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "overlap/overlap.h"

namespace wordorder::overlap {

// Whether this is faster than pair by pair, and its memory, which grows with the square of the words of a text, small.
bool has_many_pairs(const std::vector<std::string_view> &texts, int64_t pairs, const std::vector<Template> &templates);

// Writes the same counts as count_overlaps.
void count_many_pairs(const std::vector<std::string_view> &texts, const int64_t *first, const int64_t *second,
                      int64_t pairs, const std::vector<Template> &templates, const Cutting &cutting, int threads,
                      int64_t *out);

}  // namespace wordorder::overlap
