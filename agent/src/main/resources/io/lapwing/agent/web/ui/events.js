import {heading} from "./cards.js";
import {el, show, state} from "./dom.js";
import {clock, words} from "./format.js";
import {action, subject} from "./verdict.js";

const SHOWN = 60;
let fetchedFor = "";
let events = [];
let matching = 0;

function subjectOf(event, health) {
  if (event.subject) return subject(event.subject, health);
  if (event.gpu) return subject(`gpu:${event.gpu}`, health);
  return event.device ?? "";
}

/** When an operation of an operator ends, with the date if that is another day. */
function until(event) {
  return clock(event.until, Date.parse(event.at));
}

/** Severity and text of an event; unknown kinds list all members. */
function sentence(event, health) {
  const of = subjectOf(event, health);
  switch (event.kind) {
    case "started":
      return ["info", `agent started, version ${event.version}`];
    case "booted":
      return ["info", "node booted"];
    case "driver_loaded":
      return ["info", `driver loaded, version ${event.version}`];
    case "xid":
      return ["degraded", `XID ${event.number} on ${of || event.pci}${event.times > 1 ? `, ${event.times} times` : ""}${event.process ? ` (${event.process})` : ""}`, event.message];
    case "sxid":
      return ["degraded", `SXid ${event.number} of ${of || event.pci}`, event.message];
    case "host_fault":
      return ["degraded", `${words(event.fault)}${event.device ? ` of ${event.device}` : ""}${event.times > 1 ? `, ${event.times} times` : ""}${event.process ? ` (${event.process})` : ""}`, event.message];
    case "ecc_growth":
      return ["info", `${of}: ${event.corrected ? "corrected" : "uncorrectable"} ECC errors from ${event.from} to ${event.to}`];
    case "rows_remapped":
      return ["info", `${of}: rows remapped, ${event.uncorrectable} uncorrectable and ${event.correctable} correctable in total`];
    case "gpu_lost":
      return ["failing", `${of} is lost`, event.reason];
    case "gpu_returned":
      return ["healthy", `${of} is back`];
    case "gpu_reset":
      return ["info", `${of} was reset`, event.sign];
    case "application_ended":
      return ["info", `an application on ${of} ended${event.pid ? ` (pid ${event.pid})` : ""}`];
    case "finding_opened":
      return [event.severity, `${of}: ${event.what || event.rule}`, event.action === "none" ? event.rule : `${event.rule} → ${action(event.action)}`];
    case "finding_escalated":
      return [event.severity, `${of}: ${event.rule} is ${event.severity} now`, event.action === "none" ? "" : `→ ${action(event.action)}`];
    case "finding_closed":
      return ["healthy", `${of}: ${event.rule} resolved`, event.why];
    case "verdict_changed":
      return [event.to, `${of} is ${event.to}${event.from ? `, was ${event.from}` : ""}`, event.action === "none" ? "" : `→ ${action(event.action)}`];
    case "gpu_removed":
      return ["info", `${of} is no longer in the machine`];
    case "machine_replaced":
      return ["info", "all GPUs are others: the machine was replaced", `${event.gone} gone`];
    case "maintenance_started":
      return ["info", `maintenance until ${until(event)}`, event.note];
    case "maintenance_ended":
      return ["info", "maintenance ended", event.why];
    case "gpus_released":
      return ["info", `GPUs released until ${until(event)}`];
    case "gpus_reopened":
      return ["info", "GPUs taken back", event.why];
    case "test_finding":
      return ["info", `test finding ${event.rule} on ${of} until ${until(event)}`, `${event.severity} → ${action(event.action)}`];
    case "test_finding_ended":
      return ["info", `test finding ${event.rule} on ${of} ended`, event.why];
    case "operator_cleared":
      return ["info", `an operator cleared ${event.rule} of ${of}`, event.note];
    default: {
      const {kind, at, ...rest} = event;
      return ["info", words(kind), Object.entries(rest).map(([name, value]) => `${words(name)} ${value}`).join(", ")];
    }
  }
}

/** Hides internal bookkeeping events and initial healthy states. */
function isShown(event) {
  switch (event.kind) {
    case "kernel_log_read":
    case "gpu_seen":
      return false;
    case "rows_remapped":
      return event.correctable + event.uncorrectable > 0;
    case "verdict_changed":
      return event.subject === "node" || event.from || event.to !== "healthy";
    default:
      return true;
  }
}

/** Fetches events only if there are new ones. */
export async function refresh(live, get) {
  const stamp = `${live.hostname}/${live.events.kept}/${live.events.last}`;
  if (stamp === fetchedFor) return;
  const answer = await get(`api/v1/events?limit=${3 * SHOWN}`);
  // Events of an earlier time may be stored later: a restarted agent reads the kernel log again.
  events = answer.events.filter(isShown).reverse().sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  matching = answer.matching;
  fetchedFor = stamp;
}

/** The newest events as lines; consecutive duplicates are counted. */
function toLines(live) {
  const lines = [];
  for (const event of events) {
    const [severity, text, more = ""] = sentence(event, live.health);
    const word = ["healthy", "degraded", "unknown", "failing"].includes(severity) ? severity : "info";
    const before = lines.at(-1);
    if (before?.text === text && before.more === more) before.times++;
    else if (lines.length < SHOWN) lines.push({event, word, text, more, times: 1});
  }
  return lines;
}

export function timeline(section, live) {
  section.hidden = events.length === 0;
  if (section.hidden) return;
  const lines = toLines(live);
  const shown = lines.reduce((sum, line) => sum + line.times, 0);
  show(section, [fetchedFor, live.health.gpus.map((gpu) => [gpu.index, gpu.uuid])], () => [
    heading("Events", `newest first · ${shown} of ${matching} stored · times in UTC`),
    el(
      "ol",
      {class: "timeline", tabindex: "0", "aria-label": "Events, newest first"},
      lines.map(({event, word, text, more, times}) =>
        el(
          "li",
          {},
          el("time", {datetime: event.at}, clock(event.at, Date.parse(live.at))),
          state(word, ""),
          el("span", {}, text, times > 1 ? el("b", {}, ` ×${times}`) : null, more ? el("span", {class: "more"}, ` ${more}`) : null),
        ),
      ),
    ),
  ]);
}
