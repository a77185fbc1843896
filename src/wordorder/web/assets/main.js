"use strict";
// The frame of the page: views, shortcuts, and the address.
(() => {
  const TITLES = { explore: "Explore", reorder: "Reorder", report: "Report" };
  const place = document.getElementById("view");
  let current = null;
  const kept = {}; // what each view showed last

  function open(view, values) {
    const name = Object.hasOwn(wo.views, view) ? view : "explore";
    for (const link of document.querySelectorAll("nav a[data-view]")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${TITLES[name]} · wordorder`;
    if (current && current.close) current.close();
    const own = (current = { name });
    const remember = (state) => {
      if (current !== own) return;
      kept[name] = state;
      wo.state.write(name, state);
    };
    const given = Object.keys(values).length ? values : kept[name] || {};
    Object.assign(own, wo.views[name](place, given, remember));
  }

  addEventListener("hashchange", () => {
    const { view, values } = wo.state.read();
    open(view, values);
  });

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || wo.isTyping(event)) return;
    const number = Number(event.key);
    const name = Object.keys(wo.views)[number - 1];
    if (name) location.hash = `#${name}`;
    else if (event.key === "/") place.querySelector("textarea, input").focus();
    else if (!current.keys(event)) return;
    event.preventDefault();
  });

  const { view, values } = wo.state.read();
  open(view, values);
})();
