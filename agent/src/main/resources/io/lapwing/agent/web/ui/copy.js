import {el, setText} from "./dom.js";

const SHOWN = 2000; // how long a button confirms

/** Copies a text; the button says whether it worked. */
async function copy(text, button, label) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    done = copySelected(text); // browsers have a clipboard only over HTTPS and on localhost
  }
  setText(button, done ? "copied" : "not copied: select the text");
  setTimeout(() => setText(button, label), SHOWN);
  return done;
}

function copySelected(text) {
  const area = el("textarea", {class: "clipboard", readonly: true, "aria-hidden": "true"});
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** A button that copies what make() returns, or resolves to. */
export function copyButton(label, make, more = {}) {
  const button = el(
    "button",
    {
      type: "button",
      class: "copy",
      ...more,
      onclick: async () => {
        try {
          await copy(await make(), button, label);
        } catch {
          setText(button, "the agent did not answer");
          setTimeout(() => setText(button, label), SHOWN);
        }
      },
    },
    label,
  );
  return button;
}
