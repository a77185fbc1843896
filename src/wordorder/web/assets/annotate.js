"use strict";
// Annotation of links: one sentence at a time, saved at every change.
(() => {
  const at = (id) => document.getElementById(id);
  document.querySelector('nav a[data-view="annotate"]').setAttribute("aria-current", "page");
  const RETRY = 2000; // milliseconds

  let project = null;
  let annotator = "";
  let progress = { sentences: 0, begun: [], done: [] };
  let sentence = null; // as the server sent it
  let links = new Map();
  let done = false;
  let past = [];
  let future = [];

  // Saving: one request at a time, always of the newest state.
  let saving = false;
  let unsaved = false;
  let retry = 0;

  const editor = wo.linkEditor(at("editor"), (next) => change(next, done));

  function failed(error) {
    wo.problem(at("trouble"), error.message);
  }
  const guarded = (work) => (...rest) => Promise.resolve(work(...rest)).catch(failed);

  // People

  async function start() {
    project = await wo.ask("annotation");
    at("of").textContent = `of ${project.sentences}`;
    at("number").max = project.sentences;
    at("people").replaceChildren(...project.annotators.map((one) =>
      wo.element("button", { type: "button", onclick: () => begin(one.name) }, `${one.name} (${one.done} done)`)));
    at("format").replaceChildren(...project.formats.map((name) => wo.element("option", { value: name, selected: name === "pharaoh" }, name)));
    const values = new URLSearchParams(location.hash.slice(1));
    if (values.get("annotator")) await begin(values.get("annotator"), Number(values.get("sentence")) || 0);
  }

  const begin = guarded(async (name, number = 0) => {
    progress = await wo.ask(`annotation/by/${encodeURIComponent(name)}`);
    annotator = name;
    wo.problem(at("trouble"), "");
    at("annotator").textContent = name;
    at("who").hidden = true;
    at("work").hidden = false;
    await open(number >= 1 && number <= progress.sentences ? number : nextOpen(0) || 1);
  });

  at("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(at("name").value.trim());
  });

  // Sentences

  const pathOf = (number) => `annotation/by/${encodeURIComponent(annotator)}/${number}`;

  function nextOpen(after) {
    const finished = new Set(progress.done);
    for (let step = 1; step <= progress.sentences; step++) {
      const number = ((after + step - 1) % progress.sentences) + 1;
      if (!finished.has(number)) return number;
    }
    return null;
  }

  const open = guarded(async (number) => {
    if (number < 1 || number > progress.sentences) return;
    await flush();
    if (unsaved) {
      at("number").value = sentence.sentence; // what is not saved must not be left
      return;
    }
    const found = await wo.ask(pathOf(number));
    wo.problem(at("trouble"), "");
    past = [];
    future = [];
    receive(found);
    history.replaceState(null, "", `#${new URLSearchParams({ annotator, sentence: number })}`);
    document.title = `Sentence ${number} · wordorder`;
  });

  // Show what the server has. A sentence that nobody has touched begins with the predicted links.
  function receive(found) {
    sentence = { ...sentence, ...found };
    links = linkMap(found);
    if (found.version === 0) links = new Map(sentence.predicted.map(([i, j]) => [`${i} ${j}`, "sure"]));
    done = found.done;
    unsaved = false;
    tell(found.version === 0 ? "predicted links, not saved yet" : "saved");
    show();
  }

  const linkMap = ({ sure, possible }) =>
    new Map([...sure.map(([i, j]) => [`${i} ${j}`, "sure"]), ...possible.map(([i, j]) => [`${i} ${j}`, "possible"])]);

  const pairs = (kind) =>
    [...links].filter(([, state]) => state === kind).map(([name]) => name.split(" ").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);

  function show() {
    const predicted = new Set(sentence.predicted.map(([i, j]) => `${i} ${j}`));
    editor.show({ source: sentence.source, target: sentence.target, links, predicted });
    showRest();
  }

  function showRest() {
    at("number").value = sentence.sentence;
    at("done").checked = done;
    at("undo").disabled = !past.length;
    at("redo").disabled = !future.length;
    at("back").disabled = sentence.sentence === 1;
    at("forth").disabled = sentence.sentence === progress.sentences;
    at("progress").max = progress.sentences;
    at("progress").value = progress.done.length;
    at("progress-text").textContent = `${progress.done.length} of ${progress.sentences} sentences done`;
    order();
  }

  const tell = (text) => (at("saved").textContent = text);

  // Changes

  function change(next, finished) {
    past.push([links, done]);
    future = [];
    apply(next, finished);
  }

  function apply(next, finished) {
    links = next;
    done = finished;
    unsaved = true;
    showRest();
    flush();
  }

  function travel(from, to) {
    if (!from.length) return;
    to.push([links, done]);
    const [next, finished] = from.pop();
    links = next;
    show();
    apply(next, finished);
  }

  // Save what is not saved yet. Resolves when there is nothing left to save, or saving failed.
  let running = Promise.resolve();
  function flush() {
    if (!saving && unsaved) running = save();
    return running;
  }

  async function save() {
    saving = true;
    clearTimeout(retry);
    while (unsaved) {
      unsaved = false;
      tell("saving …");
      const asked = { version: sentence.version, sure: pairs("sure"), possible: pairs("possible"), done };
      try {
        const answer = await wo.ask(pathOf(sentence.sentence), asked, { method: "PUT" });
        sentence.version = answer.version;
        note(answer);
        tell("saved");
        wo.problem(at("trouble"), "");
      } catch (error) {
        unsaved = true;
        saving = false;
        tell("not saved");
        if (error.status === 409) conflict(error.data.current);
        else {
          failed(error);
          if (!error.status || error.status >= 500) retry = setTimeout(flush, RETRY);
        }
        return;
      }
    }
    saving = false;
  }

  function note(state) {
    const without = (list) => list.filter((number) => number !== state.sentence);
    progress.begun = [...without(progress.begun), state.sentence];
    progress.done = state.done ? [...without(progress.done), state.sentence] : without(progress.done);
    at("progress").value = progress.done.length;
    at("progress-text").textContent = `${progress.done.length} of ${progress.sentences} sentences done`;
  }

  function conflict(current) {
    const take = (mine) => () => {
      wo.problem(at("trouble"), "");
      sentence.version = current.version;
      if (mine) {
        unsaved = true;
        flush();
      } else {
        past.push([links, done]);
        receive(current);
      }
    };
    at("trouble").replaceChildren(wo.element("div", { class: "note", role: "alert" },
      "This sentence was changed elsewhere, perhaps in another tab. ",
      wo.element("button", { type: "button", onclick: take(false) }, "Take those links"), " ",
      wo.element("button", { type: "button", onclick: take(true) }, "Keep mine")));
  }

  // A page that is closed too early would lose the last change.
  addEventListener("beforeunload", (event) => {
    if (unsaved || saving) event.preventDefault();
  });

  // The order that the links give

  const order = wo.settled(wo.latest(async (signal) => {
    const asked = { source: sentence.source.join(" "), target: sentence.target.join(" "), sure: pairs("sure"), possible: pairs("possible") };
    const answer = await wo.ask("tree", { links: asked }, { signal });
    const found = answer.reference;
    const share = (value) => (value === null ? "?" : `${Math.round(100 * value)} %`);
    const tree = wo.element("div", {});
    at("order").replaceChildren(
      wo.element("p", { class: "reference", dir: "auto" }, found.text),
      wo.element("p", { class: "wo-small coverage" },
        wo.element("strong", {}, share(found.coverage)), " of the source words and ",
        wo.element("strong", {}, share(found.target_coverage)), " of the target words are linked."),
      ...found.warnings.map((warning) => wo.element("p", { class: "note" }, `${warning[0].toUpperCase()}${warning.slice(1)}.`)), tree);
    wo.pictures.tree(tree, { words: sentence.source, ranks: answer.ranks }, wo.link());
  }, failed), 120);

  // Buttons and keys

  const turn = (by) => open(sentence.sentence + by);
  const goOpen = () => {
    const next = nextOpen(sentence.sentence);
    if (next) open(next);
    else tell("all sentences are done");
  };
  at("back").addEventListener("click", () => turn(-1));
  at("forth").addEventListener("click", () => turn(1));
  at("open").addEventListener("click", goOpen);
  at("number").addEventListener("change", () => open(Number(at("number").value)));
  at("done").addEventListener("change", () => change(links, at("done").checked));
  at("undo").addEventListener("click", () => travel(past, future));
  at("redo").addEventListener("click", () => travel(future, past));
  at("take").addEventListener("click", () => {
    change(new Map([...sentence.predicted.map(([i, j]) => [`${i} ${j}`, "sure"]), ...links]), done);
    show();
  });
  at("clear").addEventListener("click", () => {
    change(new Map(), done);
    show();
  });

  addEventListener("keydown", (event) => {
    if (!sentence || event.defaultPrevented || wo.isTyping(event)) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      if (event.shiftKey) travel(future, past);
      else travel(past, future);
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "n") turn(1);
    else if (event.key === "b") turn(-1);
    else if (event.key === "d") {
      if (!done) change(links, true);
      goOpen();
    } else return;
    event.preventDefault();
  });

  // Agreement and export

  at("agreement").addEventListener("toggle", guarded(async () => {
    if (!at("agreement").open) return;
    const { pairs: found } = await wo.ask("annotation/agreement");
    const head = ["annotators", "both done", "links (F)", "sure links (F)"];
    const names = [...new Set(found.flatMap((pair) => Object.keys(pair.orders)))];
    const cell = (value) => wo.element("td", { class: "value" }, value === null || value === undefined ? "–" : wo.decimal(value, 3));
    at("agreement-table").replaceChildren(found.length
      ? wo.element("div", { class: "scroll" }, wo.element("table", { class: "scores" },
          wo.element("thead", {}, wo.element("tr", {}, [...head, ...names.map((name) => `orders: ${name}`), "most disputed"].map((text) => wo.element("th", { scope: "col" }, text)))),
          wo.element("tbody", {}, found.map((pair) => wo.element("tr", {},
            wo.element("th", { scope: "row" }, pair.annotators.join(" and ")),
            wo.element("td", { class: "value" }, pair.sentences), cell(pair.links), cell(pair.sure), names.map((name) => cell(pair.orders[name])),
            wo.element("td", {}, pair.disputed.map(([number]) => wo.element("button", { type: "button", class: "small", onclick: () => open(number) }, number))))))))
      : wo.element("p", { class: "wo-empty" }, "There is one annotator only."));
  }));

  at("download").addEventListener("click", guarded(async () => {
    const query = new URLSearchParams({ format: at("format").value, possible: at("possible").value, done: at("only-done").checked });
    await flush();
    const answer = await fetch(`/api/v1/annotation/by/${encodeURIComponent(annotator)}/links?${query}`);
    if (!answer.ok) {
      wo.problem(at("export-trouble"), (await answer.json()).error);
      return;
    }
    wo.problem(at("export-trouble"), "");
    wo.save(`${annotator}.${at("format").value}`, await answer.text());
  }));

  addEventListener("hashchange", () => location.reload()); // another address was typed

  guarded(start)();
})();
