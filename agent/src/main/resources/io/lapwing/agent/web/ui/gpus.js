import {bar, facts} from "./cards.js";
import {el, setText, show, state} from "./dom.js";
import {clock, duration, gibibytes, number, percent, there, words} from "./format.js";
import {length, note, past} from "./history.js";
import {holder} from "./holders.js";
import {draw, plot} from "./plots.js";
import {action, subject} from "./verdict.js";

/** Throttle reasons worth showing; power cap and idle are not. */
const THROTTLES = {sw_thermal: "heat", hw_thermal: "heat", hw_slowdown: "hardware slowdown", hw_power_brake: "power brake", sync_boost: "sync boost group"};

const tiles = new Map();
const dialog = document.getElementById("details");
let opened = null;
let latest = new Map();

/** A GPU: its verdict, its row, or the reason why it has none. */
function view(health, row, live) {
  const problem =
    live.troubles.find((one) => one.source === "nvml" && one.state === "hung") ??
    live.troubles.find((one) => one.source === `gpu${health.index}` && one.collector === "");
  const hung = problem?.state === "hung";
  const gone = !hung && row?.up !== 1;
  const released = gone ? live.health.gpus_released : null;
  return {
    index: health.index,
    uuid: health.uuid,
    health,
    row: hung || gone ? {gpu: String(health.index), UUID: health.uuid, job_id: row?.job_id, job_name: row?.job_name, user: row?.user, xids: row?.xids, name: row?.name, serial: row?.serial} : row,
    hung,
    since: hung ? hungSince(live, problem) : "",
    gone,
    released,
    why: problem?.why ?? "",
    hardware: (live.health.hardware ?? []).find((one) => one.subject === `gpu:${health.uuid}`),
    findings: live.health.findings.filter((one) => one.subject === `gpu:${health.uuid}`),
    ranks: ranksOn(live, String(health.index)),
    instances: hung || gone ? [] : instancesOf(live, health.uuid),
    sources: live.job_sources,
  };
}

/** The ranks on a GPU and on its MIG instances, those that are not verified behind the others. */
function ranksOn(live, index) {
  const ranks = live.training.filter((one) => one.gpu.split("/")[0] === index);
  return [...ranks.filter((one) => one.verified !== 0), ...ranks.filter((one) => one.verified === 0)];
}

function rank(one) {
  const job = subject(`training:${one.job_id}`, {gpus: []});
  return `${one.rank} of ${job}${one.GPU_I_ID ? ` on instance ${one.GPU_I_ID}` : ""}${one.verified === 0 ? ", not verified" : ""}`;
}

/** The MIG instances of a GPU. A job of the whole GPU is not repeated. */
function instancesOf(live, uuid) {
  const instances = (live.gpu_instances ?? []).filter((one) => one.UUID === uuid);
  return instances.sort((a, b) => a.GPU_I_ID - b.GPU_I_ID).map((one) => {
    const active = there(one.sm_active) ? `SMs active ${percent(one.sm_active)}` : "";
    const memory = there(one.memory_used_mebibytes) ? `${gibibytes(one.memory_used_mebibytes)} of ${gibibytes(one.memory_mebibytes)} GiB` : "";
    const job = one.job_id || one.pod ? holder(one) : there(one.allocated) ? (one.allocated === 1 ? "allocated" : "free") : "";
    return [one.GPU_I_ID, one.GPU_I_PROFILE, active, memory, job].filter(Boolean).join(" · ");
  });
}

/** Once SM activity was reported, a poll without it is a gap; do not fall back to utilization. */
let profiled = false;

function activity(row) {
  if (profiled) return row.sm_active;
  return there(row.utilization_percent) ? row.utilization_percent / 100 : undefined;
}

function activityName() {
  return profiled ? "SMs active" : "utilization";
}

