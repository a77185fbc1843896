// The module: each subject binds its own functions.
#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "python/arrays.h"

namespace wordorder::python {

void bind_match(nb::module_ &m);
void bind_align(nb::module_ &m);
void bind_crf(nb::module_ &m);
void bind_crf_layers(nb::module_ &m);
void bind_crf_learner(nb::module_ &m);
void bind_decode(nb::module_ &m);
void bind_grammar(nb::module_ &m);
void bind_neural(nb::module_ &m);
void bind_order(nb::module_ &m);
void bind_overlap(nb::module_ &m);
void bind_resample(nb::module_ &m);
void bind_rules(nb::module_ &m);
void bind_text(nb::module_ &m);
void bind_tune(nb::module_ &m);

}  // namespace wordorder::python

namespace {

// Arrays of a block of work are freed and taken again all the time. By default, the C library gives large ones back to
// the system, which then has to clear their pages again.
void keep_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

}  // namespace

NB_MODULE(_native, m) {
  using namespace wordorder::python;
  // Tables are cached until the program ends, which nanobind would report as leaks.
  nanobind::set_leak_warnings(false);
  m.doc() = "Kernels over arrays; see the modules of wordorder.core for what they mean.";
  m.def("keep_memory", &keep_memory);
  bind_match(m);
  bind_align(m);
  bind_crf(m);
  bind_crf_layers(m);
  bind_crf_learner(m);
  bind_decode(m);
  bind_grammar(m);
  bind_neural(m);
  bind_order(m);
  bind_overlap(m);
  bind_resample(m);
  bind_rules(m);
  bind_text(m);
  bind_tune(m);
}
