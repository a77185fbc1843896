"use strict";
// What all reports share: buttons that save tables, and choices.
wo.report = {};

(() => {
  const ENDINGS = { tsv: ["tsv", "text/tab-separated-values"], json: ["json", "application/json"], latex: ["tex", "application/x-tex"] };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-save]");
    if (!button) return;
    const { save, form } = button.dataset;
    const [ending, type] = ENDINGS[form];
    wo.save(`${save}.${ending}`, wo.data("saved")[save][form], type);
  });

  // A labelled choice among some values; changed(number) is called at once, too.
  wo.report.choice = (label, values, changed, first = 0) => {
    const chooser = wo.element("select", { onchange: () => changed(Number(chooser.value)) },
      values.map((value, k) => wo.element("option", { value: k, selected: k === first }, value)));
    return wo.element("label", { class: "report-choice" }, wo.element("span", {}, label), chooser);
  };

  // Buttons that save the rows which a table shows.
  wo.report.saveRows = (file, table) => {
    const save = (form) => {
      const [ending, type] = ENDINGS[form];
      wo.save(`${file}.${ending}`, table()[form](), type);
    };
    return wo.element("span", { class: "report-save" }, "Save as ",
      ["tsv", "json", "latex"].map((form) => wo.element("button", { type: "button", onclick: () => save(form) }, { tsv: "TSV", json: "JSON", latex: "LaTeX" }[form])));
  };

  // Build a part of the page when it comes near the window.
  wo.report.later = (name, build) => {
    const place = document.getElementById(name);
    if (!place) return;
    place.classList.add("report-waiting");
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      place.classList.remove("report-waiting");
      build(place);
    }, { rootMargin: "400px" });
    seen.observe(place);
  };

  // Mark the section in view in the table of contents.
  const links = new Map([...document.querySelectorAll(".report-nav a")].map((link) => [link.hash.slice(1), link]));
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const [name, link] of links) link.toggleAttribute("aria-current", name === target.id);
      const here = links.get(target.id);
      if (here) here.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const name of links.keys()) {
    const section = document.getElementById(name);
    if (section) inView.observe(section);
  }
})();
