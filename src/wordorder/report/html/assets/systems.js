"use strict";
// The interactive parts of a report on scored systems.
(() => {
  const { choice, later, open, restrict } = wo.report;
  const facts = wo.data("report");
  const labels = facts.metrics.map((metric) => metric.label);
  const numbers = () => wo.data("numbers");

  later("distribution-view", (place) => {
    const view = wo.element("div", { class: "chart-grid" });
    let metric = 0;
    const draw = () => wo.report.histograms(view, {
      names: facts.systems, series: numbers().scores.map((scores) => scores[metric]),
      range: facts.metrics[metric].range, decimals: facts.metrics[metric].decimals,
      opened: (low, high, k, last) => {
        const values = numbers().scores[k][metric];
        restrict((row) => values[row] >= low - 1e-9 && (values[row] < high - 1e-9 || (last && values[row] <= high + 1e-9)), `${labels[metric]} of ${facts.systems[k]} from ${wo.decimal(low, 2)} to ${wo.decimal(high, 2)}`);
      },
    });
    place.append(wo.element("div", { class: "wo-tools" }, choice("Metric", labels, (k) => { metric = k; draw(); })), view,
      wo.element("p", { class: "wo-quiet wo-small" }, "Scores of single segments. Click a bar to list its segments below."));
    draw();
  });

  later("scatter-view", (place) => {
    const view = wo.element("div");
    const chosen = { metric: 0, x: 0, y: 1 };
    const draw = () => wo.report.scatter(view, {
      names: [facts.systems[chosen.x], facts.systems[chosen.y]],
      xs: numbers().scores[chosen.x][chosen.metric], ys: numbers().scores[chosen.y][chosen.metric],
      range: facts.metrics[chosen.metric].range, decimals: facts.metrics[chosen.metric].decimals,
      opened: open, tip: (row) => `${numbers().number[row]}: ${wo.report.text(row)}`,
    });
    const set = (name) => (k) => { chosen[name] = k; draw(); };
    place.append(wo.element("div", { class: "wo-tools" }, choice("Metric", labels, set("metric")),
      choice("Across", facts.systems, set("x")), choice("Up", facts.systems, set("y"), 1)), view);
    draw();
  });

  (() => {
    const place = document.getElementById("bucket-view");
    const { properties, metrics, tagged } = wo.data("buckets");
    const parts = [...document.querySelectorAll(".bucket")];
    const chosen = { property: 0, metric: 0 };
    const metric = choice("Metric", metrics, (k) => { chosen.metric = k; show(); });
    const show = () => {
      const byTag = !parts.some((part) => part.dataset.property === properties[chosen.property] && part.dataset.metric === metrics[0]);
      metric.hidden = byTag;
      for (const part of parts) {
        part.hidden = part.dataset.property !== properties[chosen.property] || part.dataset.metric !== (byTag ? tagged : metrics[chosen.metric]);
      }
    };
    place.append(wo.element("div", { class: "wo-tools" }, choice("Buckets by", properties, (k) => { chosen.property = k; show(); }), metric));
    show();
  })();

  later("ngram-view", (place) => {
    const all = wo.data("ngrams");
    const several = facts.systems.length > 1;
    const chosen = { length: 0, first: facts.baseline, second: facts.baseline === 0 ? 1 : 0 };
    const view = wo.element("div");
    const draw = () => {
      const rows = all.filter((one) => !chosen.length || one[1] === chosen.length);
      const kept = (row, k) => rows[row][3 + k];
      const examples = (row) => rows[row][rows[row].length - 1];
      const columns = [
        { label: "n-gram", kind: "text" }, { label: "words", kind: "number", decimals: 0, width: "5rem" },
        { label: "count", kind: "number", decimals: 0, title: "occurrences in the reference", width: "5.5rem" },
        ...(several ? [chosen.first, chosen.second] : [0]).map((k) => ({ label: facts.systems[k], title: "how often it is kept", kind: "number", decimals: 0, width: "9rem" })),
        ...(several ? [{ label: "difference", kind: "number", decimals: 0, width: "7.5rem" }] : []),
        { label: "examples", kind: "text", width: "15rem", show: (_, row) => examples(row).map((segment) => wo.element("button", { type: "button", class: "report-example", "aria-label": `Open segment ${numbers().number[segment]}`, onclick: (event) => { event.stopPropagation(); open(segment); } }, numbers().number[segment])) },
      ];
      const cell = (row, column) => {
        if (column < 3) return rows[row][column];
        if (!several) return column === 3 ? kept(row, 0) : examples(row).join(" ");
        const values = [kept(row, chosen.first), kept(row, chosen.second)];
        return [...values, values[1] - values[0], examples(row).join(" ")][column - 3];
      };
      view.replaceChildren();
      let made = null;
      made = wo.table(view, {
        caption: "N-grams", columns, count: rows.length, cell, text: (row) => rows[row][0], searchLabel: "Search n-grams",
        sort: several ? [5, "descending"] : null, tools: [wo.report.saveRows("ngrams", () => made)],
      });
    };
    const set = (name) => (k) => { chosen[name] = k; draw(); };
    const lengths = ["all", "1 word", "2 words", "3 words", "4 words"];
    place.append(wo.element("div", { class: "wo-tools" }, choice("Length", lengths, set("length")),
      several && choice("Baseline", facts.systems, set("first"), chosen.first),
      several && choice("System", facts.systems, set("second"), chosen.second)), view);
    draw();
  });

  later("misordered-view", (place) => {
    const view = wo.element("div", { class: "report-narrow" });
    const columns = [
      { label: "word", kind: "text" }, { label: "count", kind: "number", decimals: 0 }, { label: "wrong", kind: "number" },
      { label: "jumps", kind: "number" }, { label: "share", kind: "number" },
    ];
    const draw = (k) => {
      const rows = wo.data("misordered")[k];
      view.replaceChildren();
      let made = null;
      made = wo.table(view, {
        caption: `Words of ${facts.systems[k]}`, columns, count: rows.length, cell: (row, column) => rows[row][column],
        text: (row) => rows[row][0], sort: [4, "descending"], tools: [wo.report.saveRows("misordered", () => made)],
      });
    };
    place.append(wo.element("div", { class: "wo-tools" }, choice("System", facts.systems, draw)), view);
    draw(0);
  });
})();
