// Bindings of rules: linearising dependency trees.
#include "python/checks.h"
#include "rules/linearise.h"

namespace wordorder::python {

using namespace rules;

namespace {

// The heads of trees without crossing arcs, the number of lifted words of each sentence, and the first sentence that is
// not a tree, or -1.
auto project(const Ints &heads, const Ints &flags, const Longs &offsets) {
  const base::Batch batch = batch_of(heads, offsets);
  require(flags.shape(0) == heads.shape(0), "the arrays differ in length");
  std::vector<int32_t> out(heads.shape(0)), lifted(batch.size);
  int64_t bad = -1;
  {
    nb::gil_scoped_release release;
    Lineariser lineariser;
    for (int64_t s = 0; s < batch.size && bad < 0; ++s) {
      const int64_t at = batch.offsets[s];
      const ParsedWords words{heads.data() + at, nullptr, nullptr, flags.data() + at, batch.length(s)};
      lifted[s] = lineariser.project(words, out.data() + at);
      if (lifted[s] < 0) bad = s;
    }
  }
  return nb::make_tuple(to_numpy(std::move(out)), to_numpy(std::move(lifted)), bad);
}

// The orders of all sentences, and the first sentence that is not a tree without crossing arcs, or -1.
auto linearise(const Ints &heads, const Ints &ranks, const Ints &own_ranks, const Ints &flags, const Longs &offsets) {
  const base::Batch batch = batch_of(heads, offsets);
  for (const Ints *other : {&ranks, &own_ranks, &flags}) {
    require(other->shape(0) == heads.shape(0), "the arrays differ in length");
  }
  std::vector<int32_t> order(heads.shape(0));
  int64_t bad = -1;
  {
    nb::gil_scoped_release release;
    Lineariser lineariser;
    for (int64_t s = 0; s < batch.size && bad < 0; ++s) {
      const int64_t at = batch.offsets[s];
      const ParsedWords words{heads.data() + at, ranks.data() + at, own_ranks.data() + at, flags.data() + at,
                              batch.length(s)};
      if (!lineariser.run(words, order.data() + at)) bad = s;
    }
  }
  return nb::make_tuple(to_numpy(std::move(order)), bad);
}

}  // namespace

void bind_rules(nb::module_ &m) {
  m.def("project", &project, "heads"_a, "flags"_a, "offsets"_a);
  m.def("linearise", &linearise, "heads"_a, "ranks"_a, "own_ranks"_a, "flags"_a, "offsets"_a);
}

}  // namespace wordorder::python
