#include "align/sentence_aligner.h"

#include <algorithm>
#include <cmath>

namespace wordorder::align {

namespace {

bool has(const std::vector<float> &values, int32_t word) {
  return word >= 0 && word < static_cast<int32_t>(values.size());
}

// Places windows of `width` positions around the diagonal.
void place(std::vector<int32_t> &begin, int32_t rows, int32_t length, int32_t width) {
  begin.resize(rows);
  for (int32_t r = 0; r < rows; ++r) {
    const int64_t middle = static_cast<int64_t>(r) * length / rows;
    begin[r] = static_cast<int32_t>(std::clamp<int64_t>(middle - width / 2, 0, length - width));
  }
}

}  // namespace

float SentenceAligner::probability(int64_t cell, int32_t condition, int direction) const {
  if (cell != PairTable::none) return parameters_.lexical[2 * cell + direction];
  const std::vector<float> &unseen = parameters_.unseen[direction];
  // Nothing is known about a word that was never seen, so it may generate any word.
  if (!has(unseen, condition)) return 1.0f / static_cast<float>(parameters_.null_lexical[direction].size() + 1);
  return unseen[condition];
}

float SentenceAligner::null_probability(int32_t word, int direction) const {
  const std::vector<float> &known = parameters_.null_lexical[direction];
  return has(known, word) ? known[word] : parameters_.null_unseen[direction];
}

void SentenceAligner::run(const int32_t *source, int32_t I, const int32_t *target, int32_t J, const uint32_t *cells,
                          bool hmm, double null, bool count) {
  const std::array<const int32_t *, 2> words{target, source};  // generated words, conditioning words
  const std::array<int32_t, 2> length{J, I};
  const bool full = I <= Aligner::longest && J <= Aligner::longest;
  for (int d = 0; d < 2; ++d) {
    const int32_t rows = length[d], across = length[1 - d];
    out.width[d] = full ? across : std::min(across, Aligner::window);
    place(out.begin[d], rows, across, out.width[d]);
    for (std::vector<float> *grid : {&lexical_[d], &out.link[d]})
      grid->resize(static_cast<size_t>(rows) * out.width[d]);
    null_[d].resize(rows);
    out.null[d].resize(rows);
    for (int32_t r = 0; r < rows; ++r) null_[d][r] = null_probability(words[d][r], d);
  }
  if (full) {
    for (int32_t i = 0; i < I; ++i) {
      for (int32_t j = 0; j < J; ++j) {
        const int64_t cell = cells ? cells[static_cast<size_t>(i) * J + j] : table_.find(source[i], target[j]);
        lexical_[0][static_cast<size_t>(j) * I + i] = probability(cell, source[i], 0);
        lexical_[1][static_cast<size_t>(i) * J + j] = probability(cell, target[j], 1);
      }
    }
  } else {
    for (int d = 0; d < 2; ++d) {
      for (int32_t r = 0; r < length[d]; ++r) {
        for (int32_t k = 0; k < out.width[d]; ++k) {
          const int32_t generated = words[d][r], condition = words[1 - d][out.begin[d][r] + k];
          const int64_t cell = d == 0 ? table_.find(condition, generated) : table_.find(generated, condition);
          lexical_[d][static_cast<size_t>(r) * out.width[d] + k] = probability(cell, condition, d);
        }
      }
    }
  }
  for (int d = 0; d < 2; ++d) {
    if (hmm) {
      out.likelihood[d] = hmm_.run(length[d], length[1 - d], out.width[d], out.begin[d].data(), lexical_[d].data(),
                                   null_[d].data(), static_cast<float>(null), parameters_.jumps[d], out.link[d].data(),
                                   out.null[d].data(), count ? &steps[d] : nullptr);
    } else {
      out.likelihood[d] =
          model1(length[d], out.width[d], lexical_[d].data(), null_[d].data(), out.link[d].data(), out.null[d].data());
    }
  }
}

// In model 1, every word of the other side and null are equally likely a priori to generate a word.
double SentenceAligner::model1(int32_t rows, int32_t width, const float *lexical, const float *null, float *posterior,
                               float *null_posterior) {
  double likelihood = 0;
  for (int32_t r = 0; r < rows; ++r, lexical += width, posterior += width) {
    float total = null[r];
    for (int32_t k = 0; k < width; ++k) total += lexical[k];
    for (int32_t k = 0; k < width; ++k) posterior[k] = lexical[k] / total;
    null_posterior[r] = null[r] / total;
    likelihood += std::log(static_cast<double>(total) / (width + 1));
  }
  return likelihood;
}

}  // namespace wordorder::align
