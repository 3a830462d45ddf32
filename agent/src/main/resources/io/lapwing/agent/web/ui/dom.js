// All content is created here, as text and never as markup: names of jobs and devices are untrusted.

/** Creates an element. Children are nodes, texts or null. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") {
      node.className = value;
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
    } else if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** Replaces the children only if the key changed, so that focus and selection are kept. */
export function show(node, key, make) {
  const text = JSON.stringify(key);
  if (node.shownKey === text) return;
  node.shownKey = text;
  node.replaceChildren(...make().filter((child) => child !== null));
}

/** Sets the text if it changed. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const SIGNS = {healthy: "✓", degraded: "▲", unknown: "?", failing: "✕", info: "i", missing: "–", hung: "?"};

/** A state as sign and word, never as colour alone. */
export function state(word, text = word) {
  return el("span", {class: `state ${word === "hung" ? "unknown" : word}`}, el("span", {class: "sign", "aria-hidden": "true"}, SIGNS[word] ?? "·"), text);
}