function notes(gpu) {
  const {row} = gpu;
  const all = [];
  for (const [xid, times] of Object.entries(row.xids ?? {})) all.push(`XID ${xid}${times > 1 ? ` ×${times}` : ""}`);
  if (row.ecc_uncorrectable > 0) all.push(`${row.ecc_uncorrectable} uncorrectable ECC`);
  if (row.row_remap_failure > 0) all.push("row remap failed");
  if (row.row_remap_pending > 0) all.push("row remap pending until reset");
  if (row.rows_remapped_uncorrectable > 0) all.push(`${row.rows_remapped_uncorrectable} rows remapped`);
  if (there(row.nvlinks) && row.nvlinks_up < row.nvlinks) all.push(`NVLinks ${row.nvlinks_up} of ${row.nvlinks}`);
  if (gpu.hardware) all.push(`${gpu.hardware.episodes} hardware ${gpu.hardware.episodes === 1 ? "fault" : "faults"} in 90 days`);
  const reasons = Object.keys(row.clock_events ?? {}).filter((reason) => !/idle|setting|power_cap|display/.test(reason));
  if (reasons.length) all.push(`throttled: ${reasons.map((reason) => THROTTLES[reason] ?? words(reason)).join(", ")}`);
  for (const one of gpu.findings) if (!one.rule.startsWith("xid_")) all.push(one.rule.replaceAll("_", " "));
  return [...new Set(all)];
}

function make(index) {
  const parts = {
    head: el("span", {class: "tile-head"}),
    big: el("span", {class: "big"}),
    unit: el("span", {class: "unit"}),
    spark: el("span", {class: "spark", "aria-hidden": "true"}),
    lines: el("span", {class: "lines"}),
    notes: el("span", {class: "notes"}),
  };
  const tile = el(
    "button",
    {type: "button", class: "tile", "data-gpu": String(index), "aria-haspopup": "dialog", onclick: () => open(index)},
    parts.head,
    el("span", {class: "now"}, parts.big, parts.unit),
    parts.spark,
    parts.lines,
    parts.notes,
  );
  return {tile, parts};
}

function fill({tile, parts}, gpu) {
  const {row, health} = gpu;
  const word = gpu.hung ? "unknown" : health.verdict;
  tile.className = `tile ${gpu.released ? "" : word}${gpu.hung ? " hung" : gone(gpu)}`;
  show(parts.head, [gpu.index, word, gpu.hung, gpu.released], () => [el("b", {}, `GPU ${gpu.index}`), gpu.released ? state("info", "released") : state(word, gpu.hung ? "hung" : word)]);
  if (gpu.hung) {
    setText(parts.big, "hung");
    setText(parts.unit, gpu.since);
  } else if (gpu.released) {
    setText(parts.big, "released");
    setText(parts.unit, `until ${clock(gpu.released.until)}`);
  } else if (gpu.gone) {
    setText(parts.big, "no answer");
    setText(parts.unit, gpu.why);
  } else {
    setText(parts.big, percent(activity(row)));
    setText(parts.unit, activityName());
  }
  const blind = gpu.hung || gpu.gone;
  parts.spark.hidden = blind;
  show(parts.lines, [row.celsius, row.watts, row.watts_limit, row.memory_used_mebibytes, row.memory_mebibytes, blind, gpu.instances.length, holder(row, gpu.sources)], () => [
    blind ? null : el("span", {}, `${number(row.celsius, 0, " °C")} · ${number(row.watts)}/${number(row.watts_limit, 0, " W")}`),
    blind ? null : bar(row.memory_used_mebibytes / row.memory_mebibytes, "memory in use"),
    blind ? null : el("span", {}, `${gibibytes(row.memory_used_mebibytes)} of ${gibibytes(row.memory_mebibytes)} GiB`),
    gpu.instances.length ? el("span", {}, `${gpu.instances.length} MIG ${gpu.instances.length === 1 ? "instance" : "instances"}`) : null,
    el("span", {class: "job"}, holder(row, gpu.sources)),
  ]);
  show(parts.notes, notes(gpu), () => notes(gpu).map((text) => el("span", {class: "chip"}, text)));
}

function gone(gpu) {
  return gpu.gone ? " gone" : "";
}

