"use strict";
// How far a sentence must be read ahead: the share of words that a wait-k policy has to guess, by lag.
//
// wo.pictures.anticipation(parent, {ranks}): word t of the output (from 0) stands at ranks[t] of what is read.
(() => {
  const MOST_POINTS = 40; // more have no markers
  const TICKS = [0, 0.25, 0.5, 0.75, 1];

  // The shares at lags 1, 2, ..., up to the first lag without a guess, as wordorder.draw.anticipation has them.
  wo.anticipation = (ranks) => {
    if (!ranks.length) return [];
    const ahead = ranks.map((rank, t) => rank - t);
    const last = Math.max(0, ...ahead) + 1;
    return Array.from({ length: last }, (_, k) => ahead.filter((far) => far >= k + 1).length / ranks.length);
  };

  wo.pictures.anticipation = (parent, { ranks }, link = wo.link()) => {
    const shares = wo.anticipation(ranks);
    if (!shares.length) return wo.noWords(parent);

    function draw(width) {
      const [W, H, L, R, T, B] = [Math.min(width, 560), 230, 46, 18, 16, 44];
      const last = shares.length;
      const x = (lag) => (last === 1 ? (L + W - R) / 2 : L + ((lag - 1) / (last - 1)) * (W - L - R));
      const y = (share) => H - B - share * (H - T - B);
      const step = Math.ceil(last / Math.max(2, Math.floor((W - L - R) / 50)));
      const lags = shares.map((_, k) => k + 1).filter((lag) => (lag - 1) % step === 0);
      const points = shares.map((share, k) => [x(k + 1), y(share)]);
      return wo.svg("svg", { class: "wo-picture wo-chart", width: W, height: H, viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
        TICKS.map((share) => [
          wo.svg("path", { class: "wo-grid", d: `M${L} ${y(share)}H${W - R}` }),
          wo.svg("text", { class: "wo-number wo-end", x: L - 8, y: y(share), "dominant-baseline": "central" }, String(share)),
        ]),
        lags.map((lag) => wo.wordText(String(lag), x(lag), H - B + 14, "number")),
        wo.wordText("lag k: words read ahead", (L + W - R) / 2, H - 10, "number"),
        wo.svg("path", { class: "wo-curve wo-straight", d: points.map(([a, b], k) => `${k ? "L" : "M"}${a} ${b}`).join("") }),
        last <= MOST_POINTS && points.map(([cx, cy], k) => wo.svg("circle", { class: "wo-point", cx, cy, r: 4 },
          wo.svg("title", {}, `lag ${k + 1}: ${wo.decimal(shares[k], 2)}`))));
    }

    const none = `none from lag ${shares.length}`;
    parent.append(wo.element("p", { class: "wo-small wo-quiet wo-hint" }, `Share of words that must be guessed; ${none}.`));
    const label = `Share of words that must be guessed, by lag: ${shares.slice(0, 20).map((share) => wo.decimal(share, 2)).join(", ")}; ${none}`;
    return wo.box(parent, { label, name: "anticipation", side: "", numbers: [], draw }, link);
  };
})();
