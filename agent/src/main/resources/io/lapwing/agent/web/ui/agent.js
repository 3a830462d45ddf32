import {heading, table} from "./cards.js";
import {el, say, show, state} from "./dom.js";
import {between, duration, number, percent, seconds, there} from "./format.js";
import {rate} from "./history.js";

const WORDS = {hung: "unknown", down: "degraded", broken: "degraded", starting: "info"};
let node = null;

/** What the agent says of itself, and which of its sources do not answer. */
export function agent(section, live, get) {
  section.hidden = false;
  const age = between(live.health.at, live.at);
  const waits = live.host
    .filter((row) => row.tasks === "some")
    .map((row) => `${row.resource} ${percent(rate(`host/${row.resource}`, row.seconds, row.counted_at), 1)}`);
  const troubles = live.troubles;
  const open = section.querySelector("details")?.open;
  const sources = el("div", {class: "sources"});
  show(section, [live.version, Math.round(age / 5), troubles, waits.join()], () => [
    heading("Agent", `Lapwing ${live.version} · judged ${there(age) ? duration(age) : "–"} ago${waits.length ? ` · tasks waited for ${waits.join(", ")}` : ""}`),
    troubles.length === 0
      ? el("p", {}, state("healthy", "every source answers"))
      : el("ul", {class: "plain"}, troubles.map((one) => el("li", {}, state(WORDS[one.state] ?? "info", one.state), " ", el("b", {}, one.source), one.collector ? ` ${one.collector}` : "", one.state === "hung" ? ` for ${duration(one.hung_seconds)}` : "", one.why ? `: ${one.why}` : ""))),
    el("details", {open, ontoggle: (event) => event.target.open && load(sources, get)}, el("summary", {}, "each source and collector"), sources),
  ]);
}

async function load(box, get) {
  try {
    const report = await get("api/v1/node");
    box.replaceChildren(
      table(
        "sources and collectors",
        ["source", "state", "collector", "#read", "#took", "#series"],
        report.sources.flatMap((source) =>
          source.collectors.length === 0
            ? [[source.name, source.state, source.why, "", "", ""]]
            : source.collectors.map((one, at) => [at === 0 ? source.name : "", at === 0 ? source.state : "", `${one.name}${one.state === "collected" ? "" : ` ${one.state} ${one.why}`}`, `${duration(one.age)} ago`, seconds(one.took), number(one.series)]),
        ),
      ),
    );
  } catch {
    box.replaceChildren(el("p", {class: "note"}, "the agent did not answer; close this and open it again"));
  }
}

/** What the node is; asked for once, and again where the agent may have learnt more. */
export async function identity(live, get) {
  const stamp = `${live.hostname}/${live.version}/${live.health.gpus.length}`;
  if (node?.stamp === stamp) return node;
  const report = await get("api/v1/node");
  const {instanceType, instanceId, availabilityZone} = report.node;
  node = {
    stamp,
    expected: report.expected.gpus ?? report.expected.instanceType?.gpus,
    machine: [instanceType, availabilityZone, instanceId, report.driver.driverVersion && `driver ${report.driver.driverVersion}`].filter(Boolean).join(" · "),
  };
  say(document.getElementById("machine"), node.machine);
  return node;
}