function record(gpu) {
  const {row, uuid} = gpu;
  note(`${uuid}/active`, activity(row));
  note(`${uuid}/tensor`, row.tensor_active);
  note(`${uuid}/celsius`, row.celsius);
  note(`${uuid}/watts`, row.watts);
  note(`${uuid}/memory`, row.memory_used_mebibytes);
}

/** One tile per known and per expected GPU. */
export function gpus(section, live, expected) {
  profiled ||= live.gpus.some((row) => there(row.sm_active));
  const rows = new Map(live.gpus.map((row) => [row.UUID, row]));
  const all = live.health.gpus.map((health) => view(health, rows.get(health.uuid), live)).sort((a, b) => a.index - b.index);
  const nvml = live.troubles.find((one) => one.source === "nvml");
  section.hidden = all.length === 0 && !expected && !nvml;
  latest = new Map(all.map((gpu) => [gpu.index, gpu]));
  const box = document.getElementById("tiles");
  for (const gpu of all) {
    if (!tiles.has(gpu.index)) {
      const made = make(gpu.index);
      tiles.set(gpu.index, made);
      made.plot = plot(made.parts.spark, `${gpu.uuid}/active`, {range: [0, 1]});
    }
    tiles.get(gpu.index).plot.key = `${gpu.uuid}/active`;
    record(gpu);
    fill(tiles.get(gpu.index), gpu);
  }
  const missing = unseen(all, expected);
  const {gpus_released: released} = live.health;
  const why = nvml?.state === "hung" ? hungSince(live, nvml) : released ? `released until ${clock(released.until)}` : nvml ? `the driver does not answer: ${nvml.why}` : "expected, but not found by the driver";
  show(box, [all.map((gpu) => gpu.index), missing, why], () => [...all.map((gpu) => tiles.get(gpu.index).tile), ...missing.map((index) => placeholder(index, why, nvml?.state === "hung", released))].sort((a, b) => a.dataset.gpu - b.dataset.gpu));
  setText(document.getElementById("gpus-note"), summary(all, nvml, released));
  if (opened !== null) detail();
}

/** Places in the order of the tiles for the missing GPUs: NVML numbers those that it finds without gaps. */
function unseen(all, expected) {
  return Array.from({length: Math.max(0, (expected ?? 0) - all.length)}, (_, index) => 1000 + index);
}

function placeholder(index, why, hung, released) {
  return el(
    "div",
    {class: `tile ${hung ? "unknown hung" : released ? "gone" : "missing"}`, "data-gpu": String(index)},
    el("span", {class: "tile-head"}, el("b", {}, "a GPU"), hung ? state("hung") : released ? state("info", "released") : state("missing")),
    hung ? el("span", {class: "big"}, "hung") : null,
    el("span", {class: "unit"}, why),
  );
}

function hungSince(live, problem) {
  return `for ${duration(problem.hung_seconds)}, since ${clock(Date.parse(live.at) - 1000 * problem.hung_seconds)}`;
}

function summary(all, nvml, released) {
  if (nvml?.state === "hung") return `The driver hangs: no NVML call has returned for ${duration(nvml.hung_seconds)}. The state of the GPUs is unknown.`;
  if (released) return `The GPUs are released until ${clock(released.until)}: the agent has closed them.`;
  if (nvml) return `The driver does not answer: ${nvml.why}`;
  const seen = length();
  const range = seen < 60 ? " · sparklines start when the page is opened" : ` · sparklines show the last ${duration(seen)}`;
  const answering = all.filter((gpu) => !gpu.hung && !gpu.gone);
  const known = answering.length > 0 && answering.every((gpu) => there(gpu.row.watts));
  const power = known ? ` · ${(answering.reduce((sum, gpu) => sum + gpu.row.watts, 0) / 1000).toFixed(1)} kW` : "";
  return `${answering.length} of ${all.length} answer${power}${range}`;
}

