import {linkKey, runbook} from "./actions.js";
import {heading} from "./cards.js";
import {el, setText, show, state} from "./dom.js";
import {between, clock, duration, words} from "./format.js";

const DO = {
  none: "no action required",
  watch: "watch",
  restart_app: "restart the application",
  restart_service: "restart the service",
  reset_gpu: "reset the GPU",
  reboot_node: "reboot this node",
  replace_node: "replace this node",
};
const WHEN = {now: "now", job_end: "when the job ends"};

/** As the agent says of a rule in its first minute. */
const NO_DATA_YET = "no data yet";

/** The slowest ranks to show; the table of ranks has all. */
const MAX_SLOW = 3;

export function action(name) {
  return DO[name] ?? words(name);
}

export function urgency(name) {
  return name ? WHEN[name] ?? words(name) : "";
}

/** The display name of a subject. */
export function subject(text, health) {
  const gpu = health.gpus.find((one) => `gpu:${one.uuid}` === text);
  if (gpu) return `GPU ${gpu.index}`;
  const [kind, ...rest] = text.split(":");
  const name = rest.join(":");
  const known = {efa: "EFA", lustre: "Lustre", lnet: "LNet", nvswitch: "NVSwitch", nccl: "NCCL", inference: "inference"};
  if (kind === "node") return "node";
  if (kind === "gpu") return name.startsWith("GPU-") ? name : `GPU ${name}`;
  if (kind === "training") {
    const [job, rank, run] = name.split("/");
    return `job ${job}${rank ? ` rank ${rank}` : ""}${run ? ` run ${run}` : ""}`;
  }
  return name ? `${known[kind] ?? kind} ${name}` : text;
}

function finding(one, report, now) {
  const health = report;
  return el(
    "li",
    {class: `finding ${one.severity}`},
    el(
      "p",
      {class: "what"},
      state(one.severity),
      el("b", {class: "subject"}, subject(one.subject, health)),
      el("span", {}, one.what),
    ),
    one.action === "none"
      ? null
      : el("p", {class: "do"}, "→ ", el("b", {}, action(one.action)), one.urgency && one.action !== "watch" ? `, ${urgency(one.urgency)}` : ""),
    el("p", {class: "why"}, one.why),
    el(
      "p",
      {class: "meta"},
      el("code", {}, one.rule),
      ` since ${clock(one.since)} (${duration(between(one.since, now))})`,
      one.times > 1 ? ` · ${one.times} times, last ${clock(one.last)}` : "",
      one.sources.length ? ` · source: ${one.sources.join(", ")}` : "",
      one.document ? ` · document: ${one.document}` : "",
      ...(one.runbook ? [" · runbook ", runbook(one.runbook)] : []),
    ),
  );
}

/** What an operator asked for a time: maintenance, released GPUs. */
function operations(health) {
  const {maintenance, gpus_released: released} = health;
  return [
    maintenance
      ? el("p", {class: "meta operation"}, el("b", {}, "In maintenance"), ` until ${clock(maintenance.until)}${maintenance.note ? `: ${maintenance.note}` : ""}`)
      : null,
    released ? el("p", {class: "meta operation"}, el("b", {}, "GPUs released"), ` until ${clock(released.until)}`) : null,
  ];
}

/** A finding that only tries the alerts. */
function test(one, health) {
  return el(
    "li",
    {class: "finding test"},
    el(
      "p",
      {class: "what"},
      el("b", {}, "TEST"),
      " ",
      el("b", {class: "subject"}, subject(one.subject, health)),
      el("span", {}, `${one.what} (until ${clock(one.until)})`),
    ),
    el("p", {class: "meta"}, el("code", {}, one.rule)),
  );
}

