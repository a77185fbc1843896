// Classes of words that stand in like places: the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney
// 1998). Every word in turn moves to the class that makes the text most probable under a class bigram model.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.h"

namespace wordorder::crf {

// The class of each of `words` words, numbered from the most frequent down, by the text in `batch`. Starts with the
// words dealt out to the classes in turn; stops after so many rounds, or when no word moves.
std::vector<int32_t> exchange_classes(const base::Batch &text, int32_t words, int32_t classes, int32_t rounds);

}  // namespace wordorder::crf
