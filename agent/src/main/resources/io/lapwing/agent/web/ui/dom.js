// Everything that stands on the page goes through here, and text stays text: a job or a device may be called
// anything, markup included.

/** An element. Children are nodes, texts, or nothing. */
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

/** Puts other children in, but only where what they say has changed: focus and selection stay. */
export function show(node, key, make) {
  const text = JSON.stringify(key);
  if (node.shownKey === text) return;
  node.shownKey = text;
  node.replaceChildren(...make().filter((child) => child !== null));
}

/** Sets a text without touching the page where it is the same. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const SIGNS = {healthy: "✓", degraded: "▲", unknown: "?", failing: "✕", info: "i", missing: "–", hung: "?"};

/** A state as sign and word: never as a colour alone. */
export function state(word, text = word) {
  return el("span", {class: `state ${word === "hung" ? "unknown" : word}`}, el("span", {class: "sign", "aria-hidden": "true"}, SIGNS[word] ?? "·"), text);
}
