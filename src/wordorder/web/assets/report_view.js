"use strict";
// Files of translations become a report: upload, progress, and the page to open.
(() => {
  const ASK = 700; // milliseconds between questions about progress
  const DEFAULT = ["kendall", "recpef", "full", "chrf"];

  wo.views = wo.views || {};
  wo.views.report = (parent, values, remember) => {
    remember({});
    const files = (id, many) => wo.element("input", { type: "file", id, multiple: many, accept: ".txt,.tok,text/plain,*" });
    const [references, systems] = [files("references", true), files("systems", true)];
    const metrics = wo.element("div", { class: "checks" });
    const button = wo.element("button", { class: "main" }, "Make a report");
    const problem = wo.element("div", { class: "problems" });
    const state = wo.element("div", { class: "state", role: "status" });
    const form = wo.element("form", { class: "panel input" },
      wo.element("p", {}, "Choose files with one sentence per line: the reference, and one file for each system. They are read by the server on this machine, and removed when it ends."),
      wo.element("div", { class: "line" }, wo.field("References", references), wo.field("Systems", systems, "one or more")),
      wo.element("fieldset", { class: "metrics" }, wo.element("legend", {}, "Metrics"), metrics),
      wo.element("p", { class: "tools" }, button), problem, state);
    parent.replaceChildren(form);
    let gone = false;

    wo.metrics().then((all) => metrics.replaceChildren(...all.map(({ name }) =>
      wo.element("label", { class: "check" }, wo.element("input", { type: "checkbox", value: name, checked: DEFAULT.includes(name) }), name))),
      (error) => wo.problem(problem, error.message));

    // An upload tells how much of it has been sent.
    const send = (data) => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", "/api/v1/reports");
      request.responseType = "json";
      request.upload.addEventListener("progress", (event) => show("Uploading", event.loaded / event.total));
      request.addEventListener("load", () => {
        const answer = request.response || {};
        if (request.status === 202) resolve(answer);
        else reject(new Error(answer.error || `The server answered with status ${request.status}.`));
      });
      request.addEventListener("error", () => reject(new Error("The upload was not accepted: too large, or the server has stopped.")));
      request.send(data);
    });

    function show(text, share) {
      state.replaceChildren(wo.element("p", {}, text), wo.element("progress", share === undefined ? { "aria-label": text } : { value: share, max: 1, "aria-label": text }));
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      wo.problem(problem, "");
      state.replaceChildren();
      if (!references.files.length || !systems.files.length) {
        wo.problem(problem, "Choose a reference and at least one system.");
        return;
      }
      const data = new FormData();
      for (const file of references.files) data.append("references", file);
      for (const file of systems.files) data.append("systems", file);
      for (const box of metrics.querySelectorAll("input:checked")) data.append("metrics", box.value);
      button.disabled = true;
      try {
        let report = await send(data);
        while (!gone && (report.state === "waiting" || report.state === "working")) {
          show(report.state === "waiting" ? "Waiting for another report" : `${report.segments} segments read, ${Math.round(report.seconds)} seconds`);
          await new Promise((resolve) => setTimeout(resolve, ASK));
          report = await wo.ask(`reports/${report.id}`);
        }
        if (report.state === "failed") throw new Error(report.error);
        state.replaceChildren(wo.element("p", { class: "ready" }, `The report is ready after ${report.seconds} seconds. `,
          wo.element("a", { href: report.address, target: "_blank", rel: "noopener" }, "Open the report"), " · ",
          wo.element("a", { href: report.address, download: "report.html" }, "Save it")));
      } catch (error) {
        state.replaceChildren();
        wo.problem(problem, error.message);
      } finally {
        button.disabled = false;
      }
    });
    return { keys: () => false, close: () => (gone = true) };
  };
})();
