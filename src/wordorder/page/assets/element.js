"use strict";
// The global that all scripts of a page share, and how they make elements. Text is only ever set as text.
const wo = { pictures: {} };

(() => {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (typeof value === "function") made.addEventListener(name.replace(/^on/, ""), value);
      else if (name === "style") Object.assign(made.style, value);
      else if (name === "data") Object.assign(made.dataset, value);
      else made.setAttribute(name, value === true ? "" : wo.shown(String(value)));
    }
    for (const child of children.flat(Infinity)) {
      if (child === undefined || child === null || child === false) continue;
      made.append(child instanceof Node ? child : wo.shown(String(child)));
    }
    return made;
  }

  // wo.element("p", {class: "note", onclick: f, style: {width: "3em"}}, "text", child, [more])
  wo.element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  wo.svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  // Control characters, lone surrogates and unclosed bidirectional embeddings become U+FFFD.
  const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
  wo.shown = (text) => text.replace(UNSAFE, "\ufffd");

  // The values that the document embeds, by name. A value is parsed when it is first asked for.
  const parsed = new Map();
  wo.data = (name) => {
    if (!parsed.has(name)) {
      const block = document.getElementById(`data-${name}`);
      parsed.set(name, block === null ? undefined : JSON.parse(block.textContent));
    }
    return parsed.get(name);
  };

  // A number with a fixed number of decimals, and a real minus sign; "" for what is not a number.
  wo.decimal = (value, decimals = 3) =>
    typeof value === "number" && Number.isFinite(value) ? value.toFixed(decimals).replace("-", "\u2212") : "";

  // Save a text as a file.
  wo.save = (name, text, type = "text/plain") => {
    const address = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
    wo.element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };

  let context;
  wo.textWidth = (text, font) => {
    context = context || document.createElement("canvas").getContext("2d");
    context.font = font;
    return context.measureText(text).width;
  };
})();
