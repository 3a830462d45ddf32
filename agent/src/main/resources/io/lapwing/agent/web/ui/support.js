// A report for a support case: hardware, driver, verdict and kernel messages. No users, jobs or pods.

import {subject} from "./verdict.js";

const HARDWARE = /^(node$|gpu:|nvswitch:|efa:)/;
const KINDS = ["xid", "sxid", "gpu_lost", "gpu_returned", "gpu_reset", "driver_loaded", "booted"];
const MAX_EVENTS = 200;

function joined(...parts) {
  return parts.filter(Boolean).join(", ");
}

function finding(one, health) {
  return `- ${one.severity}, ${one.action}: ${subject(one.subject, health)}: ${one.what} (${one.rule}), since ${one.since}${one.times > 1 ? `, ${one.times} times, last ${one.last}` : ""}`;
}

function gpu(one, health) {
  const verdict = health.gpus.find((other) => other.uuid === one.uuid)?.verdict ?? (one.present ? "" : "not present");
  return `- GPU ${one.index}: ${joined(one.name, one.uuid, one.serial && `serial ${one.serial}`, one.pciBusId && `PCI ${one.pciBusId}`, one.vbiosVersion && `VBIOS ${one.vbiosVersion}`, verdict)}`;
}

function event(one, health) {
  const of = one.gpu ? subject(`gpu:${one.gpu}`, health) : one.pci ?? one.device ?? "";
  const what = one.kind === "xid" || one.kind === "sxid" ? `${one.kind === "xid" ? "XID" : "SXid"} ${one.number}${one.times > 1 ? ` x${one.times}` : ""}` : one.kind.replaceAll("_", " ");
  return `- ${[one.at, of, what, one.message ?? one.version ?? one.reason].filter(Boolean).join(" ")}`;
}

function section(title, lines) {
  return ["", title, ...(lines.length ? lines : ["- none"])];
}

export async function supportText(live, get) {
  const node = await get("api/v1/node");
  const events = await get(`api/v1/events?limit=${MAX_EVENTS}&${KINDS.map((kind) => `kind=${kind}`).join("&")}`);
  const {health} = live;
  const id = node.node;
  const hardware = health.findings.filter((one) => HARDWARE.test(one.subject));
  const scheduled = node.maintenance.scheduled ?? [];
  return [
    `Lapwing ${live.version}: report of ${live.hostname}, ${live.at}`,
    ...(live.simulated ? ["SIMULATED NODE: this hardware does not exist."] : []),
    `Instance: ${joined(id.instanceId, id.instanceType, id.availabilityZone, id.availabilityZoneId, id.lifecycle) || "unknown"}`,
    `Driver: ${joined(node.driver.driverVersion || "unknown", node.driver.nvmlVersion && `NVML ${node.driver.nvmlVersion}`, node.driver.cudaVersion && `CUDA ${node.driver.cudaVersion}`)}`,
    `Verdict: ${health.verdict} since ${health.since}, action ${health.action}`,
    ...section("Findings:", hardware.map((one) => finding(one, health))),
    ...section("GPUs:", node.gpus.map((one) => gpu(one, health))),
    ...section("XIDs and other hardware events, newest last (UTC):", events.events.map((one) => event(one, health))),
    ...section("Scheduled EC2 events:", scheduled.map((one) => `- ${JSON.stringify(one)}`)),
    "",
  ].join("\n");
}
