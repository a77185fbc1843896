"use strict";
// A sentence in the order that a model predicts for another language, and why.
(() => {
  const EXAMPLE = "my father is reading a newspaper in the garden .";
  const NBEST = 8;
  const NAMES = { hi: "Hindi", ja: "Japanese", ko: "Korean", tr: "Turkish", zh: "Chinese" };

  // Probabilities that the word of a row comes before the word of a column.
  wo.pictures.precedence = (parent, { words, table }, link) => {
    const side = "source";
    const draw = (width) => {
      const longest = Math.min(Math.max(...words.map((word) => wo.wordWidth(word, 13)), 20), 140);
      const left = longest + 14;
      const size = Math.max(16, Math.min(34, (width - left - 16) / words.length));
      const numbers = size >= 28;
      const whole = left + size * words.length + 12;
      const high = left + size * words.length + 12;
      const drawn = [];
      words.forEach((word, i) => {
        const middle = left + size * (i + 0.5);
        const rowText = wo.wordText(word, left - 8, middle, "label", { "text-anchor": "end", direction: "ltr" });
        const band = wo.svg("rect", { class: "wo-hit", x: 0, y: left + size * i, width: left, height: size });
        drawn.push(wo.standsFor(wo.svg("g", { class: "wo-leaf" }, band, rowText), side, [i], link));
        const at = `translate(${middle} ${left - 8}) rotate(-90)`;
        const top = wo.wordText(word, 0, 0, "label", { "text-anchor": "start", direction: "ltr", transform: at });
        drawn.push(wo.standsFor(wo.svg("g", { class: "wo-leaf" }, top), side, [i], link));
        words.forEach((other, j) => {
          if (i === j) return;
          const share = table[i][j];
          const group = wo.svg("g", { class: "cell" },
            wo.svg("rect", { class: share >= 0.5 ? "before" : "after", x: left + size * j + 1, y: left + size * i + 1, width: size - 2, height: size - 2, "fill-opacity": Math.abs(share - 0.5) * 1.2 }),
            wo.svg("title", {}, `${word} before ${other}: ${wo.decimal(share, 2)}`));
          if (numbers) group.append(wo.wordText(String(Math.round(100 * share)), left + size * (j + 0.5), left + size * (i + 0.5), "share"));
          drawn.push(wo.standsFor(group, side, [i, j], link));
        });
      });
      return wo.svg("svg", { class: "wo-picture", width: whole, height: high, viewBox: `0 0 ${whole} ${high}`, "aria-hidden": "true" }, drawn);
    };
    const label = `Table of ${words.length} words: the probability that the word of a row comes before the word of a column`;
    const frame = wo.box(parent, { label, name: "precedence", side, numbers: words.map((_, k) => k), draw }, link);
    wo.listen(frame, link);
    return frame;
  };

  wo.views = wo.views || {};
  wo.views.reorder = (parent, values, remember) => {
    const model = wo.element("select", { id: "model", onchange: () => chosen() });
    const language = wo.element("select", { id: "language", onchange: () => ask() });
    const languageField = wo.field("Language", language);
    const text = wo.element("textarea", { id: "sentence", rows: 2, spellcheck: "false", dir: "auto", placeholder: "an English sentence, words and punctuation separated by spaces" });
    text.addEventListener("input", wo.settled(() => ask()));
    text.value = values.s === undefined ? EXAMPLE : values.s;
    const problem = wo.element("div", { class: "problems" });
    const results = wo.element("div", { class: "results", hidden: true });
    const busy = wo.element("p", { class: "wo-quiet wo-small", role: "status" });
    parent.replaceChildren(
      wo.element("section", { class: "panel input" },
        wo.element("div", { class: "line" }, wo.field("Model", model), languageField), wo.field("Sentence", text), problem, busy),
      results);
    let models = [];

    function failed(error) {
      wo.problem(problem, error.message);
      busy.textContent = "";
      results.hidden = true;
    }

    function chosen() {
      const entry = models.find((one) => one.name === model.value);
      const known = entry ? entry.languages : [];
      languageField.hidden = !known.length;
      language.replaceChildren(...known.map((code) => wo.element("option", { value: code, selected: code === values.language }, NAMES[code] || code)));
      ask();
    }

    const ask = wo.latest(async (signal) => {
      wo.problem(problem, "");
      remember({ model: model.value, language: languageField.hidden ? "" : language.value, s: text.value });
      const sentence = wo.words(text.value).join(" ");
      if (!sentence) {
        busy.textContent = "";
        results.hidden = true;
        return;
      }
      busy.textContent = "Reordering …";
      const asked = { model: model.value, sentences: [sentence], nbest: NBEST, tree: false, precedence: true };
      if (!languageField.hidden) asked.language = language.value;
      const answer = await wo.ask("reorder", asked, { signal });
      const why = show(answer.sentences[0]);
      busy.textContent = "Looking for the words that matter …";
      try {
        const explained = await wo.ask("reorder", { ...asked, nbest: 1, precedence: false, explain: true }, { signal });
        explain(why, explained.sentences[0].explanation);
      } catch (error) {
        if (signal.aborted) throw error;
        why.replaceChildren(wo.element("p", { class: "note" }, `${error.message[0].toUpperCase()}${error.message.slice(1)}.`));
      }
      busy.textContent = "";
    }, failed);

    function show(found) {
      const { words, candidates } = found;
      const pictures = wo.element("div", {});
      const order = wo.element("div", {});
      const list = wo.element("ol", { class: "candidates" }, candidates.map((candidate, k) => {
        const chance = candidate.log_probability === null ? "" : probability(Math.exp(candidate.log_probability));
        return wo.element("li", {},
          wo.element("button", { type: "button", "aria-pressed": String(k === 0), dir: "auto", onclick: (event) => choose(k, event.currentTarget) },
            wo.element("span", { class: "text" }, candidate.text),
            wo.element("span", { class: "wo-quiet wo-small" }, chance && ` probability ${chance}`,
              candidate.loss !== null && ` · expected loss ${wo.decimal(candidate.loss, 3)}`)));
      }));
      const table = wo.element("div", {});
      const why = wo.element("div", {});
      results.replaceChildren(
        wo.panel("Predicted order", order), pictures,
        wo.element("div", { class: "two" }, wo.panel("Best orders", list), wo.panel("Words that mattered", why)),
        wo.panel("Precedence", wo.element("p", { class: "wo-quiet wo-small" },
          "Probability, in percent, that the word of a row comes before the word of a column. Blue: before. Orange, outlined: after."), table));
      results.hidden = false;

      function choose(k, button) {
        for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
        draw(k);
      }

      function draw(k) {
        const link = wo.link();
        const ranks = [];
        candidates[k].order.forEach((position, place) => (ranks[position] = place));
        const target = candidates[k].order.map((position) => words[position]);
        const tree = wo.element("div", {});
        pictures.replaceChildren(wo.panel("Tree", tree));
        wo.pictures.tree(tree, { words, ranks, target }, link);
        const moved = (i) => ranks[i] !== i;
        order.replaceChildren(wo.element("p", { class: "order", dir: wo.isRightToLeft(target) ? "rtl" : "ltr" },
          candidates[k].order.map((i, place) =>
            wo.standsFor(wo.element("span", { class: moved(i) ? "piece moved" : "piece" }, words[i], place < words.length - 1 && " "), "source", [i], link))));
        wo.listen(order, link);
        table.replaceChildren();
        if (found.precedence && words.length > 1) wo.pictures.precedence(table, { words, table: found.precedence }, link);
      }
      draw(0);
      return why;
    }

    const probability = (chance) => (chance < 0.0005 ? "below 0.001" : wo.decimal(chance, 3));

    function explain(place, found) {
      const falls = found.without.map((one) => one.log_probability_falls);
      const whole = falls.every((fall) => fall !== null);
      const values = whole ? falls : found.without.map((one) => one.expected_loss_rises);
      const most = Math.max(...values.map(Math.abs), 1e-9);
      const title = whole ? "Fall of the log probability of the order without the word" : "Rise of the expected loss without the word";
      place.replaceChildren(
        wo.element("p", { class: "wo-quiet wo-small" }, `${title}. Each word is hidden in turn.`),
        wo.element("table", { class: "bars" }, wo.element("caption", { class: "hidden" }, title), wo.element("tbody", {},
          found.without.map((one, k) => wo.element("tr", {},
            wo.element("th", { scope: "row", dir: "auto" }, one.word),
            wo.element("td", { class: "value" }, wo.decimal(values[k], 3)),
            wo.element("td", {}, wo.element("span", { class: "bar", "aria-hidden": "true" },
              wo.element("span", { class: values[k] < 0 ? "down" : "up", style: { width: `${(100 * Math.abs(values[k])) / most}%` } }))))))),
        found.moved.length > 0 && wo.element("h3", {}, "What changed places"),
        wo.element("ul", { class: "moves" }, found.moved.map((node) => wo.element("li", {},
          node.parts.map(([begin, end]) => wo.element("span", { class: "block" }, found.words.slice(begin, end).join(" "))),
          ` probability ${wo.decimal(node.precedence, 2)}`,
          reasons(node, found.words)))));
    }

    function reasons(node, words) {
      const some = node.falls.map((fall, k) => [fall, k]).filter(([fall]) => fall >= 0.005).sort((a, b) => b[0] - a[0]).slice(0, 3);
      return some.length ? `, falls by ${some.map(([fall, k]) => `${wo.decimal(fall, 2)} without “${words[k]}”`).join(", ")}` : "";
    }

    wo.ask("models").then((answer) => {
      models = answer.models;
      model.replaceChildren(...models.map((one) => wo.element("option", { value: one.name }, `${one.name}: ${one.title}`)));
      model.value = models.some((one) => one.name === values.model) ? values.model : "en-ja-crf";
      chosen();
    }, failed);
    return { keys: () => false };
  };
})();
