"use strict";
// A table of scores with what they mean: formula, numbers, range, direction and signature.
(() => {
  let catalogue;
  wo.metrics = () => (catalogue = catalogue || wo.ask("metrics").then((answer) => answer.metrics).catch((error) => {
    catalogue = undefined;
    throw error;
  }));

  const number = (value) => (Number.isInteger(value) ? String(value) : wo.decimal(value, 4));

  // The score as a quotient of counts, if it is one.
  function quotient({ terms }) {
    const { numerator, denominator } = terms || {};
    if (typeof numerator !== "number" || typeof denominator !== "number") return "";
    if (denominator === 0) return "nothing to order";
    return denominator === 1 ? "" : `${number(numerator)} / ${number(denominator)}`;
  }

  // The equation of a score with its numbers filled in; without them, the equation in words.
  function equation({ metric, equation: text, terms, score }) {
    if (!text) return "";
    const known = terms || {};
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const missing = names.some((name) => typeof known[name] !== "number") || known.denominator === 0;
    if (missing) {
      const why = known.denominator === 0 ? "there is nothing to order, which is the best score" : "";
      return [`${metric} = ${text.split(" = ")[0]}`, why].filter(Boolean).join("; ");
    }
    return `${metric} = ${text.replace(/\{(\w+)\}/g, (_, name) => number(known[name]))} = ${wo.decimal(score, 6)}`;
  }

  function bar(score) {
    const [low, high] = score.range;
    if (high === null) return "";
    const share = Math.max(0, Math.min(1, (score.score - low) / (high - low || 1)));
    return wo.element("span", { class: "bar", "aria-hidden": "true" },
      wo.element("span", { class: score.higher_is_better ? "up" : "down", style: { width: `${100 * share}%` } }));
  }

  // wo.scoreTable(parent, scores, before): `before` maps metrics to earlier scores, to show what changed.
  wo.scoreTable = async (parent, scores, before = new Map()) => {
    const known = new Map((await wo.metrics()).map((metric) => [metric.name, metric]));
    const open = new Set([...parent.querySelectorAll("details[open]")].map((one) => one.dataset.metric));
    const rows = scores.map((score) => {
      const name = score.metric.split(":")[0];
      const about = known.get(name);
      const [first, ...rest] = (about ? about.about : "").split("\n\n");
      const [low, high] = score.range;
      const counted = quotient(score);
      const past = before.get(score.metric);
      const changed = past === undefined || Math.abs(past - score.score) < 5e-7 ? 0 : score.score - past;
      const better = changed > 0 === score.higher_is_better;
      const copy = wo.element("button", { type: "button", class: "small" }, "copy");
      copy.addEventListener("click", () => wo.copy(score.signature, copy));
      return wo.element("tr", {},
        wo.element("th", { scope: "row" },
          wo.element("details", { data: { metric: score.metric }, open: open.has(score.metric) },
            wo.element("summary", {}, wo.element("code", {}, score.metric)),
            wo.element("div", { class: "why" },
              wo.element("p", {}, first.replace(/\n/g, " ")),
              score.equation && wo.element("p", { class: "sum" }, equation(score)),
              rest.length > 0 && wo.element("p", { class: "wo-quiet" }, rest.join(" ").replace(/\n/g, " ")),
              wo.element("p", { class: "wo-quiet" },
                `from ${low} to ${high === null ? "any size" : high}, ${score.higher_is_better ? "higher" : "lower"} is better`),
              wo.element("p", { class: "signature" }, wo.element("code", {}, score.signature), " ", copy)))),
        wo.element("td", { class: "value" }, wo.decimal(score.score, 4),
          changed !== 0 && wo.element("span", { class: better ? "better" : "worse" },
            ` ${better ? "▲" : "▼"} ${changed > 0 ? "+" : ""}${wo.decimal(changed, 3)}`)),
        wo.element("td", { class: "counted" }, [counted, score.higher_is_better ? "" : "lower is better"].filter(Boolean).join(", ")),
        wo.element("td", { class: "bars" }, bar(score)));
    });
    parent.replaceChildren(
      wo.element("table", { class: "scores" },
        wo.element("caption", { class: "hidden" }, "Scores"),
        wo.element("thead", {}, wo.element("tr", {},
          ["metric", "score", "counts", "in its range"].map((head) => wo.element("th", { scope: "col" }, head)))),
        wo.element("tbody", {}, rows)));
  };
})();
