"use strict";
// The flat permutation tree, as wordorder.core.tree makes it: ranks[i] is the place of word i, from 0.
(() => {
  function leaf(position, rank) {
    return { begin: position, end: position + 1, kind: "word", low: rank, high: rank, operator: [0], children: [] };
  }

  function node(children, kind) {
    const low = Math.min(...children.map((child) => child.low));
    const high = Math.max(...children.map((child) => child.high));
    const made = { begin: children[0].begin, end: children[children.length - 1].end, kind, low, high, children };
    if (kind === "monotone") made.operator = [0, 1];
    else if (kind === "inverted") made.operator = [1, 0];
    else {
      const sorted = children.map((child) => child.low).sort((a, b) => a - b);
      const place = new Map(sorted.map((value, k) => [value, k]));
      made.operator = children.map((child) => place.get(child.low));
    }
    return made;
  }

  function direction(left, right) {
    if (right.low === left.high + 1) return "monotone";
    return right.high === left.low - 1 ? "inverted" : null;
  }

  // Join the finished blocks on the stack with the newest one for as long as they form an interval.
  function reduce(stack) {
    for (;;) {
      const last = stack.length - 1;
      if (last < 1) return;
      const [before, top] = [stack[last - 1], stack[last]];
      const kind = direction(before, top);
      if (kind !== null) {
        const children = before.kind === kind ? [...before.children, top] : [before, top];
        stack.splice(last - 1, 2, node(children, kind));
        continue;
      }
      let [low, high, first] = [top.low, top.high, last];
      for (let k = last - 1; k >= 0; k--) {
        low = Math.min(low, stack[k].low);
        high = Math.max(high, stack[k].high);
        if (high - low === top.end - 1 - stack[k].begin) {
          first = k;
          break;
        }
      }
      if (first === last) return;
      stack.splice(first, last + 1 - first, node(stack.slice(first), "prime"));
    }
  }

  // {begin, end, kind: "monotone"|"inverted"|"prime"|"word", low, high, operator, children}; null without words.
  wo.tree = (ranks) => {
    const stack = [];
    ranks.forEach((rank, position) => {
      stack.push(leaf(position, rank));
      reduce(stack);
    });
    return stack.length ? stack[0] : null;
  };

  const LONGEST = 12;
  wo.operatorLabel = (node) => {
    if (node.kind === "prime") {
      const numbers = node.operator.map((place) => place + 1);
      return numbers.length <= LONGEST
        ? `⟨${numbers.join(",")}⟩`
        : `⟨${numbers[0]},${numbers[1]},…⟩ (${numbers.length})`;
    }
    const repeated = node.children.length - 1;
    return (node.kind === "monotone" ? "⟨1,2⟩" : "⟨2,1⟩") + (repeated > 1 ? `×${repeated}` : "");
  };

  // The tree in brackets, as Tree.to_brackets writes it.
  wo.treeText = (node, ranks) => {
    if (node === null) return "";
    if (node.kind === "word") return String(ranks[node.begin] + 1);
    const operator = `⟨${node.operator.map((place) => place + 1).join(",")}⟩`;
    return `${operator}(${node.children.map((child) => wo.treeText(child, ranks)).join(" ")})`;
  };
})();
