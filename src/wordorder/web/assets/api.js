"use strict";
// Requests to the server, and what the address of the page remembers.
(() => {
  // wo.ask("score", {...}) resolves to the answer, or rejects with an Error whose message can be shown.
  wo.ask = async (path, body, { signal, method } = {}) => {
    const options = { signal, method: method || (body === undefined ? "GET" : "POST"), headers: {} };
    if (body !== undefined) {
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let answer;
    try {
      answer = await fetch(`/api/v1/${path}`, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error("The server does not answer. Is it still running?");
    }
    const data = await answer.json().catch(() => ({}));
    if (answer.ok) return data;
    const failure = new Error(data.error || `The server answered with status ${answer.status}.`);
    failure.status = answer.status;
    failure.data = data;
    throw failure;
  };

  // A function that runs `work(signal, ...)`, and gives up the previous run when it is called again.
  wo.latest = (work, failed) => {
    let controller = null;
    return async (...rest) => {
      if (controller) controller.abort();
      const own = (controller = new AbortController());
      try {
        return await work(own.signal, ...rest);
      } catch (error) {
        if (!own.signal.aborted) failed(error);
      }
    };
  };

  // Wait until there were no calls for some milliseconds.
  wo.settled = (work, milliseconds = 250) => {
    let timer;
    return (...rest) => {
      clearTimeout(timer);
      timer = setTimeout(() => work(...rest), milliseconds);
    };
  };

  // The state of the page is in its address: #view?key=value. Addresses that are too long are cut to the view.
  const LONGEST = 30000; // characters, which every browser takes
  wo.state = {
    read() {
      const [view, query] = location.hash.slice(1).split(/\?(.*)/s);
      return { view, values: Object.fromEntries(new URLSearchParams(query || "")) };
    },
    write(view, values) {
      const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
      const query = new URLSearchParams(kept).toString();
      const address = `#${view}${query && query.length < LONGEST ? `?${query}` : ""}`;
      if (address !== location.hash) history.replaceState(null, "", address);
    },
  };

  // Words are separated by blanks; line breaks of pasted text are blanks, too.
  wo.words = (text) => text.split(/[ \t\r\n]+/).filter(Boolean);
  wo.line = (text) => text.replace(/[\r\n]+/g, " ");

  // A line for readers of screens, and a line for errors.
  wo.say = (text) => (document.getElementById("said").textContent = text);
  wo.problem = (place, text) => {
    place.replaceChildren(...(text ? [wo.element("p", { class: "problem", role: "alert" }, text)] : []));
  };

  wo.copy = (text, button) =>
    navigator.clipboard.writeText(text).then(
      () => {
        const before = button.textContent;
        button.textContent = "copied";
        setTimeout(() => (button.textContent = before), 1200);
      },
      () => wo.say("The browser does not allow copying."),
    );

  // A label with its field.
  wo.field = (label, control, note) =>
    wo.element("div", { class: "field" },
      wo.element("label", { for: control.id }, label, note && wo.element("span", { class: "wo-quiet" }, ` ${note}`)),
      control);

  wo.panel = (title, ...children) =>
    wo.element("section", { class: "panel" }, wo.element("h2", {}, title), ...children);

  // The fragment of the address is the state of the page: the link to the content must not change it.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    const content = document.getElementById("view");
    content.tabIndex = -1;
    content.focus();
  });

  // Whether a key belongs to a field or to the help, and is not a shortcut of the page.
  const help = document.getElementById("help");
  wo.isTyping = (event) => help.open || Boolean(event.target.closest("input:not([type=checkbox]), textarea, select"));
  document.getElementById("show-help").addEventListener("click", () => help.showModal());
  addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || wo.isTyping(event)) return;
    event.preventDefault();
    help.showModal();
  });
})();
