"use strict";
// A hover group: pictures that share one light up together.
//
// A side is a row of words with a name, such as "source" and "target". join(first, second, pairs) says which
// positions of two sides belong together. highlight(side, positions) marks them and everything that belongs to
// them on other sides, and calls all listeners with {side: Set of positions}; highlight(null) marks nothing.
wo.link = () => {
  const joined = new Map(); // side -> Map of other side -> Map of position -> Set of positions
  const listeners = [];

  function partners(side, other) {
    if (!joined.has(side)) joined.set(side, new Map());
    const others = joined.get(side);
    if (!others.has(other)) others.set(other, new Map());
    return others.get(other);
  }

  function add(table, from, to) {
    if (!table.has(from)) table.set(from, new Set());
    table.get(from).add(to);
  }

  return {
    join(first, second, pairs) {
      const there = partners(first, second);
      const back = partners(second, first);
      for (const [a, b] of pairs) {
        add(there, a, b);
        add(back, b, a);
      }
    },
    highlight(side, positions = []) {
      const marks = {};
      if (side !== null) marks[side] = new Set(positions);
      const waiting = side === null ? [] : [side];
      while (waiting.length) {
        const here = waiting.shift();
        for (const [other, table] of joined.get(here) || []) {
          if (other in marks) continue;
          marks[other] = new Set([...marks[here]].flatMap((position) => [...(table.get(position) || [])]));
          waiting.push(other);
        }
      }
      for (const listener of listeners) listener(marks);
    },
    on(listener) {
      listeners.push(listener);
    },
  };
};
