"use strict";
// The permutation tree over the words, and below them the target sentence where it is known.
//
// wo.pictures.tree(parent, {words, ranks, target, sides, positions, tree}, link): target[ranks[i]] belongs to
// words[i]. The tree drawn is the flat one, or `tree`: another tree of the same permutation.
// positions are the numbers of words and target in their sentences where only some of them are in the tree
// ({source: [...], target: [...]}), so that hovering marks the right ones in other pictures.
(() => {
  const GAP = 16;
  const LEVEL = 54;
  const NODE = 24;
  const PAD = 11;
  const MARGIN = 14;
  const FALL = 11;
  const POINT = 8;

  // Boxes of subtrees, from the words up: extent to both sides of the centre, and level.
  function measured(node, words, isFolded) {
    if (node.kind === "word") return leafBox(node.begin, node.end, words);
    const children = [];
    for (let k = 0; k < node.children.length; ) {
      let after = k;
      while (node.kind === "monotone" && after < node.children.length && node.children[after].kind === "word") after++;
      const run = node.children.slice(k, Math.max(after, k + 1));
      const [begin, end] = [run[0].begin, run[run.length - 1].end];
      if (run.length >= 3 && isFolded(begin)) children.push(leafBox(begin, end, words));
      else children.push(...run.map((child) => measured(child, words, isFolded)));
      k += run.length;
    }
    const label = wo.operatorLabel(node);
    const box = { node, label, width: wo.wordWidth(label, 13) + 2 * PAD, children };
    let at = 0;
    for (const child of children) {
      child.offset = at + child.left;
      at += child.left + child.right + GAP;
    }
    const middle = (children[0].offset + children[children.length - 1].offset) / 2;
    for (const child of children) child.offset -= middle;
    box.left = Math.max(box.width / 2, middle);
    box.right = Math.max(box.width / 2, at - GAP - middle);
    box.level = 1 + Math.max(...children.map((child) => child.level));
    return box;
  }

  function leafBox(begin, end, words) {
    const folded = end - begin > 1;
    const label = folded ? wo.foldedLabel(words.slice(begin, end)) : words[begin];
    const width = Math.max(wo.wordWidth(label) + (folded ? 18 : 0), 14);
    return { begin, end, label, folded, width, left: width / 2, right: width / 2, level: 0, children: [] };
  }

  function place(box, x, leaves, nodes) {
    box.x = x;
    (box.children.length ? nodes : leaves).push(box);
    for (const child of box.children) place(child, x + child.offset, leaves, nodes);
  }

  // The shape of a kind of operator around a point: round, pointed or square.
  wo.nodeShape = (kind, x, y, width, height = NODE) => {
    const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
    if (kind === "inverted") {
      const corners = [
        [left, y], [left + POINT, top], [right - POINT, top], [right, y], [right - POINT, bottom], [left + POINT, bottom],
      ];
      return wo.svg("polygon", { class: "wo-shape", points: corners.map((corner) => corner.join()).join(" ") });
    }
    const rx = kind === "monotone" ? height / 2 : 0;
    return wo.svg("rect", { class: "wo-shape", x: left, y: top, width, height, rx });
  };

  function lines(box) {
    const bar = box.y + NODE / 2 + FALL;
    const steps = box.children.map((child) => `M${child.x} ${bar}V${child.y - (child.children.length ? NODE : 22) / 2}`);
    const [first, last] = [box.children[0].x, box.children[box.children.length - 1].x];
    return `M${box.x} ${box.y + NODE / 2}V${bar}M${first} ${bar}H${last}${steps.join("")}`;
  }

  wo.pictures.tree = (parent, { words, ranks, target, sides = ["source", "target"], positions, tree }, link = wo.link()) => {
    if (!words.length) return wo.noWords(parent);
    const [source, other] = sides;
    const number = (side, k) => (positions && positions[side] ? positions[side][k] : k);
    const order = [];
    ranks.forEach((rank, k) => (order[rank] = k));
    if (target) {
      const pairs = ranks.map((rank, k) => [number("source", k), number("target", rank)]);
      link.join(source, other, pairs);
    }
    const root = tree || wo.tree(ranks);
    const backwards = wo.isRightToLeft(words);
    const unfolded = new Set();

    function draw(width) {
      let folding = false;
      let box = measured(root, words, () => false);
      if (box.left + box.right + 2 * MARGIN > width) {
        folding = true;
        box = measured(root, words, (begin) => !unfolded.has(begin));
      }
      const leaves = [];
      const nodes = [];
      place(box, MARGIN + box.left, leaves, nodes);
      let full = box.left + box.right + 2 * MARGIN;
      const top = MARGIN + NODE / 2;
      const baseline = top + box.level * LEVEL;
      for (const one of [...leaves, ...nodes]) one.y = baseline - one.level * LEVEL;

      // The target sentence has its own widths, and is centred below the words.
      const below = target ? targetRow(leaves) : [];
      const rowWidth = below.length ? below[below.length - 1].x + below[below.length - 1].width / 2 : 0;
      full = Math.max(full, rowWidth + 2 * MARGIN);
      const shift = (full - (box.left + box.right)) / 2 - MARGIN;
      const mirrored = (x) => (backwards ? full - x : x);
      for (const one of [...leaves, ...nodes]) one.x = mirrored(one.x + shift);
      const targetBackwards = target && wo.isRightToLeft(target);
      for (const one of below) {
        one.x += (full - rowWidth) / 2;
        if (targetBackwards) one.x = full - one.x;
      }
      const fall = baseline + 84;
      const height = target ? fall + 22 + MARGIN : baseline + 36;

      const drawn = [];
      for (const one of nodes) {
        const group = wo.svg("g", { class: `wo-node wo-${one.node.kind}` },
          wo.svg("path", { class: "wo-line", d: lines(one) }),
          wo.nodeShape(one.node.kind, one.x, one.y, one.width),
          wo.wordText(one.label, one.x, one.y, "operator"));
        if (folding) group.addEventListener("click", () => foldAgain(one.node));
        drawn.push(marks(group, one.node.begin, one.node.end));
      }
      for (const one of leaves) {
        const middle = below[one.row];
        if (!middle) continue;
        const path = `M${one.x} ${baseline + 13}C${one.x} ${baseline + 48} ${middle.x} ${fall - 48} ${middle.x} ${fall - 13}`;
        drawn.push(marks(wo.svg("path", { class: "wo-curve", d: path }), one.begin, one.end));
      }
      for (const one of leaves) drawn.push(leafGroup(one, one.label, one.x, baseline, !target));
      for (const one of below) drawn.push(leafGroup(one.leaf, one.label, one.x, fall, false, true));
      return wo.svg("svg", { class: "wo-picture", width: full, height, viewBox: `0 0 ${full} ${height}`, "aria-hidden": "true" }, drawn);

      function leafGroup(leaf, label, x, y, numbered, isTarget = false) {
        const group = wo.svg("g", { class: "wo-leaf" });
        const across = Math.max(wo.wordWidth(label) + 8, 16);
        group.append(wo.svg("rect", { class: "wo-hit", x: x - across / 2, y: y - 11, width: across, height: 22, rx: 4 }));
        if (leaf.folded) group.classList.add("wo-folded");
        group.append(wo.wordText(label, x, y));
        if (numbered) group.append(wo.wordText(placeLabel(leaf), x, y + 21, "number"));
        if (leaf.folded) group.append(wo.svg("title", {}, `${leaf.end - leaf.begin} words in order: click to unfold`));
        if (leaf.folded) group.addEventListener("click", () => { unfolded.add(leaf.begin); frame.redraw(); });
        return marks(group, leaf.begin, leaf.end, isTarget);
      }
    }

    function placeLabel(leaf) {
      const first = ranks[leaf.begin] + 1;
      return leaf.folded ? `${first}–${ranks[leaf.end - 1] + 1}` : String(first);
    }

    function foldAgain(node) {
      for (let k = node.begin; k < node.end; k++) unfolded.delete(k);
      frame.redraw();
    }

    function targetRow(leaves) {
      const row = [];
      let at = 0;
      const sorted = [...leaves].sort((a, b) => ranks[a.begin] - ranks[b.begin]);
      for (const leaf of sorted) {
        const [first, last] = [ranks[leaf.begin], ranks[leaf.end - 1]];
        const label = leaf.folded ? wo.foldedLabel(target.slice(first, last + 1)) : target[first];
        const width = Math.max(wo.wordWidth(label), 14);
        leaf.row = row.length;
        row.push({ leaf, label, width, x: at + width / 2 });
        at += width + GAP;
      }
      return row;
    }

    // The element stands for words from begin to end of the tree; these need not be neighbours in the sentence.
    function marks(element, begin, end, isTarget = false) {
      const places = Array.from({ length: end - begin }, (_, k) => begin + k);
      const numbers = places.map((k) => (isTarget ? number("target", ranks[k]) : number("source", k)));
      return wo.standsFor(element, isTarget ? other : source, numbers, link);
    }

    const label = `Permutation tree of ${words.length} words: ${wo.treeText(root, ranks)}`;
    const frame = wo.box(parent, { label, name: "tree", side: source, numbers: words.map((_, k) => number("source", k)), draw }, link);
    wo.listen(frame, link);
    return frame;
  };
})();
