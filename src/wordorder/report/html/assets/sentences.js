"use strict";
// The sentences of a report: their words, and a dialog that shows one of them with pictures and formulas.
(() => {
  const facts = wo.data("report");
  const MOST_NODES = 8; // longer lists of nodes are closed
  const LONG = 16; // words; the pictures of longer sentences are as wide as the window

  // {reference, systems: [{words, partners}], chosen, source, texts: [{words, links}], positions} of a row.
  wo.report.sentence = (row) => {
    const [reference, systems, chosen, source, texts, positions] = wo.data(`sentences-${Math.floor(row / facts.block)}`)[row % facts.block];
    const split = (text) => (text ? text.split(" ") : []);
    return {
      reference: split(reference),
      systems: systems.map(([words, partners]) => ({ words: split(words), partners })),
      chosen,
      source: source === undefined ? null : split(source),
      texts: (texts || []).map(([words, links]) => ({ words: split(words), links })),
      positions: positions || [], // of the words of the reference in the source
    };
  };

  const between = facts.spaced ? " " : "";
  wo.report.text = (row) => wo.report.sentence(row).reference.join(between);
  wo.report.allText = (row) => {
    const { reference, systems, texts } = wo.report.sentence(row);
    return [reference, ...systems.map((system) => system.words), ...texts.map((text) => text.words)].map((words) => words.join(between)).join("\n");
  };

  // The places of matched words among themselves. Of two words with one partner, the later one counts as first.
  wo.report.ranks = (partners) => {
    const matched = partners.map((partner, k) => [partner, k]).filter(([partner]) => partner >= 0);
    const sorted = [...matched.keys()].sort((a, b) => matched[a][0] - matched[b][0] || matched[b][1] - matched[a][1]);
    const ranks = [];
    sorted.forEach((k, rank) => (ranks[k] = rank));
    return { positions: matched.map(([, k]) => k), places: matched.map(([partner]) => partner), ranks };
  };

  // The words that are not in a longest rising sequence: moving them puts the sentence in order.
  wo.report.moved = (ranks) => {
    const tails = []; // positions of the last words of the best sequences of each length
    const before = [];
    ranks.forEach((rank, k) => {
      let [low, high] = [0, tails.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ranks[tails[middle]] < rank) low = middle + 1;
        else high = middle;
      }
      before[k] = low ? tails[low - 1] : -1;
      tails[low] = k;
    });
    const kept = new Set();
    for (let k = tails.length ? tails[tails.length - 1] : -1; k >= 0; k = before[k]) kept.add(k);
    return ranks.map((_, k) => !kept.has(k));
  };

  // A sentence as text, whose words light up with those of other sides.
  function line(words, side, link, kinds = []) {
    const made = wo.element("p", { class: "sentence-words", dir: wo.isRightToLeft(words) ? "rtl" : "auto" });
    words.forEach((word, k) => {
      if (k) made.append(between);
      const css = ["sentence-word", kinds[k]].filter(Boolean).join(" ");
      made.append(wo.standsFor(wo.element("span", { class: css }, word), side, [k], link));
    });
    if (!words.length) made.append(wo.element("span", { class: "wo-empty" }, "no words"));
    made.addEventListener("pointerleave", () => link.highlight(null));
    wo.listen(made, link);
    return made;
  }

  function filled(metric, terms, row, score) {
    const zero = Boolean(terms && terms.denominator && terms.denominator[row] === 0);
    let missing = zero;
    const text = metric.equation.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = terms && terms[name] ? terms[name][row] : undefined;
      if (value === undefined || value === null) missing = true;
      return Number.isInteger(value) ? String(value) : wo.decimal(value, 4);
    });
    if (!metric.equation) return metric.about;
    if (!metric.equation.includes("{")) return metric.equation;
    if (missing) {
      const general = metric.equation.split(" = ")[0];
      return zero ? `${general}: nothing to divide by, so the score is ${wo.decimal(score, 4)}` : general;
    }
    return `${text} = ${wo.decimal(score, 4)}`;
  }

  const short = (value) => String(Number(value.toFixed(4))).replace("-", "−");

  // How the score of a node is made; a chain that can be divided in several ways has only its value.
  function nodeFormula({ beta, operators, flat }, node, value, parts) {
    const operator = operators[node.kind];
    const divided = node.kind !== "prime" && node.children.length > 2 && !flat;
    if (divided || operator === null || !parts.length) return short(value);
    const mean = parts.length > 1 ? `(${parts.map(short).join(" + ")}) / ${parts.length}` : short(parts[0]);
    return `${short(beta)} · ${short(operator)} + ${short(1 - beta)} · ${mean} = ${short(value)}`;
  }

  // The nodes of a tree from the words up, each with its score.
  function nodeTable(how, words, ranks, values, side, positions, link) {
    const lines = [];
    const visit = (node) => {
      const parts = node.children.filter((child) => child.kind !== "word").map(visit);
      const value = values[lines.length];
      const span = positions.slice(node.begin, node.end);
      const name = wo.element("td", { class: "sentence-node" }, wo.element("b", {}, wo.operatorLabel(node)), " ", wo.element("bdi", {}, span.map((k) => words[k]).join(between)));
      lines.push(wo.standsFor(wo.element("tr", {}, name, wo.element("td", {}, nodeFormula(how, node, value, parts))), side, span, link));
      return value;
    };
    visit(wo.tree(ranks));
    const rows = wo.element("tbody", {}, lines);
    rows.addEventListener("pointerleave", () => link.highlight(null));
    return wo.element("details", { class: "sentence-nodes", open: lines.length <= MOST_NODES },
      wo.element("summary", {}, lines.length === 1 ? "1 node" : `${lines.length} nodes`), wo.element("table", {}, rows));
  }

  // The features that add most to the margin of a linear model, or take most from it.
  function featureTable({ names, weights }, numbers, { margin, loss }, row) {
    const total = margin ? margin[row] : -loss[row];
    const lines = [];
    let rest = total;
    for (let k = 0; k < numbers.length; k += 2) {
      const [weight, value] = [weights[numbers[k]], numbers[k + 1]];
      rest -= weight * value;
      lines.push([names[numbers[k]], `${short(weight)} · ${short(value)} = ${short(weight * value)}`]);
    }
    lines.push(["other features", short(rest)], [margin ? "margin" : "margin = −loss", short(total)]);
    const cells = lines.map(([name, text]) => wo.element("tr", {}, wo.element("td", { class: "sentence-node" }, name), wo.element("td", {}, text)));
    return wo.element("details", { class: "sentence-nodes", open: true }, wo.element("summary", {}, "weight · feature"), wo.element("table", {}, wo.element("tbody", {}, cells)));
  }

  function scoreTable(row, system, order) {
    const nodes = wo.data("nodes")[system] || [];
    const features = wo.data("features")[system] || [];
    const scores = wo.data("numbers").scores[system];
    const terms = wo.data("terms")[system];
    return wo.element("table", { class: "sentence-scores" },
      wo.element("thead", {}, wo.element("tr", {}, ["metric", "score", "formula"].map((name) => wo.element("th", { scope: "col" }, name)))),
      wo.element("tbody", {}, facts.metrics.map((metric, m) => wo.element("tr", {},
        wo.element("th", { scope: "row" }, metric.label, metric.higher ? "" : " ↓"),
        wo.element("td", { class: "wo-number" }, wo.decimal(scores[m][row], Math.max(metric.decimals, 3))),
        wo.element("td", {}, filled(metric, terms[m], row, scores[m][row]),
          metric.node && nodes[m][row].length > 0 && order(metric.node, nodes[m][row]),
          metric.features && features[m][row].length > 0 && featureTable(metric.features, features[m][row], terms[m], row))))));
  }

  function systemPart(row, sentence, k, link, open) {
    const { words, partners } = sentence.systems[k];
    const { positions, places, ranks } = wo.report.ranks(partners);
    const moved = wo.report.moved(ranks);
    const kinds = words.map(() => (facts.given ? "" : "sentence-unmatched"));
    positions.forEach((position, n) => (kinds[position] = moved[n] ? "sentence-moved" : ""));
    const side = `system ${k}`;
    const links = positions.map((position, n) => [position, places[n], "sure"]);
    link.join(side, "reference", links);
    const pictures = wo.element("div", { class: "sentence-pictures" });
    const details = wo.element("details", { class: "sentence-system", open });
    const name = wo.element("span", { class: "sentence-name" }, facts.systems[k]);
    details.append(wo.element("summary", {}, name), line(words, side, link, kinds), pictures);
    const draw = () => {
      if (details.dataset.drawn || !details.open) return;
      details.dataset.drawn = "true";
      const tree = { words: positions.map((p) => words[p]), ranks, target: [...places].sort((a, b) => a - b).map((p) => sentence.reference[p]), sides: [side, "reference"], positions: { source: positions, target: [...places].sort((a, b) => a - b) } };
      const both = { source: words, target: sentence.reference, links, sides: [side, "reference"] };
      const wide = words.length > LONG && "sentence-wide";
      const box = (title, make) => {
        const part = wo.element("div", { class: ["sentence-picture", wide].filter(Boolean).join(" ") }, wo.element("h4", {}, title));
        pictures.append(part);
        make(part);
      };
      if (facts.given) {
        const text = sentence.texts[k + 1];
        const given = { source: sentence.source, target: text.words, links: text.links.map(([i, j]) => [i, j, "sure"]), sides: ["source words", `text ${k}`] };
        box("Source and translation", (part) => wo.pictures.curves(part, given, link));
        box("Source against translation", (part) => wo.pictures.matrix(part, given, link));
      }
      box(facts.given ? "Permutation tree" : "Permutation tree of the matched words", (part) => wo.pictures.tree(part, tree, link));
      box(facts.given ? "Order of the translation and of the reference" : "Links", (part) => wo.pictures.curves(part, both, link));
      box("Matrix", (part) => wo.pictures.matrix(part, both, link));
      box("Anticipation", (part) => wo.pictures.anticipation(part, { ranks }, link));
      box("Packed forest", (part) => wo.pictures.forest(part, { words: tree.words, ranks, side, positions }, link));
      pictures.append(wo.element("div", { class: "sentence-picture" }, wo.element("h4", {}, "Scores"), scoreTable(row, k, (how, values) => nodeTable(how, words, ranks, values, side, positions, link))));
    };
    details.addEventListener("toggle", draw);
    draw();
    return details;
  }

  // A dialog that shows one row; next(step) returns the row before or after it, or -1.
  wo.report.dialog = (next) => {
    const title = wo.element("h2", { id: "sentence-title" });
    const content = wo.element("div", { class: "sentence-content" });
    const step = (label, sign) => wo.element("button", { type: "button", onclick: () => go(sign) }, label);
    const [previous, following] = [step("← previous", -1), step("next →", 1)];
    const close = wo.element("button", { type: "button", onclick: () => dialog.close() }, "Close");
    const dialog = wo.element("dialog", { class: "sentence-dialog", "aria-labelledby": "sentence-title" },
      wo.element("header", { class: "sentence-head" }, title, previous, following, close), content);
    document.body.append(dialog);
    let current = -1;

    function go(sign) {
      const row = next(current, sign);
      if (row >= 0) show(row);
    }

    dialog.addEventListener("keydown", (event) => {
      if (event.target.closest(".wo-box, input, select")) return;
      if (event.key === "ArrowLeft") go(-1);
      else if (event.key === "ArrowRight") go(1);
      else return;
      event.preventDefault();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => history.replaceState(null, "", " "));

    function show(row) {
      current = row;
      const sentence = wo.report.sentence(row);
      const link = wo.link();
      title.textContent = `Segment ${wo.data("numbers").number[row]}`;
      const of = facts.references > 1 ? ` ${sentence.chosen + 1} of ${facts.references}` : "";
      const head = facts.about + of;
      const parts = [];
      if (sentence.source) parts.push(wo.element("h3", {}, "Source"), line(sentence.source, "source words", link));
      if (sentence.texts.length) parts.push(wo.element("h3", {}, "Reference"), line(sentence.texts[0].words, "reference text", link));
      parts.push(wo.element("h3", {}, head), line(sentence.reference, "reference", link));
      link.join("source words", "reference", sentence.positions.map((position, k) => [position, k]));
      if (sentence.texts.length) link.join("source words", "reference text", sentence.texts[0].links);
      const many = facts.systems.length > 3;
      content.replaceChildren(...parts);
      if (!facts.given) content.append(wo.element("p", { class: "sentence-key wo-small wo-quiet" },
        wo.element("span", { class: "sentence-moved" }, "underlined"), ": words to move to put the matched words in order. ",
        wo.element("span", { class: "sentence-unmatched" }, "grey"), ": words that are not matched."));
      if (!dialog.open) dialog.showModal();
      facts.systems.forEach((_, k) => content.append(systemPart(row, sentence, k, link, !many || k < 2)));
      previous.disabled = next(row, -1) < 0;
      following.disabled = next(row, 1) < 0;
      content.scrollTop = 0;
      dialog.scrollTop = 0;
      history.replaceState(null, "", `#segment-${wo.data("numbers").number[row]}`);
    }
    return { show };
  };

  // ----- the table of all sentences
  const labels = facts.metrics.map((metric) => metric.label);
  const numbers = () => wo.data("numbers");
  let table = null;
  const dialog = wo.report.dialog((row, step) => {
    const rows = table ? table.rows() : [...Array(facts.count).keys()];
    const at = rows.indexOf(row);
    return at < 0 ? -1 : rows[at + step] ?? -1;
  });
  const open = (row) => dialog.show(row);

  const pieces = { metric: 0, difference: [facts.baseline, facts.baseline === 0 ? 1 : 0] };
  let limited = null;
  const note = wo.element("p", { class: "report-limited", hidden: true, role: "status" });

  // List only the rows for which the predicate holds; the text says which these are.
  function restrict(predicate, text) {
    limited = predicate;
    build();
    note.hidden = !predicate;
    note.replaceChildren(...(predicate ? [`Only segments with ${text}. `, wo.element("button", { type: "button", onclick: () => restrict(null) }, "Show all")] : []));
    if (predicate) document.getElementById("sentences").scrollIntoView();
    if (table) table.restrict(predicate);
  }

  let view = null;
  function draw() {
    const several = facts.systems.length > 1;
    const { decimals, label } = facts.metrics[pieces.metric];
    const scores = numbers().scores.map((own) => own[pieces.metric]);
    const [first, second] = pieces.difference;
    const columns = [
      { label: "no.", kind: "number", decimals: 0, width: "4.5rem" },
      { label: "words", kind: "number", decimals: 0, title: "words of the reference", width: "5rem" },
      ...facts.systems.map((name) => ({ label: name, long: `${label} of ${name}`, title: `${label} of ${name}`, kind: "number", decimals, width: facts.systems.length > 4 ? "6.5rem" : "8rem" })),
      ...(several ? [{ label: "difference", title: `${facts.systems[second]} minus ${facts.systems[first]}`, kind: "number", decimals, width: "7rem" }] : []),
      ...(numbers().matched.length ? [{ label: "matched", title: "share of words matched, mean over systems", kind: "number", decimals: 2, width: "6rem" }] : []),
      { label: "reference", kind: "text" },
    ];
    const matched = numbers().matched;
    const average = (row) => matched.reduce((sum, own) => sum + own[row], 0) / matched.length;
    const after = 2 + facts.systems.length;
    const cell = (row, column) => {
      if (column === 0) return numbers().number[row];
      if (column === 1) return numbers().length[row];
      if (column < after) return scores[column - 2][row];
      if (several && column === after) return scores[second][row] - scores[first][row];
      return matched.length && column === after + (several ? 1 : 0) ? average(row) : wo.report.text(row);
    };
    view.replaceChildren();
    table = wo.table(view, {
      caption: "Sentences", columns, count: facts.count, cell, text: wo.report.allText, open,
      tools: [wo.report.saveRows("sentences", () => table)],
    });
    if (limited) table.restrict(limited);
  }

  function build() {
    if (view) return;
    const place = document.getElementById("sentence-view");
    place.classList.remove("report-waiting");
    view = wo.element("div");
    const several = facts.systems.length > 1;
    const set = (k) => (value) => { pieces.difference[k] = value; draw(); };
    place.append(wo.element("div", { class: "wo-tools" },
      wo.report.choice("Metric", labels, (k) => { pieces.metric = k; draw(); }),
      several && wo.report.choice("Difference of", facts.systems, set(1), pieces.difference[1]),
      several && wo.report.choice("from", facts.systems, set(0), pieces.difference[0])), note, view);
    draw();
  }
  wo.report.later("sentence-view", build);

  const wanted = /^#segment-(\d+)$/.exec(location.hash);
  if (wanted) {
    const row = numbers().number.indexOf(Number(wanted[1]));
    if (row >= 0) open(row);
  }
  Object.assign(wo.report, { open, restrict });
})();
