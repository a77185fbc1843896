"use strict";
// The packed forest, as wordorder.core.forest makes it: all trees of a permutation, from its flat tree.
(() => {
  const catalan = (n) => {
    let value = 1n;
    for (let k = 0n; k < n; k++) value = (value * 2n * (2n * k + 1n)) / (k + 2n);
    return value;
  };

  const inside = (node) => node.children.filter((child) => child.kind !== "word");

  // The number of trees; null, the tree of no words, counts as one.
  wo.treeCount = (node) => {
    if (node === null) return 1n;
    const own = node.kind === "monotone" || node.kind === "inverted" ? catalan(BigInt(node.children.length - 1)) : 1n;
    return inside(node).reduce((product, child) => product * wo.treeCount(child), own);
  };

  // The number of groups of several words, computed without listing them.
  wo.groupCount = (node) => {
    if (node === null || node.kind === "word") return 0;
    const m = node.children.length;
    return inside(node).reduce((sum, child) => sum + wo.groupCount(child), node.kind === "prime" ? 1 : (m * (m - 1)) / 2);
  };

  // The groups of several words, each with its ways to be divided (positions of splits) and its number of trees:
  // [{begin, end, kind, operator, splits: [[...], ...], ways}], from the words up, short runs of a chain first.
  wo.forest = (root) => {
    const groups = [];
    const counts = new Map();
    const count = (begin, end) => (end - begin === 1 ? 1n : counts.get(`${begin} ${end}`));
    const add = (node, begin, end, splits) => {
      let ways = 0n;
      for (const points of splits) {
        const ends = [begin, ...points, end];
        ways += points.reduce((product, _, k) => product * count(ends[k + 1], ends[k + 2]), count(ends[0], ends[1]));
      }
      counts.set(`${begin} ${end}`, ways);
      groups.push({ begin, end, kind: node.kind, operator: node.operator, splits, ways });
    };
    const visit = (node) => {
      inside(node).forEach(visit);
      const bounds = [node.begin, ...node.children.map((child) => child.end)];
      const m = node.children.length;
      if (node.kind === "prime") return add(node, node.begin, node.end, [bounds.slice(1, -1)]);
      for (let d = 2; d <= m; d++) {
        for (let a = 0; a + d <= m; a++) add(node, bounds[a], bounds[a + d], bounds.slice(a + 1, a + d).map((k) => [k]));
      }
    };
    if (root !== null && root.kind !== "word") visit(root);
    return groups;
  };

  // A count for people: all digits, or its magnitude if there are very many.
  wo.readableCount = (count) => {
    if (count < 10n ** 15n) return count.toLocaleString("en");
    const digits = String(count);
    return `about 10^${(Math.log10(Number(digits.slice(0, 15))) + digits.length - 15).toFixed(1)}`;
  };
})();
