import {heading, table} from "./cards.js";
import {el, setText, show, state} from "./dom.js";
import {between, duration, number, percent, seconds, there} from "./format.js";
import {rateOf} from "./history.js";

const STATES = {hung: "unknown", down: "degraded", broken: "degraded", starting: "info", released: "info"};
let node = null;

/** The agent: version, time of the last evaluation, pressure, and sources that do not answer. */
export function agent(section, live, get) {
  section.hidden = false;
  const age = between(live.health.at, live.at);
  const pressure = live.host
    .filter((row) => row.tasks === "some")
    .map((row) => `${row.resource} ${percent(rateOf(`host/${row.resource}`, row, "seconds"), 1)}`);
  // An operator asked for it: no fault.
  const released = (one) => live.health.gpus_released && one.state === "down" && /^(nvml|gpu.*)$/.test(one.source);
  const problems = live.troubles.map((one) => (released(one) ? {...one, state: "released"} : one));
  const open = section.querySelector("details")?.open;
  const sources = el("div", {class: "sources"});
  show(section, [live.version, Math.round(age / 5), problems, pressure.join()], () => [
    heading("Agent", `Lapwing ${live.version} · last evaluated ${there(age) ? duration(age) : "–"} ago${pressure.length ? ` · pressure: ${pressure.join(", ")}` : ""}`),
    problems.length === 0
      ? el("p", {}, state("healthy", "all sources answer"))
      : el("ul", {class: "plain"}, problems.map((one) => el("li", {}, state(STATES[one.state] ?? "info", one.state), " ", el("b", {}, one.source), one.collector ? ` ${one.collector}` : "", one.state === "hung" ? ` for ${duration(one.hung_seconds)}` : "", one.why ? `: ${one.why}` : ""))),
    el("details", {open, ontoggle: (event) => event.target.open && load(sources, get)}, el("summary", {}, "all sources and collectors"), sources),
  ]);
}

async function load(box, get) {
  try {
    const report = await get("api/v1/node");
    box.replaceChildren(
      table(
        "sources and collectors",
        ["source", "state", "collector", "#age", "#took", "#series"],
        report.sources.flatMap((source) =>
          source.collectors.length === 0
            ? [[source.name, source.state, source.why, "", "", ""]]
            : source.collectors.map((one, at) => [at === 0 ? source.name : "", at === 0 ? source.state : "", `${one.name}${one.state === "collected" ? "" : ` ${one.state} ${one.why}`}`, `${duration(one.age)} ago`, seconds(one.took), number(one.series)]),
        ),
      ),
    );
  } catch {
    box.replaceChildren(el("p", {class: "note"}, "the agent did not answer; close and reopen to retry"));
  }
}

/** Identity of the node; cached until host, version or number of GPUs change. */
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
  setText(document.getElementById("machine"), node.machine);
  return node;
}
