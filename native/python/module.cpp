// The module: each topic binds its own functions.
#include "python/arrays.h"

void bind_match(nb::module_ &m);
void bind_aligner(nb::module_ &m);
void bind_crf(nb::module_ &m);
void bind_crf_layers(nb::module_ &m);
void bind_grammar(nb::module_ &m);
void bind_orders(nb::module_ &m);
void bind_overlap(nb::module_ &m);
void bind_rules(nb::module_ &m);
void bind_words(nb::module_ &m);

NB_MODULE(_native, m) {
  m.doc() = "Kernels over arrays; see the modules of wordorder.core for what they mean.";
  bind_match(m);
  bind_aligner(m);
  bind_crf(m);
  bind_crf_layers(m);
  bind_grammar(m);
  bind_orders(m);
  bind_overlap(m);
  bind_rules(m);
  bind_words(m);
}
