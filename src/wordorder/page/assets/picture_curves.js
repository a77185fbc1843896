"use strict";
// Two rows of words and a curve per link. Where the rows are too wide, parts in order are folded; where they are
// still too wide, the sentences are written downwards, side by side.
//
// wo.pictures.curves(parent, {source, target, links, sides}, link): links are [i, j, "sure"|"possible"].
(() => {
  const GAP = 14;
  const MARGIN = 12;
  const ROW = 24; // between words that are written downwards
  const DROP = 92; // between the two rows

  const crosses = ([i, j], [k, l]) => (i - k) * (j - l) < 0;

  // Columns of words: single words, or folded runs, with the number of the column of each word.
  function columns(words, folded) {
    const made = [];
    const of = [];
    for (let begin = 0; begin < words.length; ) {
      const end = folded.get(begin) || begin + 1;
      const label = end - begin > 1 ? wo.foldedLabel(words.slice(begin, end)) : words[begin];
      for (let k = begin; k < end; k++) of[k] = made.length;
      made.push({ begin, end, label, folded: end - begin > 1, width: Math.max(wo.wordWidth(label), 14) });
      begin = end;
    }
    let at = 0;
    for (const column of made) {
      column.x = at + column.width / 2;
      at += column.width + GAP;
    }
    return { made, of, width: Math.max(at - GAP, 0) };
  }

  wo.pictures.curves = (parent, { source, target, links, sides = ["source", "target"] }, link = wo.link()) => {
    if (!source.length && !target.length) return wo.noWords(parent);
    link.join(sides[0], sides[1], links);
    const runs = wo.parallelRuns(source.length, target.length, links);
    const unfolded = new Set();
    const crossed = links.map((one) => links.some((other) => crosses(one, other)));

    function draw(width) {
      const room = width - 2 * MARGIN;
      let top = columns(source, new Map());
      let bottom = columns(target, new Map());
      if (Math.max(top.width, bottom.width) > room) {
        const kept = runs.filter(([begin]) => !unfolded.has(begin));
        top = columns(source, new Map(kept.map(([begin, end]) => [begin, end])));
        bottom = columns(target, new Map(kept.map(([begin, end, shift]) => [begin + shift, end + shift])));
      }
      return Math.max(top.width, bottom.width) > room ? downwards(width, top, bottom) : across(width, top, bottom);
    }

    function across(width, top, bottom) {
      const full = Math.max(top.width, bottom.width) + 2 * MARGIN;
      for (const [row, words] of [[top, source], [bottom, target]]) {
        const backwards = wo.isRightToLeft(words);
        for (const column of row.made) {
          column.x += (full - row.width) / 2;
          if (backwards) column.x = full - column.x;
        }
      }
      const [y, z] = [MARGIN + 12, MARGIN + 12 + DROP];
      const path = (a, b) => `M${a.x} ${y + 13}C${a.x} ${y + 54} ${b.x} ${z - 54} ${b.x} ${z - 13}`;
      return picture(full, z + 12 + MARGIN, [
        ...curves(top, bottom, path),
        ...top.made.map((column) => word(column, 0, column.x, y)),
        ...bottom.made.map((column) => word(column, 1, column.x, z)),
      ]);
    }

    function downwards(width, top, bottom) {
      const widest = (row) => Math.max(...row.made.map((column) => column.width), 0);
      const [left, right] = [widest(top), widest(bottom)];
      const middle = Math.max(90, Math.min(260, width - left - right - 2 * MARGIN - 24));
      const [x, z] = [MARGIN + left, MARGIN + left + middle];
      const y = (k) => MARGIN + 12 + k * ROW;
      const rows = Math.max(top.made.length, bottom.made.length);
      top.made.forEach((column, k) => (column.y = y(k)));
      bottom.made.forEach((column, k) => (column.y = y(k)));
      const path = (a, b) =>
        `M${x + 8} ${a.y}C${x + middle / 2} ${a.y} ${z - middle / 2} ${b.y} ${z - 8} ${b.y}`;
      return picture(z + right + MARGIN, y(rows - 1) + 12 + MARGIN, [
        ...curves(top, bottom, path),
        ...top.made.map((column) => word(column, 0, x - column.width / 2, column.y)),
        ...bottom.made.map((column) => word(column, 1, z + column.width / 2, column.y)),
      ]);
    }

    function curves(top, bottom, path) {
      const seen = new Set();
      const drawn = [];
      links.forEach(([i, j, kind], number) => {
        const [a, b] = [top.made[top.of[i]], bottom.made[bottom.of[j]]];
        const name = `${top.of[i]} ${bottom.of[j]}`;
        if (seen.has(name)) return; // the links of a folded run are one curve
        seen.add(name);
        const css = `wo-curve ${crossed[number] ? "wo-crossed" : "wo-straight"} ${kind === "possible" ? "wo-possible" : ""}`;
        const numbers = Array.from({ length: a.end - a.begin }, (_, k) => a.begin + k);
        drawn.push(wo.standsFor(wo.svg("path", { class: css, d: path(a, b) }), sides[0], numbers, link));
      });
      return drawn;
    }

    function word(column, side, x, y) {
      const group = wo.svg("g", { class: column.folded ? "wo-leaf wo-folded" : "wo-leaf" },
        wo.svg("rect", { class: "wo-hit", x: x - column.width / 2 - 4, y: y - 11, width: column.width + 8, height: 22, rx: 4 }),
        wo.wordText(column.label, x, y));
      if (column.folded) {
        group.append(wo.svg("title", {}, `${column.end - column.begin} words in order: click to unfold`));
        group.addEventListener("click", () => {
          for (const [begin, , shift] of runs) if (begin + side * shift === column.begin) unfolded.add(begin);
          frame.redraw();
        });
      }
      const numbers = Array.from({ length: column.end - column.begin }, (_, k) => column.begin + k);
      return wo.standsFor(group, sides[side], numbers, link);
    }

    function picture(width, height, drawn) {
      const box = { class: "wo-picture", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" };
      return wo.svg("svg", box, drawn);
    }

    const label = `Links of ${source.length} and ${target.length} words, ${crossed.filter(Boolean).length} of ${links.length} crossed`;
    const frame = wo.box(parent, { label, name: "curves", side: sides[0], numbers: source.map((_, k) => k), draw }, link);
    wo.listen(frame, link);
    return frame;
  };
})();
