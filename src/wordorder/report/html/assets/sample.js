"use strict";
// A sample of aligned sentences, drawn.
wo.report.later("sample-view", (place) => {
  for (const { line, source, target, links } of wo.data("sample")) {
    const link = wo.link();
    const part = wo.element("div", { class: "sentence-pictures" });
    place.append(wo.element("h3", {}, `Line ${line}`), part);
    for (const make of [wo.pictures.curves, wo.pictures.matrix]) {
      const box = wo.element("div", { class: "sentence-picture" });
      part.append(box);
      make(box, { source, target, links }, link);
    }
  }
});