const PLOTS = [
  ["active", "active", (v) => percent(v), {range: [0, 1]}],
  ["tensor", "tensor pipe active", (v) => percent(v), {range: [0, 1]}],
  ["watts", "power", (v) => `${v.toFixed(0)} W`, {least: 100}],
  ["celsius", "core temperature", (v) => `${v.toFixed(0)} °C`, {least: 50}],
  ["memory", "memory in use", (v) => `${(v / 1024).toFixed(0)} GiB`, {least: 1024}],
];

function open(index) {
  opened = index;
  const gpu = latest.get(index);
  const charts = PLOTS.filter(([name]) => past(`${gpu.uuid}/${name}`)[1].some((v) => v !== null)).map(([name, label, text, more]) => {
    const box = el("div", {class: "chart"});
    return {box: el("figure", {}, el("figcaption", {}, name === "active" ? activityName() : label, " ", el("b", {"data-of": name})), box), plot: plot(box, `${gpu.uuid}/${name}`, {height: 130, axes: true, text, ...more})};
  });
  dialog.replaceChildren(
    el("div", {class: "dialog-head"}, el("h2", {id: "details-title"}, `GPU ${index}`), el("button", {type: "button", onclick: () => dialog.close(), "aria-label": "Close"}, "✕ close")),
    el("div", {class: "dialog-facts"}),
    el("div", {class: "charts"}, charts.map((one) => one.box)),
  );
  dialog.showModal();
  detail();
  draw();
}

dialog.addEventListener("close", () => {
  tiles.get(opened)?.tile.focus();
  opened = null;
  dialog.replaceChildren();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

function detail() {
  const gpu = latest.get(opened);
  const box = dialog.querySelector(".dialog-facts");
  if (!gpu || !box) return;
  const {row, health} = gpu;
  for (const [name, , text] of PLOTS) {
    const value = past(`${gpu.uuid}/${name}`)[1].at(-1);
    const caption = dialog.querySelector(`[data-of="${name}"]`);
    if (caption) setText(caption, there(value) ? text(value) : "–");
  }
  show(box, [row, health, gpu.findings, gpu.ranks.map(rank), gpu.instances, gpu.hung, gpu.gone, gpu.released], () => [
    el("p", {class: "what"}, state(gpu.hung ? "unknown" : health.verdict, gpu.hung ? "hung" : health.verdict), health.action === "none" ? null : el("b", {}, action(health.action)), gpu.hung || gpu.gone ? el("span", {}, gpu.hung ? `${gpu.since}, ${gpu.why}` : gpu.released ? `released until ${clock(gpu.released.until)}` : `no answer ${gpu.why}`) : null),
    gpu.findings.length ? el("ul", {class: "plain"}, gpu.findings.map((one) => el("li", {}, el("code", {}, one.rule), ` ${one.what}`))) : null,
    facts([
      ["model", row.name ?? "–"],
      ["UUID", health.uuid],
      ["PCI address", health.pci || "–"],
      ["serial", row.serial ?? "–"],
      ["job", holder(row, gpu.sources) || "–"],
      [gpu.ranks.length > 1 ? "ranks" : "rank", gpu.ranks.map(rank).join("; ") || "–"],
      ...(gpu.instances.length ? [["MIG instances", el("ul", {class: "plain"}, gpu.instances.map((one) => el("li", {}, one)))]] : []),
      ["clock", `${number(row.sm_megahertz)} of ${number(row.sm_megahertz_max, 0, " MHz")}`],
      ["memory temperature", number(row.memory_celsius, 0, " °C")],
      ["until slowdown", number(row.celsius_to_slowdown, 0, " °C")],
      ["memory interface active", percent(row.dram_active)],
      ["NVLinks", there(row.nvlinks) ? `${row.nvlinks_up} of ${row.nvlinks} up` : "–"],
      ["ECC since driver load", `${number(row.ecc_uncorrectable)} uncorrectable, ${number(row.ecc_correctable)} corrected`],
      ["rows remapped", `${number(row.rows_remapped_uncorrectable)} uncorrectable, ${number(row.rows_remapped_correctable)} correctable`],
      ["XIDs since boot", Object.entries(row.xids ?? {}).map(([xid, times]) => `${xid} ×${times}`).join(", ") || "none"],
    ]),
  ]);
}
