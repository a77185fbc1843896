"use strict";
// Links between two sentences, drawn by pointer or keyboard: words in two columns with curves, and a grid.
//
// wo.linkEditor(parent, changed) has show({source, target, links, predicted}). Links are a Map from "i j" to "sure" or
// "possible"; changed(links) is called with a new Map after every change.
(() => {
  const ROW = 34; // pixels, as in the style sheet
  const NEXT = { undefined: "sure", sure: "possible", possible: undefined };
  const SIGNS = { sure: "■", possible: "□" };

  wo.linkEditor = (parent, changed) => {
    let source = [];
    let target = [];
    let links = new Map();
    let predicted = new Set();
    let chosen = null; // {side, at}
    let cell = [0, 0]; // of the grid, which has the focus
    const curves = wo.svg("svg", { class: "strands", preserveAspectRatio: "none", "aria-hidden": "true" });
    const column = (side, label) => wo.element("ol", { class: `column ${side}`, "aria-label": label });
    const columns = [column("source", "Source words"), column("target", "Target words")];
    const grid = wo.element("table", { class: "grid", role: "grid", "aria-label": "Links: source words in rows, target words in columns" });
    const scroll = wo.element("div", { class: "grid-scroll" }, grid);
    parent.replaceChildren(wo.element("div", { class: "editor" },
      wo.element("div", { class: "columns" }, columns[0], curves, columns[1]), scroll));

    const key = (i, j) => `${i} ${j}`;
    const pairOf = (side, at, other) => (side === 0 ? [at, other] : [other, at]);
    const button = (side, at) => columns[side].children[at] && columns[side].children[at].firstChild;

    function set(i, j, state) {
      const next = new Map(links);
      if (state === undefined) next.delete(key(i, j));
      else next.set(key(i, j), state);
      links = next;
      const now = state === undefined ? "no link" : `${state} link`;
      wo.say(`${source[i]} and ${target[j]}: ${now}`);
      refresh();
      changed(links);
    }
    const cycle = (i, j) => set(i, j, NEXT[links.get(key(i, j))]);

    function show(state) {
      ({ source, target, links, predicted } = state);
      chosen = null;
      cell = [Math.min(cell[0], source.length - 1), Math.min(cell[1], target.length - 1)].map((k) => Math.max(k, 0));
      [source, target].forEach((words, side) =>
        columns[side].replaceChildren(...words.map((word, at) =>
          wo.element("li", {}, wo.element("button", { type: "button", dir: "auto", tabindex: at === 0 ? 0 : -1, data: { side, at } }, word)))));
      const height = ROW * Math.max(source.length, target.length, 1);
      curves.setAttribute("viewBox", `0 0 100 ${height}`);
      curves.style.height = `${height}px`;
      buildGrid();
      refresh();
    }

    function refresh() {
      const linked = [new Set(), new Set()];
      for (const name of links.keys()) name.split(" ").forEach((k, side) => linked[side].add(Number(k)));
      [source, target].forEach((words, side) => words.forEach((word, at) => {
        const one = button(side, at);
        const partners = [...links].filter(([name]) => Number(name.split(" ")[side]) === at)
          .map(([name, state]) => `${[source, target][1 - side][Number(name.split(" ")[1 - side])]} (${state})`);
        one.classList.toggle("unlinked", !linked[side].has(at));
        one.setAttribute("aria-pressed", String(Boolean(chosen && chosen.side === side && chosen.at === at)));
        one.setAttribute("aria-label", `${word}, ${partners.length ? `linked to ${partners.join(", ")}` : "no link"}`);
      }));
      const drawn = [];
      for (const name of predicted) if (!links.has(name)) drawn.push(curve(name, "predicted"));
      for (const [name, state] of links) drawn.push(curve(name, state));
      curves.replaceChildren(...drawn);
      for (const place of grid.querySelectorAll("td")) paint(place);
    }

    function curve(name, state) {
      const [y, z] = name.split(" ").map((k) => (Number(k) + 0.5) * ROW);
      const d = `M0 ${y}C50 ${y} 50 ${z} 100 ${z}`;
      const line = wo.svg("path", { class: `strand ${state}`, d });
      const hit = wo.svg("path", { class: "strand-hit", d, data: { link: name } });
      hit.addEventListener("click", () => cycle(...name.split(" ").map(Number)));
      return wo.svg("g", {}, line, hit);
    }

    // The grid

    function buildGrid() {
      const head = wo.element("tr", {}, wo.element("td", { class: "corner" }),
        target.map((word) => wo.element("th", { scope: "col" }, wo.element("span", {}, word))));
      const rows = source.map((word, i) => wo.element("tr", {}, wo.element("th", { scope: "row" }, wo.element("span", {}, word)),
        target.map((_, j) => wo.element("td", { role: "gridcell", tabindex: i === cell[0] && j === cell[1] ? 0 : -1, data: { i, j } }))));
      grid.replaceChildren(wo.element("thead", {}, head), wo.element("tbody", {}, rows));
    }

    function paint(place) {
      if (place.classList.contains("corner")) return;
      const { i, j } = place.dataset;
      const state = links.get(key(i, j));
      const text = SIGNS[state] || (predicted.has(key(i, j)) ? "·" : "");
      if (place.textContent !== text) place.textContent = text;
      place.setAttribute("aria-label", `${source[i]}, ${target[j]}: ${state || (text ? "predicted" : "no link")}`);
    }

    const cellAt = (i, j) => grid.querySelector(`td[data-i="${i}"][data-j="${j}"]`);
    function goTo(i, j) {
      if (i < 0 || j < 0 || i >= source.length || j >= target.length) return;
      cellAt(...cell).tabIndex = -1;
      cell = [i, j];
      const place = cellAt(i, j);
      place.tabIndex = 0;
      place.focus();
    }

    grid.addEventListener("click", (event) => {
      const place = event.target.closest("td[data-i]");
      if (!place) return;
      const [i, j] = [Number(place.dataset.i), Number(place.dataset.j)];
      goTo(i, j);
      cycle(i, j);
    });
    grid.addEventListener("keydown", (event) => {
      if (!event.target.closest("td[data-i]") || event.ctrlKey || event.metaKey || event.altKey) return;
      const [i, j] = cell;
      const moves = { ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], Home: [i, 0], End: [i, target.length - 1] };
      if (event.key in moves) goTo(...moves[event.key]);
      else if (!changeByKey(event.key, i, j)) return;
      event.preventDefault();
    });

    function changeByKey(pressed, i, j) {
      if (pressed === "Enter" || pressed === " ") cycle(i, j);
      else if (pressed === "s") set(i, j, "sure");
      else if (pressed === "p") set(i, j, "possible");
      else if (pressed === "Delete" || pressed === "Backspace") set(i, j, undefined);
      else return false;
      return true;
    }

    // The columns

    function choose(side, at) {
      if (chosen && chosen.side !== side) cycle(...pairOf(side, at, chosen.at));
      else {
        chosen = chosen && chosen.at === at ? null : { side, at };
        refresh();
      }
    }

    const placeOf = (element) => {
      const one = element && element.closest ? element.closest(".column button") : null;
      return one ? { side: Number(one.dataset.side), at: Number(one.dataset.at) } : null;
    };

    columns.forEach((list, side) => {
      list.addEventListener("keydown", (event) => {
        const here = placeOf(event.target);
        if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
        const words = side === 0 ? source : target;
        const focus = (toSide, at) => {
          const next = button(toSide, Math.max(0, Math.min(at, (toSide === 0 ? source : target).length - 1)));
          if (next) {
            for (const one of columns[toSide].querySelectorAll("button")) one.tabIndex = -1;
            next.tabIndex = 0;
            next.focus();
          }
        };
        if (event.key === "ArrowUp") focus(side, here.at - 1);
        else if (event.key === "ArrowDown") focus(side, here.at + 1);
        else if (event.key === "Home") focus(side, 0);
        else if (event.key === "End") focus(side, words.length - 1);
        else if (event.key === "ArrowLeft" || event.key === "ArrowRight") focus(1 - side, partner(here));
        else if (event.key === "Escape") {
          chosen = null;
          refresh();
        } else if (event.key === "Enter" || event.key === " ") choose(side, here.at);
        else if (!(chosen && chosen.side !== side && changeByKey(event.key, ...pairOf(side, here.at, chosen.at)))) return;
        event.preventDefault();
      });
    });

    // The first word that a word is linked to, else the word at the same place.
    function partner({ side, at }) {
      const found = [...links.keys()].map((name) => name.split(" ").map(Number)).filter((pair) => pair[side] === at);
      return found.length ? Math.min(...found.map((pair) => pair[1 - side])) : at;
    }

    // A click chooses; a drag to the other column links.
    parent.addEventListener("pointerdown", (event) => {
      const from = placeOf(event.target);
      if (!from || event.button !== 0) return;
      const rubber = wo.svg("path", { class: "strand rubber" });
      let begun = false;
      const follow = (next) => {
        if (!begun && Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) < 6) return;
        if (!begun) curves.append(rubber);
        begun = true;
        next.preventDefault();
        const box = curves.getBoundingClientRect();
        const y = (from.at + 0.5) * ROW;
        const x = (100 * (next.clientX - box.left)) / box.width;
        rubber.setAttribute("d", `M${from.side === 0 ? 0 : 100} ${y}L${x} ${next.clientY - box.top}`);
      };
      const stop = (last) => {
        document.removeEventListener("pointermove", follow);
        document.removeEventListener("pointerup", stop);
        document.removeEventListener("pointercancel", stop);
        rubber.remove();
        if (last.type === "pointercancel") return;
        const to = placeOf(document.elementFromPoint(last.clientX, last.clientY));
        if (!begun) choose(from.side, from.at);
        else if (to && to.side !== from.side) cycle(...pairOf(from.side, from.at, to.at));
      };
      document.addEventListener("pointermove", follow);
      document.addEventListener("pointerup", stop);
      document.addEventListener("pointercancel", stop);
    });

    return { show };
  };
})();
