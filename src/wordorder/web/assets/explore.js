"use strict";
// One sentence: a permutation, two sentences with links, or a translation and its reference.
//
// All three are a row of source words, a row of target words and links between them. One of the rows can be moved:
// the target, or the translation.
(() => {
  const MODES = {
    permutation: "Permutation",
    links: "Source, target and links",
    texts: "Translation and reference",
  };
  const EXAMPLES = {
    permutation: { p: "2 4 5 6 1 3", w: "I will wait for you tomorrow" },
    links: {
      s: "my father is reading a newspaper in the garden .",
      t: "父 は 庭 で 新聞 を 読んで いる 。",
      l: "1-0 8-2 6-3 5-4 3-6 2-7 9-8",
    },
    texts: { h: "Tomorrow I will for you wait .", r: "I will wait for you tomorrow ." },
  };
  const TEXT_METRICS = ["full", "lrscore", "ribes", "beer", "bleu", "chrf", "ter"];

  wo.views = wo.views || {};
  wo.views.explore = (parent, values, remember) => {
    let mode = Object.hasOwn(MODES, values.mode) ? values.mode : "permutation";
    const fields = {};
    const current = { source: [], target: [], links: [], ranks: [], tree: null, count: "1", number: null, before: new Map() };

    // Input

    const area = (id, rows, placeholder, spellcheck = "false") => {
      const made = wo.element("textarea", { id, rows, placeholder, spellcheck, dir: "auto" });
      fields[id] = made;
      made.addEventListener("input", typed);
      return made;
    };
    const inputs = {
      permutation: [
        wo.field("Places of the words", area("p", 1, "2 4 5 6 1 3"), "one number per word, from 0 or from 1"),
        wo.field("Words", area("w", 1, "I will wait for you tomorrow"), "optional"),
      ],
      links: [
        wo.field("Source", area("s", 2, "words, separated by spaces")),
        wo.field("Target", area("t", 2, "words, separated by spaces")),
        wo.field("Links", area("l", 1, "0-0 1-2 2p3"), "source-target, from 0; p: possible"),
      ],
      texts: [
        wo.field("Translation", area("h", 2, "the text to look at")),
        wo.field("Reference", area("r", 2, "the text to compare it with")),
      ],
    };
    const alignButton = wo.element("button", { type: "button", onclick: () => align() }, "Align these two sentences");
    inputs.links.push(wo.element("p", { class: "tools" }, alignButton));
    const problem = wo.element("div", { class: "problems" });
    const note = wo.element("div", { class: "notes" });
    const form = wo.element("div", { class: "inputs" });
    const chooser = wo.element("fieldset", { class: "segments" }, wo.element("legend", { class: "hidden" }, "What to look at"),
      Object.entries(MODES).map(([name, title]) =>
        wo.element("label", {},
          wo.element("input", { type: "radio", name: "mode", value: name, checked: name === mode, onchange: () => choose(name) }),
          wo.element("span", {}, title))),
      wo.element("button", { type: "button", class: "example", onclick: () => example() }, "Example"));

    // Results

    const results = wo.element("div", { class: "results", hidden: true });
    const row = wo.wordRow({ label: "Words in target order: move them with Alt and the arrow keys", moved });
    const rowTitle = wo.element("h2", {});
    const reset = wo.element("button", { type: "button", disabled: true, onclick: () => undo() }, "Undo all moves");
    const rowPanel = wo.element("section", { class: "panel" },
      wo.element("div", { class: "head" }, rowTitle, reset), row.element,
      wo.element("p", { class: "wo-quiet wo-small" },
        "Drag a word, or press ", wo.element("kbd", {}, "Alt"), " and an arrow key: trees and scores follow."));
    const treePlace = wo.element("div", {});
    const treeName = wo.element("output", { class: "which" });
    const step = (label, title, by) =>
      wo.element("button", { type: "button", "aria-label": title, title, onclick: () => stepTree(by) }, label);
    const together = wo.element("button", { type: "button", onclick: () => stepTree(null) }, "All in one");
    const stepper = wo.element("div", { class: "stepper", role: "group", "aria-label": "Trees of the forest" },
      step("◀", "Previous tree", -1n), treeName, step("▶", "Next tree", 1n), together);
    const treePanel = wo.element("section", { class: "panel wide" },
      wo.element("div", { class: "head" }, wo.element("h2", {}, "Tree"), stepper, savers("tree")), treePlace, legend());
    const curvesPlace = wo.element("div", {});
    const matrixPlace = wo.element("div", {});
    const reference = wo.element("div", {});
    const scoresPlace = wo.element("div", { class: "scroll" });
    results.append(
      rowPanel, treePanel, reference,
      wo.element("div", { class: "two" }, pictured("Crossing links", "curves", curvesPlace), pictured("Matrix", "matrix", matrixPlace)),
      wo.panel("Scores", scoresPlace));
    parent.replaceChildren(wo.element("section", { class: "panel input" }, chooser, form, problem, note), results);

    function pictured(title, picture, place) {
      return wo.element("section", { class: "panel" }, wo.element("div", { class: "head" }, wo.element("h2", {}, title), savers(picture)), place);
    }

    // Buttons that save a picture as a file, drawn by the server as the command line draws it.
    function savers(picture) {
      const made = (format, ending, label) => wo.element("button", {
        type: "button", class: "small", "aria-label": `Save ${picture} as ${label}`, onclick: () => save(picture, format, ending),
      }, label);
      return wo.element("span", { class: "tools flush" }, made("svg", "svg", "SVG"), made("tikz", "tikz", "TikZ"));
    }

    const save = wo.latest(async (signal, picture, format, ending) => {
      const { source, target, links, ranks, words, number } = current;
      const pairs = (kind) => links.filter((l) => l[2] === kind).map(([i, j]) => [i, j]);
      const linked = { source: source.join(" "), target: target.join(" "), sure: pairs("sure"), possible: pairs("possible") };
      const asked = picture === "tree" ? { permutation: ranks, words, number } : { links: linked };
      const { content, media_type: type } = await wo.ask("draw", { ...asked, picture, format }, { signal });
      wo.save(`${picture}.${ending}`, content, type);
    }, failed);

    function legend() {
      const entry = (kind, text) => wo.element("li", {}, wo.element("span", { class: `key ${kind}`, "aria-hidden": "true" }), text);
      return wo.element("ul", { class: "legend" },
        entry("monotone", "in order ⟨1,2⟩"), entry("inverted", "swapped ⟨2,1⟩"), entry("prime", "longer operator"));
    }

    function choose(name) {
      mode = name;
      form.replaceChildren(...inputs[mode]);
      alignButton.disabled = false;
      wo.problem(note, "");
      read();
    }

    function example() {
      for (const [id, text] of Object.entries(EXAMPLES[mode])) fields[id].value = text;
      read();
    }

    function typed() {
      readSoon();
    }
    const readSoon = wo.settled(() => read());

    const contents = () => Object.fromEntries(Object.keys(EXAMPLES[mode]).map((id) => [id, fields[id].value]));
    function undo() {
      for (const [id, text] of Object.entries(current.original)) fields[id].value = text;
      read();
    }

    function remembered() {
      remember({ mode, ...contents(), tree: current.number });
    }

    // From the fields to words and links

    const read = wo.latest(async (signal, number = null) => {
      wo.problem(problem, "");
      Object.assign(current, { before: new Map(), original: contents() });
      reset.disabled = true;
      const given = await gather(signal);
      if (given === null) {
        results.hidden = true;
        remembered();
        return;
      }
      Object.assign(current, given, { number: null });
      await look(signal);
      if (number !== null && BigInt(number) < BigInt(current.count)) await showTree(signal, number);
    }, failed);

    async function gather(signal) {
      if (mode === "permutation") {
        if (!fields.p.value.trim()) return null;
        const { ranks } = await wo.ask("tree", { permutation: wo.line(fields.p.value) }, { signal });
        let words = wo.words(fields.w.value);
        if (words.length && words.length !== ranks.length) {
          throw new Error(`${words.length} words for a permutation of ${ranks.length}.`);
        }
        if (!words.length) words = ranks.map((_, k) => String(k + 1));
        const target = [];
        ranks.forEach((rank, k) => (target[rank] = words[k]));
        return { source: words, target, links: ranks.map((rank, k) => [k, rank, "sure"]) };
      }
      if (mode === "links") {
        const [source, target] = [wo.words(fields.s.value), wo.words(fields.t.value)];
        if (!source.length || !target.length) return null;
        const asked = { links: { source: source.join(" "), target: target.join(" "), text: wo.line(fields.l.value) } };
        const answer = await wo.ask("tree", asked, { signal });
        const links = [...answer.sure.map((l) => [...l, "sure"]), ...answer.possible.map((l) => [...l, "possible"])];
        return { source, target, links };
      }
      if (!fields.h.value.trim() || !fields.r.value.trim()) return null;
      const asked = { method: "match", source: [wo.line(fields.h.value)], target: [wo.line(fields.r.value)] };
      const [pair] = (await wo.ask("align", asked, { signal })).pairs;
      const texts = { hypothesis: wo.line(fields.h.value), reference: wo.line(fields.r.value) };
      const [source, target] = [written(texts.hypothesis, pair.source), written(texts.reference, pair.target)];
      return { source, target, links: pair.links.map((l) => [...l, "sure"]), texts };
    }

    // Words as they are written in a text. Metrics match them in lower case, but some score upper case, too: a word that
    // is moved must not become another one.
    function written(text, words) {
      let end = 0;
      return words.map((word) => {
        while (/\s/.test(text[end])) end++;
        const found = text.slice(end, end + word.length);
        if (found.toLowerCase() !== word.toLowerCase()) return word;
        end += word.length;
        return found;
      });
    }

    const align = wo.latest(async (signal) => {
      wo.problem(problem, "");
      const [source, target] = [wo.words(fields.s.value), wo.words(fields.t.value)];
      if (!source.length || !target.length) throw new Error("Give both sentences first.");
      alignButton.disabled = true;
      try {
        const answer = await wo.ask("align", { source: [source.join(" ")], target: [target.join(" ")] }, { signal });
        fields.l.value = answer.pairs[0].links.map((l) => l.join("-")).join(" ");
        note.replaceChildren(...answer.notes.map((text) => wo.element("p", { class: "note" }, sentence(text))));
        await read();
      } finally {
        alignButton.disabled = false;
      }
    }, failed);

    const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

    function failed(error) {
      wo.problem(problem, sentence(error.message).replace(/([.?])\.$/, "$1"));
      results.hidden = true;
    }

    // From words and links to tree, pictures and scores

    async function look(signal) {
      const { source, target, links } = current;
      if (mode === "links") {
        const pairs = (kind) => links.filter((l) => l[2] === kind).map(([i, j]) => [i, j]);
        const asked = { source: source.join(" "), target: target.join(" "), sure: pairs("sure"), possible: pairs("possible") };
        const answer = await wo.ask("tree", { links: asked, number: current.number }, { signal });
        Object.assign(current, { ranks: answer.ranks, words: source, count: answer.count, nodes: answer.nodes, positions: undefined });
        current.reference = answer.reference;
      } else {
        const linked = [...links].sort((a, b) => a[0] - b[0]);
        const places = linked.map((l) => l[1]).sort((a, b) => a - b);
        current.ranks = linked.map((l) => places.indexOf(l[1]));
        current.words = linked.map((l) => source[l[0]]);
        current.positions = { source: linked.map((l) => l[0]), target: places };
        current.reference = null;
        const answer = await wo.ask("tree", { permutation: current.ranks, number: current.number }, { signal });
        Object.assign(current, { count: answer.count, nodes: answer.nodes });
      }
      show();
      remembered();
      await score(signal);
    }

    function show() {
      results.hidden = false;
      const { source, target, links, words, ranks } = current;
      const link = wo.link();
      rowTitle.textContent = mode === "texts" ? "Translation" : mode === "links" ? "Target" : "Target order";
      if (mode === "texts") row.show(source, "source", link);
      else row.show(target, "target", link);
      const tree = current.number === null ? undefined : nested(current.nodes);
      treePlace.replaceChildren();
      curvesPlace.replaceChildren();
      matrixPlace.replaceChildren();
      const beneath = mode === "links" ? undefined : current.positions.target.map((j) => target[j]);
      wo.pictures.tree(treePlace, { words, ranks, target: beneath, positions: current.positions, tree }, link);
      wo.pictures.curves(curvesPlace, { source, target, links }, link);
      wo.pictures.matrix(matrixPlace, { source, target, links }, link);
      wo.listen(row.element, link);
      const several = current.count !== "1";
      stepper.hidden = !several;
      together.disabled = current.number === null;
      treeName.textContent = current.number === null
        ? `all ${grouped(current.count)} trees in one`
        : `tree ${grouped(String(BigInt(current.number) + 1n))} of ${grouped(current.count)}`;
      showReference();
    }

    const grouped = (digits) =>
      digits.length > 15 ? `${digits[0]}.${digits.slice(1, 3)} · 10^${digits.length - 1}` : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

    // Nodes come as a list in preorder; pictures want them inside each other.
    function nested(nodes) {
      const bySpan = new Map(nodes.map((node) => [`${node.begin} ${node.end}`, node]));
      const build = (begin, end) => {
        const node = bySpan.get(`${begin} ${end}`);
        if (!node) return { begin, end, kind: "word", operator: [0], children: [] };
        return { begin, end, kind: node.kind, operator: node.operator.map((place) => place - 1), children: node.children.map(([a, b]) => build(a, b)) };
      };
      return nodes.length ? build(nodes[0].begin, nodes[0].end) : undefined;
    }

    function showReference() {
      reference.replaceChildren();
      const found = current.reference;
      if (!found) return;
      const text = wo.element("p", { class: "reference", dir: "auto" }, found.text);
      const shares = `${percent(found.coverage)} of the source words and ${percent(found.target_coverage)} of the target words are linked.`;
      reference.append(wo.panel("Source words in target order", text,
        wo.element("p", { class: "wo-quiet wo-small" }, shares, " Words in {{ }} may stand in any order."),
        found.warnings.length > 0 && wo.element("p", { class: "note" }, `As a reference, doubtful: ${found.warnings.join("; ")}.`)));
    }
    const percent = (share) => (share === null ? "an unknown share" : `${Math.round(100 * share)} %`);

    const stepTree = wo.latest(async (signal, by) => {
      const count = BigInt(current.count);
      if (by === null) current.number = null;
      else if (current.number === null) current.number = by > 0n ? "0" : String(count - 1n);
      else current.number = String((BigInt(current.number) + by + count) % count);
      await showTree(signal, current.number);
      wo.say(treeName.textContent);
    }, failed);

    async function showTree(signal, number) {
      const answer = await wo.ask("tree", { permutation: current.ranks, number }, { signal });
      Object.assign(current, { number, nodes: answer.nodes });
      show();
      remembered();
    }

    async function score(signal) {
      const ordering = (await wo.metrics()).filter((metric) => metric.permutations).map((metric) => metric.name);
      let asked = { metrics: ordering, permutations: [current.ranks] };
      if (mode === "texts") {
        const { hypothesis, reference: compared } = current.texts;
        asked = { metrics: [...ordering, ...TEXT_METRICS], hypotheses: [hypothesis], references: [[compared]] };
      }
      const { scores } = await wo.ask("score", asked, { signal });
      await wo.scoreTable(scoresPlace, scores, current.before);
      current.scores = new Map(scores.map((one) => [one.metric, one.score]));
      if (!current.before.size) current.before = current.scores;
    }

    // Moving words

    const lookAgain = wo.latest((signal) => look(signal), failed);
    function moved(from, to) {
      current.number = null;
      reset.disabled = false;
      if (mode === "texts") {
        current.source = wo.movedItem(current.source, from, to);
        current.links = current.links.map(([i, j, kind]) => [wo.movedPlace(i, from, to), j, kind]);
        current.texts = { ...current.texts, hypothesis: current.source.join(" ") };
        fields.h.value = current.texts.hypothesis;
        row.show(current.source);
      } else {
        current.target = wo.movedItem(current.target, from, to);
        current.links = current.links.map(([i, j, kind]) => [i, wo.movedPlace(j, from, to), kind]);
        if (mode === "links") {
          fields.t.value = current.target.join(" ");
          fields.l.value = current.links.map(([i, j, kind]) => `${i}${kind === "sure" ? "-" : "p"}${j}`).join(" ");
        } else {
          const ranks = [];
          for (const [i, j] of current.links) ranks[i] = j;
          fields.p.value = ranks.map((rank) => rank + 1).join(" ");
        }
        row.show(current.target);
      }
      lookAgain();
    }

    const keys = (event) => {
      if (event.key === "[") stepTree(-1n);
      else if (event.key === "]") stepTree(1n);
      else return false;
      return true;
    };

    form.replaceChildren(...inputs[mode]);
    let any = false;
    for (const id of Object.keys(EXAMPLES[mode])) {
      if (id in values) any = true;
      fields[id].value = values[id] || "";
    }
    if (any) read(/^\d+$/.test(values.tree || "") ? values.tree : null);
    else example();
    return { keys };
  };
})();
