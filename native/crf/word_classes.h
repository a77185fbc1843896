// Word classes by the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998): words with similar
// neighbours share a class. Each word in turn moves to the class that makes the text most probable under a class bigram
// model.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.h"

namespace wordorder::crf {

// The class of each of `words` words, which are numbered by falling frequency. The words are first distributed over the
// classes in turn. The algorithm stops after `rounds` rounds, or when no word moves.
std::vector<int32_t> exchange_classes(const base::Batch &text, int32_t words, int32_t classes, int32_t rounds);

}  // namespace wordorder::crf