function rest(health) {
  const unwatched = Object.entries(health.unwatched);
  if (unwatched.length === 0) return null;
  const when = unwatched.every(([, why]) => why === NO_DATA_YET) ? "yet" : "on this node";
  return el(
    "details",
    {},
    el("summary", {}, `${unwatched.length} ${unwatched.length === 1 ? "health rule has" : "health rules have"} no data ${when}`),
    el("ul", {class: "plain"}, unwatched.map(([rule, why]) => el("li", {}, el("code", {}, rule), ` ${why}`))),
  );
}

/** What to do; nothing can be said of a node whose state is unknown. */
function todo(health) {
  if (health.verdict === "unknown" && health.findings.length === 0 && !health.unwatched.all) return el("span", {class: "todo"}, NO_DATA_YET);
  const nothing = health.action === "none" ? health.verdict !== "healthy" : health.action === "watch" && health.verdict === "unknown";
  if (nothing) return null;
  const when = health.urgency && health.action !== "watch" ? `, ${urgency(health.urgency)}` : "";
  return el("span", {class: "todo"}, action(health.action), when);
}

/** The verdict. */
export function verdict(box, live) {
  const {health} = live;
  const tick = Math.floor(Date.parse(live.at) / 10000); // every 10 s, for the durations
  box.className = health.verdict;
  show(box, [health.verdict, health.action, health.urgency, health.summary, health.findings, health.unwatched, linkKey(), health.maintenance, health.gpus_released, health.tests, tick], () => {
    const open = box.querySelector("details")?.open;
    const more = rest(health);
    if (more && open) more.open = true;
    return [
      el(
        "p",
        {class: "word", "aria-live": "polite"},
        state(health.verdict),
        todo(health),
      ),
      el("p", {class: "summary"}, health.summary),
      el("p", {class: "meta"}, `since ${clock(health.since)} (${duration(between(health.since, live.at))}) · profile ${health.profile}`),
      ...operations(health),
      health.findings.length ? el("ul", {class: "findings"}, health.findings.map((one) => finding(one, health, live.at))) : null,
      health.tests.length ? el("ul", {class: "findings"}, health.tests.map((one) => test(one, health))) : null,
      more,
    ];
  });
}

/** The time that a job loses, apart from the verdict: the node may be healthy all the same. */
export function slowness(section, live) {
  const {slow, verdict} = live.health;
  section.hidden = slow.length === 0;
  if (section.hidden) return;
  show(section, [slow, verdict], () => [
    heading("A job loses time", `in the last minute · no part of the verdict: the node is ${verdict}`),
    el("ul", {class: "findings"}, slow.slice(0, MAX_SLOW).map((one) => el("li", {class: "finding slow"}, el("p", {class: "what"}, state("degraded", "slow"), el("span", {}, one.sentence))))),
    slow.length > MAX_SLOW ? el("p", {class: "note"}, `and ${slow.length - MAX_SLOW} more ranks, below`) : null,
  ]);
}

/** The agent does not answer: the verdict is unknown, and the last state is shown as past. */
export function unreachable(box, last) {
  box.className = "unknown";
  const {health} = last ?? {};
  show(box, ["unreachable", last?.at], () => [
    el("p", {class: "word", "aria-live": "polite"}, state("unknown"), el("span", {class: "todo"}, "the agent does not answer")),
    el(
      "p",
      {class: "summary"},
      health
        ? `Last reported state, at ${clock(last.at)}: ${health.verdict}. ${health.summary}`
        : "It has not answered since the page was opened.",
    ),
    el("p", {class: "meta"}, "Is the agent running? ", el("code", {}, "systemctl status lapwing"), " · Is the node up, and is the port forwarded?"),
  ]);
}

const MARKS = {healthy: "✓", degraded: "▲", unknown: "?", failing: "✕"};

export function title(live, known) {
  const word = known ? live.health.verdict : "unknown";
  document.title = `${MARKS[word] ?? "·"} ${word} · ${live?.hostname ?? "Lapwing"}`;
  if (live) setText(document.getElementById("node"), live.hostname);
}
