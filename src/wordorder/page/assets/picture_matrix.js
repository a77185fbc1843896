"use strict";
// The alignment matrix: source words in rows, target words in columns, blocks outlined.
//
// A block is a part of the source that is linked only to one part of the target, and the other way round. Those
// outlined are the nodes of the permutation tree of the linked words.
(() => {
  const MARGIN = 8;

  // Rectangles {top, bottom, left, right, kind} of the blocks of two words or more, in positions.
  wo.blocks = (links) => {
    const range = new Map(); // source word -> [first, last] target word
    for (const [i, j] of links) {
      const [low, high] = range.get(i) || [j, j];
      range.set(i, [Math.min(low, j), Math.max(high, j)]);
    }
    const linked = [...range.keys()].sort((a, b) => a - b);
    const middle = (i) => (range.get(i)[0] + range.get(i)[1]) / 2;
    const ranks = [];
    [...linked.keys()].sort((a, b) => middle(linked[a]) - middle(linked[b]) || a - b).forEach((k, rank) => (ranks[k] = rank));
    const found = [];
    const visit = (node) => {
      if (node.kind === "word") return;
      const words = linked.slice(node.begin, node.end);
      const [top, bottom] = [words[0], words[words.length - 1]];
      const left = Math.min(...words.map((i) => range.get(i)[0]));
      const right = Math.max(...words.map((i) => range.get(i)[1]));
      const whole = links.every(([i, j]) => (i >= top && i <= bottom) === (j >= left && j <= right));
      if (whole) found.push({ top, bottom, left, right, kind: node.kind });
      node.children.forEach(visit);
    };
    if (linked.length) visit(wo.tree(ranks));
    return found;
  };

  // wo.pictures.matrix(parent, {source, target, links, sides}, link): links are [i, j, "sure"|"possible"].
  wo.pictures.matrix = (parent, { source, target, links, sides = ["source", "target"] }, link = wo.link()) => {
    if (!source.length || !target.length) return wo.noWords(parent, "no words on one side");
    link.join(sides[0], sides[1], links);
    const blocks = wo.blocks(links);
    const backwards = wo.isRightToLeft(target);

    function draw(width) {
      const longest = (words) => Math.min(Math.max(...words.map((word) => wo.wordWidth(word, 13))), 160);
      const left = longest(source) + 10;
      const top = longest(target) + 10;
      const size = Math.max(15, Math.min(24, (width - left - 2 * MARGIN) / target.length));
      const across = size * target.length;
      const down = size * source.length;
      const x0 = MARGIN + (backwards ? 0 : left);
      const y0 = MARGIN + top;
      const x = (j) => x0 + size * (backwards ? target.length - 1 - j : j);
      const y = (i) => y0 + size * i;
      const full = across + left + 2 * MARGIN;
      const height = down + top + 2 * MARGIN;

      const grid = [];
      for (let j = 0; j <= target.length; j++) grid.push(`M${x0 + size * j} ${y0}v${down}`);
      for (let i = 0; i <= source.length; i++) grid.push(`M${x0} ${y0 + size * i}h${across}`);
      const drawn = [wo.svg("rect", { class: "wo-cells", x: x0, y: y0, width: across, height: down })];
      source.forEach((word, i) => {
        const band = wo.svg("rect", { class: "wo-band", x: x0, y: y(i), width: across, height: size });
        const side = backwards ? x0 + across + 6 : x0 - 6;
        const anchor = backwards ? "start" : "end";
        const text = wo.wordText(clipped(word, 160), side, y(i) + size / 2, "label", { "text-anchor": anchor, direction: "ltr" });
        drawn.push(wo.standsFor(wo.svg("g", { class: "wo-leaf" }, band, text), sides[0], [i], link));
      });
      target.forEach((word, j) => {
        const band = wo.svg("rect", { class: "wo-band", x: x(j), y: y0, width: size, height: down });
        const at = `translate(${x(j) + size / 2} ${y0 - 6}) rotate(-90)`;
        const text = wo.wordText(clipped(word, 160), 0, 0, "label", { "text-anchor": "start", direction: "ltr", transform: at });
        const group = wo.svg("g", { class: "wo-leaf" }, band, text);
        drawn.push(wo.standsFor(group, sides[1], [j], link));
      });
      drawn.push(wo.svg("path", { class: "wo-grid", d: grid.join("") }));
      for (const { top: first, bottom, left: near, right, kind } of blocks) {
        const outline = {
          class: `wo-block wo-${kind}`,
          x: Math.min(x(near), x(right)) + 1,
          y: y(first) + 1,
          width: size * (right - near + 1) - 2,
          height: size * (bottom - first + 1) - 2,
          rx: kind === "monotone" ? 4 : 0,
        };
        drawn.push(wo.svg("rect", outline));
      }
      for (const [i, j, kind] of links) {
        const inner = Math.max(size / 4, 3);
        const place = { x: x(j) + inner, y: y(i) + inner, width: size - 2 * inner, height: size - 2 * inner };
        const css = kind === "possible" ? "wo-cell wo-possible" : "wo-cell";
        drawn.push(wo.standsFor(wo.svg("rect", { class: css, ...place }), sides[0], [i], link));
      }
      const box = { class: "wo-picture", width: full, height, viewBox: `0 0 ${full} ${height}`, "aria-hidden": "true" };
      const picture = wo.svg("svg", box, drawn);
      // One listener for all cells: a row and a column are marked.
      picture.addEventListener("pointermove", (event) => {
        const place = picture.getBoundingClientRect();
        const i = Math.floor((event.clientY - place.top - y0) / size);
        const k = Math.floor((event.clientX - place.left - x0) / size);
        if (i >= 0 && i < source.length && k >= 0 && k < target.length) link.highlight(sides[0], [i]);
      });
      return picture;
    }

    const label = `Alignment matrix of ${source.length} source and ${target.length} target words with ${links.length} links`;
    const frame = wo.box(parent, { label, name: "matrix", side: sides[0], numbers: source.map((_, k) => k), draw }, link);
    wo.listen(frame, link);
    return frame;
  };

  function clipped(word, width) {
    let text = wo.shown(word);
    if (wo.wordWidth(text, 13) <= width) return text;
    while (text.length > 1 && wo.wordWidth(text + "…", 13) > width) text = text.slice(0, -1);
    return text + "…";
  }
})();
