"use strict";
// What all pictures of a sentence share: the direction of text, widths of words, a focusable box that scrolls,
// marks, and parts in order that are folded.
(() => {
  const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  const LETTER = /\p{L}/gu;

  // Whether most words run from right to left.
  wo.isRightToLeft = (words) => {
    let balance = 0;
    for (const word of words) {
      const letters = word.match(LETTER);
      if (letters) balance += RIGHT_TO_LEFT.test(letters[0]) ? 1 : -1;
    }
    return balance > 0;
  };

  wo.FONT = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Helvetica Neue", Arial, sans-serif';
  wo.wordWidth = (word, size = 15) => wo.textWidth(wo.shown(word), `${size}px ${wo.FONT}`);
  wo.wordText = (word, x, y, name = "word", attributes = {}) =>
    wo.svg("text", { class: `wo-${name}`, x, y, "dominant-baseline": "central", ...attributes }, word);

  // Words that are cut to one label: their ends, and their number.
  wo.foldedLabel = (words) => `${words[0]} … ${words[words.length - 1]}`;

  // A box of a picture: it scrolls, takes the keyboard, and redraws when its width changes.
  // draw(width) returns an SVG element; the arrow keys walk through the positions `numbers` of `side`.
  wo.box = (parent, { label, name, side, numbers, draw }, link) => {
    const box = wo.element("div", { class: `wo-box wo-${name}-box`, tabindex: 0, role: "group", "aria-label": label });
    parent.append(box);
    let current = -1;
    let width = 0;
    const redraw = () => {
      box.replaceChildren(draw(width));
      link.highlight(null);
    };
    box.redraw = redraw;
    const resized = () => {
      const now = Math.floor(box.clientWidth);
      if (!now || Math.abs(now - width) < 2) return;
      width = now;
      redraw();
    };
    new ResizeObserver(resized).observe(box);
    box.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step && numbers.length) {
        current = (current + step + numbers.length) % numbers.length;
        link.highlight(side, [numbers[current]]);
        const mark = box.querySelector(`[data-side="${CSS.escape(side)}"].wo-marked`);
        if (mark) mark.scrollIntoView({ block: "nearest", inline: "nearest" });
        event.preventDefault();
      } else if (event.key === "Escape") {
        current = -1;
        link.highlight(null);
      }
    });
    box.addEventListener("pointerleave", () => link.highlight(null));
    return box;
  };

  // An element knows the words it stands for (data-side, data-words); the pointer marks them.
  wo.standsFor = (element, side, positions, link) => {
    Object.assign(element.dataset, { side, words: positions.join(" ") });
    element.addEventListener("pointerenter", () => link.highlight(side, positions));
    return element;
  };

  // Mark the elements of a box whose words are marked.
  wo.listen = (box, link) =>
    link.on((marks) => {
      for (const element of box.querySelectorAll("[data-side]")) {
        const marked = marks[element.dataset.side];
        const any = marked && marked.size && element.dataset.words.split(" ").some((k) => marked.has(Number(k)));
        element.classList.toggle("wo-marked", Boolean(any));
      }
    });

  // The runs of three or more words that neither cross nor leave a gap: the links of source word i and target word
  // i + shift concern no other word. Returns [begin, end, shift] in source positions.
  wo.parallelRuns = (sourceCount, targetCount, links, shortest = 3) => {
    const bySource = Array.from({ length: sourceCount }, () => []);
    const byTarget = Array.from({ length: targetCount }, () => []);
    for (const [i, j] of links) {
      bySource[i].push(j);
      byTarget[j].push(i);
    }
    const single = (i) => bySource[i].length === 1 && byTarget[bySource[i][0]].length === 1;
    const runs = [];
    for (let begin = 0; begin < sourceCount; ) {
      let end = begin + 1;
      if (single(begin)) {
        while (end < sourceCount && single(end) && bySource[end][0] === bySource[begin][0] + end - begin) end++;
        if (end - begin >= shortest) runs.push([begin, end, bySource[begin][0] - begin]);
      }
      begin = end;
    }
    return runs;
  };

  wo.noWords = (parent, text = "no words") => parent.append(wo.element("p", { class: "wo-empty" }, text));
})();
