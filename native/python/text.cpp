// Bindings of text: words and their numbers.
#include "python/checks.h"
#include "text/words.h"

namespace wordorder::python {

using namespace text;

namespace {

auto encode(WordTable &table, const nb::bytes &text, int splitter) {
  const Splitter how = option_of(splitter, Splitter::letters);
  std::vector<int32_t> ids;
  std::vector<int64_t> ends{0};
  const char *const data = text.c_str();
  const int64_t size = static_cast<int64_t>(text.size());
  {
    nb::gil_scoped_release release;
    ids.reserve(size / 4);
    table.encode(data, size, how, ids, ends);
  }
  return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(ends)));
}

nb::list words(const WordTable &table) {
  nb::list list;
  for (const std::string &word : table.words()) list.append(nb::str(word.data(), word.size()));
  return list;
}

}  // namespace

void bind_text(nb::module_ &m) {
  nb::class_<WordTable>(m, "WordTable")
      .def(nb::init<>())
      .def("encode", &encode, "text"_a, "splitter"_a)
      .def("words", &words)
      .def("__len__", [](const WordTable &table) { return table.words().size(); });
}

}  // namespace wordorder::python
