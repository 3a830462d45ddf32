import {el} from "./dom.js";

// The few shapes that every section is made of.

export function heading(title, note = "") {
  return el("div", {class: "heading"}, el("h2", {}, title), note ? el("p", {class: "note"}, note) : null);
}

/** A share of a whole, with its words for those who do not see it. */
export function bar(share, label, kind = "") {
  const width = Number.isFinite(share) ? Math.min(100, Math.max(0, 100 * share)) : 0;
  return el(
    "span",
    {class: `bar ${kind}`, role: "img", "aria-label": label},
    el("span", {class: "fill", style: {width: `${width}%`}}),
  );
}

/** Shares of a whole side by side: [[kind, share, words], ...]. */
export function stack(shares, label) {
  return el(
    "span",
    {class: "bar stack", role: "img", "aria-label": label, title: label},
    shares
      .filter(([, share]) => share > 0.002)
      .map(([kind, share]) => el("span", {class: `fill ${kind}`, style: {width: `${Math.min(100, 100 * share)}%`}})),
  );
}

/** Names and values, two columns. */
export function facts(pairs) {
  return el(
    "dl",
    {class: "facts"},
    pairs
      .filter((pair) => pair !== null)
      .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** A table; rows are arrays of nodes or texts. Head cells that begin with # stand over numbers. */
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
