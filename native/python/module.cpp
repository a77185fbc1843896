// The module: each subject binds its own functions.
#include "python/arrays.h"

namespace wordorder::python {

void bind_match(nb::module_ &m);
void bind_align(nb::module_ &m);
void bind_crf(nb::module_ &m);
void bind_crf_layers(nb::module_ &m);
void bind_crf_learner(nb::module_ &m);
void bind_decode(nb::module_ &m);
void bind_grammar(nb::module_ &m);
void bind_order(nb::module_ &m);
void bind_overlap(nb::module_ &m);
void bind_rules(nb::module_ &m);
void bind_text(nb::module_ &m);
void bind_tune(nb::module_ &m);

}  // namespace wordorder::python

NB_MODULE(_native, m) {
  using namespace wordorder::python;
  // Tables are cached until the program ends, which nanobind would report as leaks.
  nanobind::set_leak_warnings(false);
  m.doc() = "Kernels over arrays; see the modules of wordorder.core for what they mean.";
  bind_match(m);
  bind_align(m);
  bind_crf(m);
  bind_crf_layers(m);
  bind_crf_learner(m);
  bind_decode(m);
  bind_grammar(m);
  bind_order(m);
  bind_overlap(m);
  bind_rules(m);
  bind_text(m);
  bind_tune(m);
}
