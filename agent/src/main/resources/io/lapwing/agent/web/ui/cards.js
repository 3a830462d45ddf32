import {el} from "./dom.js";

// Shared building blocks of the sections.

export function heading(title, note = "") {
  return el("div", {class: "heading"}, el("h2", {}, title), note ? el("p", {class: "note"}, note) : null);
}

/** A bar for a ratio, with a text for screen readers. */
export function bar(share, label, kind = "") {
  const width = Number.isFinite(share) ? Math.min(100, Math.max(0, 100 * share)) : 0;
  return el(
    "span",
    {class: `bar ${kind}`, role: "img", "aria-label": label},
    el("span", {class: "fill", style: {width: `${width}%`}}),
  );
}

/** A stacked bar: [[kind, share, text], ...]. */
export function stack(shares, label) {
  return el(
    "span",
    {class: "bar stack", role: "img", "aria-label": label, title: label},
    shares
      .filter(([, share]) => share > 0.002)
      .map(([kind, share]) => el("span", {class: `fill ${kind}`, style: {width: `${Math.min(100, 100 * share)}%`}})),
  );
}

/** A two-column list of names and values. */
export function facts(pairs) {
  return el(
    "dl",
    {class: "facts"},
    pairs
      .filter((pair) => pair !== null)
      .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** A table; rows are arrays of nodes or texts. A # prefix marks numeric columns. */
export function table(caption, head, rows) {
  const numeric = head.map((cell) => cell.startsWith("#"));
  const cell = (tag, content, at, more = {}) => el(tag, {class: numeric[at] ? "number" : "", ...more}, content);
  return el(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, head.map((text, at) => cell("th", text.replace("#", ""), at, {scope: "col"})))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((content, at) => cell("td", content, at))))),
    ),
  );
}
