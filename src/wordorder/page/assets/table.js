"use strict";
// A table of any number of rows, of which only those in view are in the document.
//
// wo.table(parent, {columns, count, cell, caption, text, open, tools, rowHeight, sort}) where
//   columns  [{label, title, kind: "number"|"text", decimals, width, show(value, row)}]
//   cell     (row, column) -> number, text or null; the row is a number from 0 to count - 1
//   text     (row) -> text to search; without it, there is no search box
//   open     (row) -> called for a click on a row or Enter
//   tools    elements to show in the bar above the table
//   sort     [column, "ascending"|"descending"] to begin with
// Returns {element, restrict(predicate), rows(), select(row), tsv(), json(), latex()}; the last three write the rows
// that are shown.
(() => {
  let tables = 0;
  const OPERATORS = {
    "≥": (a, b) => a >= b,
    "≤": (a, b) => a <= b,
    "=": (a, b) => a === b,
  };

  wo.table = (parent, options) => {
    const { columns, count, cell, caption, text, open, tools = [], rowHeight = 34 } = options;
    const name = `wo-table-${tables++}`;
    const state = { sort: options.sort || null, query: "", conditions: [], predicate: null, active: -1 };
    let rows = [];

    // ----- the bar: search, conditions, number of rows
    const found = wo.element("span", { class: "wo-found", role: "status" });
    const search = text && wo.element("input", {
      type: "search", placeholder: "Search words", "aria-label": `Search ${caption}`,
      oninput: soon(() => { state.query = search.value.trim().toLowerCase(); update(); }),
    });
    const numbers = columns.map((column, k) => [column, k]).filter(([column]) => column.kind === "number");
    const conditions = wo.element("span", { class: "wo-conditions" });
    const add = text && numbers.length > 0 && wo.element("button", { type: "button", onclick: () => addCondition() }, "Add filter");
    const bar = wo.element("div", { class: "wo-tools" }, search, conditions, add, found, tools);

    // ----- the table
    const heads = columns.map((column, k) => {
      const button = wo.element("button", { type: "button", title: column.title || column.label, onclick: () => sortBy(k) },
        wo.element("span", { class: "wo-label" }, column.label), wo.element("span", { class: "wo-arrow", "aria-hidden": "true" }));
      return wo.element("th", { scope: "col", class: `wo-${column.kind}` }, button);
    });
    const before = wo.element("tbody", { class: "wo-space", "aria-hidden": "true" });
    const body = wo.element("tbody");
    const after = wo.element("tbody", { class: "wo-space", "aria-hidden": "true" });
    const widths = columns.map((column) => column.width || (column.kind === "number" ? "6rem" : "auto"));
    const least = widths.map((width) => (width === "auto" ? "14rem" : width)).join(" + ");
    const grid = wo.element("table", { role: "grid", "aria-label": caption, style: { minWidth: `calc(${least})` } },
      wo.element("colgroup", {}, widths.map((width) => wo.element("col", { style: { width } }))),
      wo.element("thead", {}, wo.element("tr", { "aria-rowindex": 1 }, heads)),
      before, body, after);
    const scroll = wo.element("div", { class: "wo-scroll", tabindex: 0, role: "group", "aria-label": caption }, grid);
    const element = wo.element("div", { class: "wo-table" }, bar, scroll);
    parent.append(element);

    function sortBy(column) {
      const first = columns[column].kind === "number" ? "descending" : "ascending";
      const second = first === "descending" ? "ascending" : "descending";
      const same = state.sort && state.sort[0] === column;
      state.sort = same && state.sort[1] === second ? null : [column, same ? second : first];
      update();
    }

    function addCondition(column = numbers[0][1], operator = "≥", value = "") {
      const condition = { column, operator, value };
      const changed = soon(() => {
        Object.assign(condition, { column: Number(chooser.value), operator: relation.value, value: limit.value.trim() });
        update();
      });
      const chooser = wo.element("select", { "aria-label": "Column to filter by", onchange: changed },
        numbers.map(([one, k]) => wo.element("option", { value: k, selected: k === column }, one.long || one.label)));
      const relation = wo.element("select", { "aria-label": "Relation", onchange: changed },
        Object.keys(OPERATORS).map((sign) => wo.element("option", { selected: sign === operator }, sign)));
      const limit = wo.element("input", { type: "text", inputmode: "decimal", size: 6, value, "aria-label": "Value", oninput: changed });
      const remove = wo.element("button", {
        type: "button", "aria-label": "Remove this filter",
        onclick: () => { state.conditions.splice(state.conditions.indexOf(condition), 1); row.remove(); update(); },
      }, "×");
      const row = wo.element("span", { class: "wo-condition" }, chooser, relation, limit, remove);
      state.conditions.push(condition);
      conditions.append(row);
      limit.focus();
      update();
    }

    function update() {
      const wanted = state.conditions
        .map(({ column, operator, value }) => [column, OPERATORS[operator], value === "" ? NaN : Number(value.replace(",", "."))])
        .filter(([, , value]) => !Number.isNaN(value));
      rows = [];
      for (let row = 0; row < count; row++) {
        if (state.predicate && !state.predicate(row)) continue;
        if (!wanted.every(([column, holds, value]) => { const own = cell(row, column); return own !== null && holds(own, value); })) continue;
        if (state.query && !text(row).toLowerCase().includes(state.query)) continue;
        rows.push(row);
      }
      if (state.sort) sortRows(...state.sort);
      heads.forEach((head, k) => {
        const sorted = state.sort && state.sort[0] === k ? state.sort[1] : "none";
        head.setAttribute("aria-sort", sorted);
        head.querySelector(".wo-arrow").textContent = { ascending: "▲", descending: "▼", none: "" }[sorted];
      });
      found.textContent = text ? (rows.length === count ? `${group(count)} rows` : `${group(rows.length)} of ${group(count)} rows`) : "";
      grid.setAttribute("aria-rowcount", rows.length + 1);
      scroll.scrollTop = 0;
      state.active = -1;
      show(true);
    }

    // Rows without a value are last in both directions; equal rows keep their order.
    function sortRows(column, direction) {
      const sign = direction === "ascending" ? 1 : -1;
      const keys = new Map(rows.map((row) => [row, cell(row, column)]));
      const missing = (value) => value === null || value === undefined;
      rows.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
        return (x < y ? -sign : x > y ? sign : 0) || a - b;
      });
    }

    let shown = [-1, -1];
    function show(anew = false) {
      const height = scroll.clientHeight || 400;
      const first = Math.max(0, Math.floor(scroll.scrollTop / rowHeight) - 8);
      const last = Math.min(rows.length, Math.ceil((scroll.scrollTop + height) / rowHeight) + 8);
      if (!anew && shown[0] === first && shown[1] === last) return;
      shown = [first, last];
      before.style.height = `${first * rowHeight}px`;
      after.style.height = `${(rows.length - last) * rowHeight}px`;
      body.replaceChildren(...rows.slice(first, last).map((row, k) => rowElement(row, first + k)));
    }

    function rowElement(row, index) {
      const cells = columns.map((column, k) => {
        const value = cell(row, k);
        const content = column.show ? column.show(value, row)
          : column.kind === "number" ? wo.decimal(value, column.decimals ?? 3) : value ?? "";
        return wo.element("td", { class: `wo-${column.kind}`, dir: column.kind === "text" ? "auto" : false }, content);
      });
      return wo.element("tr", {
        id: `${name}-${row}`, "aria-rowindex": index + 2, "aria-selected": index === state.active ? "true" : "false",
        class: [open ? "wo-openable" : "", index === state.active ? "wo-active" : ""].join(" ").trim() || false,
        style: { height: `${rowHeight}px` },
        onclick: open && (() => { activate(index); open(row); }),
      }, cells);
    }

    function activate(index) {
      state.active = Math.max(0, Math.min(rows.length - 1, index));
      const top = state.active * rowHeight;
      const head = grid.tHead.offsetHeight;
      if (top < scroll.scrollTop) scroll.scrollTop = top;
      else if (top + rowHeight + head > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + rowHeight + head - scroll.clientHeight;
      show(true);
    }

    scroll.addEventListener("scroll", () => requestAnimationFrame(() => show()));
    scroll.addEventListener("keydown", (event) => {
      if (event.target !== scroll || !rows.length) return;
      const page = Math.max(1, Math.floor(scroll.clientHeight / rowHeight) - 2);
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length }[event.key];
      if (step) activate(state.active + step);
      else if (event.key === "Enter" && open && state.active >= 0) open(rows[state.active]);
      else return;
      event.preventDefault();
    });
    new ResizeObserver(() => show(true)).observe(scroll);
    update();

    // The head and the rows that are shown, as values.
    const saved = () => [columns.map((column) => column.long || column.label), ...rows.map((row) => columns.map((_, k) => cell(row, k)))];

    return {
      element,
      restrict(predicate) { state.predicate = predicate; update(); },
      rows: () => rows,
      tsv: () => saved().map((cells) => cells.map((cell) => String(cell ?? "").replace(/[\t\r\n]/g, " ")).join("\t") + "\n").join(""),
      json: () => JSON.stringify(saved().slice(1).map((cells) => Object.fromEntries(columns.map((column, k) => [column.long || column.label, cells[k] ?? null]))), null, 1) + "\n",
      latex: () => latex(columns, saved()),
      select(row) { const index = rows.indexOf(row); if (index >= 0) activate(index); },
    };
  };

  const LATEX = {
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}", "<": "$<$", ">": "$>$", "|": "$|$", "−": "$-$", "↓": "$\\downarrow$",
  };

  // A table of LaTeX, with numbers as they are shown.
  function latex(columns, [head, ...rows]) {
    const escaped = (text) => wo.shown(String(text ?? "")).replace(/[&%$#_{}~^\\<>|−↓]/g, (sign) => LATEX[sign] || `\\${sign}`).replace(/^\[/, "{[}");
    const written = (value, k) => (columns[k].kind === "number" ? wo.decimal(value, columns[k].decimals ?? 3) : value);
    const line = (cells) => cells.map(escaped).join(" & ") + " \\\\";
    const kinds = columns.map((column) => (column.kind === "number" ? "r" : "l")).join("");
    return [`\\begin{tabular}{${kinds}}`, "\\toprule", line(head), "\\midrule", ...rows.map((cells) => line(cells.map(written))), "\\bottomrule", "\\end{tabular}", ""].join("\n");
  }

  const group = (number) => number.toLocaleString("en");

  // Call the function shortly after the last of several calls.
  function soon(call, delay = 120) {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(call, delay);
    };
  }
})();
