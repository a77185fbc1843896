"use strict";
// The packed forest: groups of words as bars above their words, ways to divide a group as points on its bar.
//
// wo.pictures.forest(parent, {words, ranks, side, positions}, link): positions are the numbers of the words in
// their sentence, where only some of its words are drawn.
(() => {
  const MOST = 600; // groups; more cannot be told apart
  const FEW = 20; // groups; where there are more, words that stay in order are folded
  const MARGIN = 14;
  const BAR = 24;
  const BAR_GAP = 7;
  const WORD_GAP = 14;
  const LEAST = 34; // width of a word: bars of two words have room for a number
  const POINT = 3.5;

  // Words, or folded runs of words that follow each other in both orders.
  function leavesOf(words, ranks, isFolded) {
    const leaves = [];
    for (let begin = 0; begin < words.length; ) {
      let end = begin + 1;
      while (end < words.length && ranks[end] === ranks[end - 1] + 1) end++;
      if (!isFolded(begin)) end = begin + 1;
      const folded = end - begin > 1;
      const label = folded ? wo.foldedLabel(words.slice(begin, end)) : words[begin];
      leaves.push({ begin, end, folded, label, width: Math.max(wo.wordWidth(label) + (folded ? 18 : 0), LEAST) });
      begin = end;
    }
    return leaves;
  }

  const widthOf = (leaves) => leaves.reduce((sum, leaf) => sum + leaf.width + WORD_GAP, -WORD_GAP) + 2 * MARGIN;

  // The flat tree over leaves, which take the part of words.
  function treeOver(leaves, ranks) {
    const sorted = leaves.map((leaf) => ranks[leaf.begin]).sort((a, b) => a - b);
    const place = new Map(sorted.map((rank, k) => [rank, k]));
    return wo.tree(leaves.map((leaf) => place.get(ranks[leaf.begin])));
  }

  // A lane for each group, counted from the lowest: above its parts, and where no other bar is in the way.
  wo.forestLanes = (groups) => {
    const order = [...groups].sort((a, b) => a.end - a.begin - (b.end - b.begin) || a.begin - b.begin);
    const ends = [];
    const lanes = new Map();
    for (const { begin, end, splits } of order) {
      let lane = 0;
      for (const points of splits) {
        const bounds = [begin, ...points, end];
        for (let k = 1; k < bounds.length; k++) lane = Math.max(lane, (lanes.get(`${bounds[k - 1]} ${bounds[k]}`) ?? -1) + 1);
      }
      while (lane < ends.length && ends[lane] > begin) lane++;
      ends[lane] = end;
      lanes.set(`${begin} ${end}`, lane);
    }
    return groups.map(({ begin, end }) => lanes.get(`${begin} ${end}`));
  };

  wo.pictures.forest = (parent, { words, ranks, side = "source", positions }, link = wo.link()) => {
    if (!words.length) return wo.noWords(parent);
    const number = (k) => (positions ? positions[k] : k);
    const count = wo.treeCount(wo.tree(ranks));
    const total = count === 1n ? "1 tree" : `${wo.readableCount(count)} trees`;
    const backwards = wo.isRightToLeft(words);
    const unfolded = new Set();
    const choose = () => leavesOf(words, ranks, (begin) => !unfolded.has(begin));
    parent.append(wo.element("p", { class: "wo-small wo-quiet wo-hint" }, `${total}. Each bar is a group of words; each point on it is one way to divide the group.`));

    function draw(width) {
      let leaves = leavesOf(words, ranks, () => false);
      if (widthOf(leaves) > width || wo.groupCount(treeOver(leaves, ranks)) > FEW) leaves = choose();
      const tree = treeOver(leaves, ranks);
      if (wo.groupCount(tree) > MOST) {
        const text = `${wo.groupCount(tree).toLocaleString("en")} groups of words are too many to draw. The tree shows the same forest: its chains can be divided in any way.`;
        const again = () => { unfolded.clear(); frame.redraw(); };
        return wo.element("p", { class: "wo-empty" }, text, unfolded.size > 0 && [" ", wo.element("button", { type: "button", onclick: again }, "Fold again")]);
      }
      const groups = wo.forest(tree);
      const lanes = wo.forestLanes(groups);
      const full = widthOf(leaves);
      let at = MARGIN;
      for (const leaf of leaves) {
        [leaf.left, leaf.right] = [at, at + leaf.width];
        at = leaf.right + WORD_GAP;
      }
      const base = MARGIN + BAR / 2 + Math.max(0, ...lanes) * (BAR + BAR_GAP);
      const y = base + BAR / 2 + BAR_GAP + 14;
      const mirrored = (x) => (backwards ? full - x : x);
      const drawn = groups.map((group, k) => bar(group, leaves, base - lanes[k] * (BAR + BAR_GAP), mirrored));
      for (const leaf of leaves) drawn.push(leafGroup(leaf, mirrored((leaf.left + leaf.right) / 2), y));
      const height = y + 30 + MARGIN;
      return wo.svg("svg", { class: "wo-picture", width: full, height, viewBox: `0 0 ${full} ${height}`, "aria-hidden": "true" }, drawn);
    }

    function bar({ begin, end, kind, operator, splits, ways }, leaves, y, mirrored) {
      const [left, right] = [leaves[begin].left, leaves[end - 1].right];
      const x = mirrored((left + right) / 2);
      const low = y + BAR / 2 - 5;
      const points = splits.flat().map((k) => mirrored((leaves[k - 1].right + leaves[k].left) / 2));
      const sign = kind === "prime" ? wo.operatorLabel({ kind, operator, children: operator }) : "";
      const label = [sign, ways > 1n ? wo.readableCount(ways) : ""].filter(Boolean).join(" ");
      const group = wo.svg("g", { class: `wo-node wo-${kind}` },
        wo.svg("title", {}, ways === 1n ? "1 tree" : `${wo.readableCount(ways)} trees`),
        wo.nodeShape(kind, x, y, right - left, BAR),
        kind === "prime" && wo.svg("path", { class: "wo-line", d: `M${points[0]} ${low}H${points[points.length - 1]}` }),
        points.map((cx) => wo.svg("circle", { class: "wo-split", cx, cy: low, r: POINT })),
        label && wo.wordWidth(label, 12) + 20 <= right - left && wo.wordText(label, x, y - 4, "number"));
      return marks(group, leaves[begin].begin, leaves[end - 1].end);
    }

    function leafGroup(leaf, x, y) {
      const across = leaf.width + (leaf.folded ? 0 : 4);
      const first = ranks[leaf.begin] + 1;
      const group = wo.svg("g", { class: leaf.folded ? "wo-leaf wo-folded" : "wo-leaf" },
        wo.svg("rect", { class: "wo-hit", x: x - across / 2, y: y - 11, width: across, height: 22, rx: 4 }),
        wo.wordText(leaf.label, x, y),
        wo.wordText(leaf.folded ? `${first}–${first + leaf.end - leaf.begin - 1}` : String(first), x, y + 21, "number"));
      if (leaf.folded) {
        group.append(wo.svg("title", {}, `${leaf.end - leaf.begin} words in order: click to unfold`));
        group.addEventListener("click", () => {
          for (let k = leaf.begin; k < leaf.end; k++) unfolded.add(k);
          frame.redraw();
        });
      }
      return marks(group, leaf.begin, leaf.end);
    }

    const marks = (element, begin, end) =>
      wo.standsFor(element, side, Array.from({ length: end - begin }, (_, k) => number(begin + k)), link);

    const frame = wo.box(parent, { label: `Packed forest of ${words.length} words: ${total}`, name: "forest", side, numbers: words.map((_, k) => number(k)), draw }, link);
    wo.listen(frame, link);
    return frame;
  };
})();
