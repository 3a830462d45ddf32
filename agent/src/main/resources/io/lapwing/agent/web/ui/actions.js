import {heading} from "./cards.js";
import {copyButton} from "./copy.js";
import {el, show} from "./dom.js";
import {supportText} from "./support.js";

let fetchedFor = "";
let data = null;
let chosen = "";
let latest = null;

/** Fetches the commands when the node needs others, or another platform was chosen. */
export async function refresh(live, get) {
  const {health} = live;
  const stamp = JSON.stringify([live.hostname, chosen, health.node, health.action, health.gpus.map((one) => one.action), health.findings.map((one) => [one.rule, one.action])]);
  if (stamp === fetchedFor) return;
  data = await get(`api/v1/actions${chosen ? `?platform=${encodeURIComponent(chosen)}` : ""}`);
  fetchedFor = stamp;
}

/** The key of what the links of other sections depend on. */
export function linkKey() {
  return data?.runbooks ?? "";
}

/** A runbook: a link where the site has a URL for them, else its name. */
export function runbook(name) {
  const base = data?.runbooks?.replace(/\/+$/, "");
  return base ? el("a", {href: `${base}/${encodeURIComponent(name)}.md`, rel: "noreferrer"}, name) : el("code", {}, name);
}

function platforms(redraw) {
  const list = el(
    "select",
    {"aria-label": "Platform", onchange: () => ((chosen = list.value), redraw())},
    data.platform ? null : el("option", {value: ""}, "choose the platform"),
    data.platforms.map((one) => el("option", {value: one.platform, selected: one.platform === data.platform}, one.title)),
  );
  return list;
}

function step(one) {
  return el(
    "div",
    {class: "step"},
    el("h3", {}, one.title),
    one.commands.map((command) => el("div", {class: "command"}, command.note ? el("p", {class: "note"}, command.note) : null, el("div", {class: "line"}, el("pre", {}, el("code", {}, command.line)), copyButton("copy", () => command.line, {"aria-label": `Copy: ${command.line}`})))),
  );
}

/** What to type on the platform of the node, and the links of the site. */
export function actions(section, live, get, redraw) {
  latest = live;
  section.hidden = data === null;
  if (section.hidden) return;
  const open = section.querySelector("details")?.open;
  show(section, [fetchedFor, data.dashboard, live.simulated], () => {
    const needed = data.steps.filter((one) => one.needed);
    const others = data.steps.filter((one) => !one.needed);
    const source = data.platform ? `${data.title} (${data.platform_source})` : `unknown platform: ${data.platform_source}`;
    return [
      heading("Commands", `${source}${live.simulated ? " · a simulated node: these are examples" : ""}`),
      ...needed.map(step),
      others.length ? el("details", {open}, el("summary", {}, `${needed.length ? "others: " : ""}${others.map((one) => one.title.toLowerCase()).join(", ")}`), others.map(step)) : null,
      el(
        "div",
        {class: "links"},
        platforms(redraw),
        copyButton("copy for AWS Support", () => supportText(latest, get)),
        data.dashboard ? el("a", {href: data.dashboard, rel: "noreferrer"}, "dashboard of this node") : null,
        el("a", {href: "api/v1/events?since=24h"}, "events (JSON)"),
      ),
    ];
  });
}
