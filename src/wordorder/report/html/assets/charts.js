"use strict";
// Interactive charts: histograms of one value per sentence, and a scatter of two.
(() => {

  // Ends and steps of an axis at round numbers.
  function ticks(low, high, wanted = 5) {
    if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
    const rough = (high - low) / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((size) => size >= rough * 0.999);
    const first = Math.floor(low / step + 1e-9) * step;
    const marks = [];
    for (let k = 0; first + k * step <= high + step * 0.999; k++) marks.push(first + k * step);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (String(step / power).includes(".") ? 1 : 0));
    return { low: marks[0], high: marks[marks.length - 1], marks, label: (value) => wo.decimal(value, decimals) };
  }

  const finite = (values) => values.filter((value) => Number.isFinite(value));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

  // One histogram per name, with the same axis. opened(low, high, k) is called for a click on a bar.
  wo.report.histograms = (parent, { names, series, range, decimals, opened }) => {
    const all = finite(series.flat());
    const axis = ticks(range[0] ?? Math.min(...all, 0), range[1] ?? Math.max(...all, 1), 10);
    const bins = (axis.marks.length - 1) * 2;
    const width = (axis.high - axis.low) / bins;
    const place = (value) => Math.min(bins - 1, Math.max(0, Math.floor((value - axis.low) / width + 1e-9)));
    const counts = series.map((values) => {
      const count = new Array(bins).fill(0);
      for (const value of finite(values)) count[place(value)]++;
      return count;
    });
    const most = Math.max(...counts.flat(), 1);
    const [W, H, L, R, T, B] = [400, 150, 46, 12, 26, 26];
    const x = (value) => L + ((value - axis.low) / (axis.high - axis.low)) * (W - L - R);
    const y = (count) => H - B - (count / most) * (H - T - B);
    const drawn = names.map((name, k) => {
      const values = finite(series[k]);
      const average = mean(values);
      const sorted = [...values].sort((a, b) => a - b);
      const median = sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : NaN;
      const bars = counts[k].map((count, bin) => {
        const [low, high] = [axis.low + bin * width, axis.low + (bin + 1) * width];
        const tip = `${axis.label(low)} to ${axis.label(high)}: ${count.toLocaleString("en")} segments`;
        return wo.svg("g", { class: "chart-bar", onclick: () => opened && opened(low, high, k, bin === bins - 1) },
          wo.svg("title", {}, tip),
          wo.svg("rect", { class: "chart-hit", x: x(low), y: T, width: x(high) - x(low), height: H - T - B }),
          wo.svg("rect", { class: `chart-fill chart-series-${k % 5}`, x: x(low) + 0.5, y: y(count), width: Math.max(x(high) - x(low) - 1, 1), height: H - B - y(count) }));
      });
      const labels = axis.marks.map((mark) => wo.svg("text", { x: x(mark), y: H - 8, class: "chart-tick" }, axis.label(mark)));
      const picture = wo.svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img", "aria-label": `${name}: mean ${wo.decimal(average, decimals)}, median ${wo.decimal(median, decimals)}` },
        wo.svg("path", { class: "chart-axis", d: `M${L} ${H - B}H${W - R}` }),
        wo.svg("text", { x: L - 6, y: y(most) + 4, class: "chart-tick chart-end" }, most.toLocaleString("en")),
        wo.svg("text", { x: L - 6, y: H - B, class: "chart-tick chart-end" }, "0"),
        bars, labels,
        values.length > 0 && wo.svg("path", { class: "chart-mean", d: `M${x(average)} ${T - 4}V${H - B}` }),
        values.length > 0 && wo.svg("text", { x: x(average), y: T - 9, class: average > axis.low + (axis.high - axis.low) * 0.75 ? "chart-note chart-end" : average < axis.low + (axis.high - axis.low) * 0.25 ? "chart-note chart-start" : "chart-note" }, `mean ${wo.decimal(average, decimals)} · median ${wo.decimal(median, decimals)}`));
      return wo.element("figure", { class: "chart-small" }, wo.element("figcaption", {}, name), picture);
    });
    parent.replaceChildren(...drawn);
  };

  // Points of two systems; the diagonal is where both are equal. opened(row) is called for a click on a point.
  wo.report.scatter = (parent, { names, xs, ys, range, decimals, opened, tip }) => {
    const all = finite([...xs, ...ys]);
    const axis = ticks(range[0] ?? Math.min(...all, 0), range[1] ?? Math.max(...all, 1));
    const [S, L, B, M] = [520, 58, 46, 14];
    const scale = (value) => ((value - axis.low) / (axis.high - axis.low)) * (S - L - M);
    const x = (value) => L + scale(value);
    const y = (value) => S - B - ((value - axis.low) / (axis.high - axis.low)) * (S - B - M);
    const canvas = wo.element("canvas", { class: "chart-canvas", "aria-hidden": "true" });
    const ratio = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [S * ratio, S * ratio];
    const grid = axis.marks.map((mark) => wo.svg("g", {},
      wo.svg("path", { class: "chart-grid", d: `M${x(mark)} ${M}V${S - B}M${L} ${y(mark)}H${S - M}` }),
      wo.svg("text", { x: x(mark), y: S - B + 18, class: "chart-tick" }, axis.label(mark)),
      wo.svg("text", { x: L - 8, y: y(mark) + 4, class: "chart-tick chart-end" }, axis.label(mark))));
    const ring = wo.svg("circle", { class: "chart-ring", r: 7, cx: -50, cy: -50 });
    const frame = wo.svg("svg", { viewBox: `0 0 ${S} ${S}`, class: "chart", "aria-hidden": "true" }, grid,
      wo.svg("path", { class: "chart-mean", d: `M${x(axis.low)} ${y(axis.low)}L${x(axis.high)} ${y(axis.high)}` }),
      wo.svg("text", { x: L + (S - L - M) / 2, y: S - 8, class: "chart-label" }, names[0]),
      wo.svg("text", { transform: `translate(16 ${(S - B) / 2}) rotate(-90)`, class: "chart-label" }, names[1]), ring);
    const note = wo.element("p", { class: "chart-tip", role: "status" }, "Point at a dot to see its sentence; click to open it.");
    const better = [0, 0, 0];
    xs.forEach((value, k) => better[value > ys[k] ? 0 : value < ys[k] ? 1 : 2]++);
    const summary = `${names[0]} has the higher score in ${better[0].toLocaleString("en")} segments, ${names[1]} in ${better[1].toLocaleString("en")}; they are equal in ${better[2].toLocaleString("en")}.`;
    const box = wo.element("div", { class: "chart-square", role: "img", "aria-label": summary }, frame, canvas);
    parent.replaceChildren(wo.element("div", { class: "chart-pair" }, box, wo.element("div", { class: "chart-side" }, wo.element("p", {}, summary), note)));

    function paint() {
      const style = getComputedStyle(document.documentElement);
      const ink = canvas.getContext("2d");
      ink.setTransform(ratio, 0, 0, ratio, 0, 0);
      ink.clearRect(0, 0, S, S);
      ink.globalAlpha = xs.length > 3000 ? 0.25 : xs.length > 500 ? 0.45 : 0.75;
      ink.fillStyle = style.getPropertyValue("--series-0");
      const radius = xs.length > 3000 ? 2.2 : 3.2;
      xs.forEach((value, k) => {
        if (value === null || ys[k] === null) return;
        ink.beginPath();
        ink.arc(x(value), y(ys[k]), radius, 0, 7);
        ink.fill();
      });
    }
    paint();
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

    function nearest(event) {
      const place = canvas.getBoundingClientRect();
      const [a, b] = [((event.clientX - place.left) / place.width) * S, ((event.clientY - place.top) / place.height) * S];
      let [found, least] = [-1, 14 * 14];
      xs.forEach((value, k) => {
        const away = (x(value) - a) ** 2 + (y(ys[k]) - b) ** 2;
        if (away < least) [found, least] = [k, away];
      });
      return found;
    }
    canvas.addEventListener("pointermove", (event) => {
      const row = nearest(event);
      ring.setAttribute("cx", row < 0 ? -50 : x(xs[row]));
      ring.setAttribute("cy", row < 0 ? -50 : y(ys[row]));
      canvas.style.cursor = row < 0 ? "default" : "pointer";
      if (row >= 0) note.replaceChildren(wo.element("b", {}, `${wo.decimal(xs[row], decimals)} and ${wo.decimal(ys[row], decimals)}`), wo.element("br"), wo.element("span", { dir: "auto" }, tip(row)));
    });
    canvas.addEventListener("click", (event) => {
      const row = nearest(event);
      if (row >= 0) opened(row);
    });
  };
})();
