// Bindings of text: words and their numbers.
#include "python/checks.h"
#include "text/words.h"

namespace wordorder::python {

using namespace text;

namespace {

// Numbers of the words of a text and the ends of its lines, as `fill(data, size, ids, ends)` appends them.
template <typename Fill>
auto numbered(const nb::bytes &text, Fill fill) {
  std::vector<int32_t> ids;
  std::vector<int64_t> ends{0};
  const char *const data = text.c_str();
  const int64_t size = static_cast<int64_t>(text.size());
  {
    nb::gil_scoped_release release;
    ids.reserve(size / 4);
    fill(data, size, ids, ends);
  }
  return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(ends)));
}

auto encode(WordTable &table, const nb::bytes &text, int splitter) {
  const Splitter how = option_of(splitter, Splitter::letters);
  return numbered(text, [&](const char *data, int64_t size, auto &ids, auto &ends) {
    table.encode(data, size, how, ids, ends);
  });
}

auto look_up(const WordTable &table, const nb::bytes &text) {
  return numbered(text, [&](const char *data, int64_t size, auto &ids, auto &ends) {
    table.look_up(data, size, ids, ends);
  });
}

// The lines with some numbers, in their order.
auto take(const Ints &ids, const Longs &offsets, const Longs &lines) {
  const base::Batch batch = batch_of(ids, offsets);
  check_below(lines, batch.size, "a line is out of range");
  std::vector<int64_t> ends{0};
  ends.reserve(lines.shape(0) + 1);
  for (size_t k = 0; k < lines.shape(0); ++k) ends.push_back(ends.back() + batch.length(lines.data()[k]));
  std::vector<int32_t> taken;
  taken.reserve(ends.back());
  for (size_t k = 0; k < lines.shape(0); ++k) {
    const int32_t *const words = batch.begin(lines.data()[k]);
    taken.insert(taken.end(), words, words + batch.length(lines.data()[k]));
  }
  return nb::make_tuple(to_numpy(std::move(taken)), to_numpy(std::move(ends)));
}

nb::list words(const WordTable &table) {
  nb::list list;
  for (const std::string_view word : table.words()) list.append(nb::str(word.data(), word.size()));
  return list;
}

}  // namespace

void bind_text(nb::module_ &m) {
  m.def("take", &take, "ids"_a, "offsets"_a, "lines"_a);
  nb::class_<WordTable>(m, "WordTable")
      .def(nb::init<>())
      .def("encode", &encode, "text"_a, "splitter"_a)
      .def("look_up", &look_up, "text"_a)
      .def("words", &words)
      .def("__len__", &WordTable::size);
}

}  // namespace wordorder::python
