"use strict";
// A row of words that can be moved: with the pointer, or with Alt and the arrow keys.
//
// wo.wordRow({label, moved(from, to)}) has `element` and `show(words, side, link)`: the pointer marks words of this side
// of a hover group. It calls moved() for every place that a word passes, so that what depends on the order can follow.
wo.wordRow = ({ label, moved }) => {
  const list = wo.element("ol", { class: "words", "aria-label": label });
  let words = [];
  let side = "";
  let link = null;
  let drag = null;
  let home = 0; // the word that Tab leads to; arrows lead to the others

  const buttons = () => [...list.querySelectorAll("button")];

  function show(next, nextSide = side, nextLink = link) {
    const focused = buttons().indexOf(document.activeElement);
    [words, side, link] = [next, nextSide, nextLink];
    list.dir = wo.isRightToLeft(words) ? "rtl" : "ltr";
    list.replaceChildren(...words.map((word, k) =>
      wo.element("li", {},
        wo.element("button", {
          type: "button", tabindex: k === Math.min(home, words.length - 1) ? 0 : -1, class: `word${drag && drag.at === k ? " dragged" : ""}`,
          "aria-label": `${word}, place ${k + 1} of ${words.length}`, data: { side, words: String(k) },
        }, word))));
    if (focused >= 0 && !drag) focus(focused);
  }

  function focus(k) {
    const button = buttons()[k];
    if (button) button.focus();
  }

  list.addEventListener("focusin", (event) => {
    home = buttons().indexOf(event.target);
    buttons().forEach((button, k) => (button.tabIndex = k === home ? 0 : -1));
  });

  function move(from, to) {
    if (to < 0 || to >= words.length || to === from) return false;
    const word = words[from];
    moved(from, to);
    wo.say(`${word} is now at place ${to + 1} of ${words.length}`);
    return true;
  }

  list.addEventListener("keydown", (event) => {
    const at = buttons().indexOf(event.target.closest("button"));
    const forward = list.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backward = list.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const step = { [forward]: 1, [backward]: -1 }[event.key];
    const edge = { Home: 0, End: words.length - 1 }[event.key];
    if (at < 0 || (step === undefined && edge === undefined)) return;
    const to = step === undefined ? edge : at + step;
    event.preventDefault();
    if (!event.altKey && !event.shiftKey) focus(to);
    else if (move(at, to)) focus(to);
  });

  // The place in the row that is nearest to a point.
  function placeAt(x, y) {
    let best = [Infinity, -1];
    buttons().forEach((button, k) => {
      const box = button.getBoundingClientRect();
      const away = Math.hypot(4 * Math.max(0, box.top - y, y - box.bottom), x - (box.left + box.right) / 2);
      if (away < best[0]) best = [away, k];
    });
    return best[1];
  }

  list.addEventListener("pointerdown", (event) => {
    const at = buttons().indexOf(event.target.closest("button"));
    if (at < 0 || event.button !== 0) return;
    drag = { at, x: event.clientX, y: event.clientY, begun: false };
    const follow = (next) => {
      if (!drag.begun && Math.hypot(next.clientX - drag.x, next.clientY - drag.y) < 5) return;
      drag.begun = true;
      list.classList.add("dragging");
      next.preventDefault();
      const to = placeAt(next.clientX, next.clientY);
      const from = drag.at;
      if (to >= 0 && to !== from) {
        drag.at = to;
        if (!move(from, to)) drag.at = from;
      }
    };
    const stop = () => {
      document.removeEventListener("pointermove", follow);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
      list.classList.remove("dragging");
      const { at: last, begun } = drag;
      drag = null;
      for (const button of buttons()) button.classList.remove("dragged");
      if (begun) focus(last);
    };
    document.addEventListener("pointermove", follow);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  });

  list.addEventListener("pointerover", (event) => {
    const button = event.target.closest("button");
    if (button && !drag && link) link.highlight(side, [Number(button.dataset.words)]);
  });
  list.addEventListener("pointerleave", () => link && !drag && link.highlight(null));

  return { element: list, show };
};

// What moving a word from one place to another does to the numbers of all places.
wo.movedPlace = (place, from, to) => {
  if (place === from) return to;
  if (from < to) return place > from && place <= to ? place - 1 : place;
  return place >= to && place < from ? place + 1 : place;
};

wo.movedItem = (items, from, to) => {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
};
