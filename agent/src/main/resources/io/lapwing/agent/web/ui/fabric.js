import {bar, heading, table} from "./cards.js";
import {el, show, state} from "./dom.js";
import {number, percent, scaled, seconds, there} from "./format.js";
import {note, rateOf} from "./history.js";
import {sparkline} from "./plots.js";

function sum(rows, value) {
  const known = rows.map(value).filter(there);
  return known.length ? known.reduce((a, b) => a + b, 0) : undefined;
}

function flow(section, name, value, key, unit = "B/s") {
  return el("div", {class: "flow"}, el("span", {class: "note"}, name), el("b", {}, scaled(value, unit)), sparkline(section, key, {least: 1e6}));
}

/** The rates of an EFA device since the last reading. */
function device(row) {
  const of = (name) => rateOf(`efa/${row.device}`, row, name);
  const packets = of("tx_packets");
  const retransmitted = of("retransmitted_packets");
  return {
    row,
    tx: of("tx_bytes"),
    rx: of("rx_bytes"),
    packets,
    retransmitted,
    share: packets > 0 ? retransmitted / packets : packets === 0 ? 0 : undefined,
    timeouts: of("timeouts"),
    drops: of("rx_drops"),
  };
}

export function efa(section, live) {
  section.hidden = live.efa.length === 0;
  if (section.hidden) return;
  const devices = live.efa.map(device);
  const flagged = new Map(live.health.findings.filter((one) => one.subject.startsWith("efa:")).map((one) => [one.subject.slice(4), one]));
  const up = devices.filter((one) => one.row.up === 1).length;
  const tx = sum(devices, (one) => one.tx);
  const rx = sum(devices, (one) => one.rx);
  const packets = sum(devices, (one) => one.packets);
  const share = packets > 0 ? sum(devices, (one) => one.retransmitted) / packets : packets;
  const open = section.querySelector("details")?.open;
  note("efa/tx", tx);
  note("efa/rx", rx);
  show(section, [live.efa, [...flagged]], () => [
    heading("EFA", `${up} of ${devices.length} answer · retransmitted ${percent(share, 3)} of packets`),
    el("div", {class: "flows"}, flow(section, "sent", tx, "efa/tx"), flow(section, "received", rx, "efa/rx")),
    el("ul", {class: "cells", "aria-label": "EFA devices, sent and received as a share of their speed"}, devices.map((one) => cell(one, flagged.get(one.row.device)))),
    el("p", {class: "note"}, "one box for each device; the filled part is the share of its speed in use"),
    el(
      "details",
      {open},
      el("summary", {}, "all devices"),
      table(
        "EFA devices",
        ["device", "GPUs", "#sent", "#received", "#retransmitted", "#timeouts", "#drops"],
        devices.map((one) => [
          el("span", {}, one.row.up === 1 ? "" : state("failing", "no answer"), ` ${one.row.device}`),
          one.row.nearest_gpus ?? "–",
          scaled(one.tx, "B/s"),
          scaled(one.rx, "B/s"),
          percent(one.share, 3),
          number(one.row.timeouts),
          number(one.row.rx_drops),
        ]),
      ),
    ),
  ]);
}

function cell(one, finding) {
  const {row} = one;
  const word = row.up !== 1 ? "failing" : finding?.severity ?? "healthy";
  const share = Math.max(one.tx ?? 0, one.rx ?? 0) / (row.rate_bytes_per_second || Infinity);
  const words = `${row.device}: ${row.up === 1 ? `sends ${scaled(one.tx, "B/s")}, receives ${scaled(one.rx, "B/s")}` : "no answer"}${finding ? `, ${finding.rule}` : ""}`;
  return el(
    "li",
    {class: `cell ${word}`, title: words, "aria-label": words},
    el("span", {class: "level", style: {height: `${Math.min(100, 100 * share)}%`}}),
    word === "healthy" ? null : el("span", {class: "sign", "aria-hidden": "true"}, word === "failing" ? "✕" : word === "unknown" ? "?" : "▲"),
  );
}

export function lustre(section, live) {
  section.hidden = live.lustre.length === 0 && live.lustre_targets.length === 0 && live.lnet.length === 0;
  if (section.hidden) return;
  const open = section.querySelector("details")?.open;
  const rates = live.lustre.map((fs) => ({
    fs,
    read: rateOf(`lustre/${fs.fs}`, fs, "read_bytes"),
    written: rateOf(`lustre/${fs.fs}`, fs, "written_bytes"),
  }));
  const targets = live.lustre_targets.map((one) => {
    const key = `lustre/${one.fs}/${one.target}`;
    const rpcs = rateOf(key, one, "rpcs");
    const waited = rateOf(key, one, "rpc_wait_seconds");
    return {...one, perSecond: rpcs, wait: rpcs > 0 ? waited / rpcs : undefined};
  });
  for (const {fs, read, written} of rates) {
    note(`lustre/${fs.fs}/read`, read);
    note(`lustre/${fs.fs}/written`, written);
  }
  const flaggedTargets = new Set(live.health.findings.filter((one) => one.subject.startsWith("lustre:")).map((one) => one.subject.slice(7)));
  show(section, [live.lustre, live.lustre_targets, live.lnet, [...flaggedTargets]], () => [
    heading("Lustre", live.lnet.map((ni) => `LNet ${ni.nid} ${ni.up === 1 ? "up" : "DOWN"}, min credits ${number(ni.tx_credits_min)}`).join(" · ")),
    ...rates.map(({fs, read, written}) => fileSystem(section, fs, read, written)),
    el("ul", {class: "targets", "aria-label": "Lustre targets"}, targets.map((one) => target(one, flaggedTargets))),
    el(
      "details",
      {open},
      el("summary", {}, "all targets"),
      table(
        "Lustre targets",
        ["target", "state", "#requests/s", "#mean wait", "#in flight", "#timeouts", "#evictions"],
        targets.map((one) => [`${one.fs} ${one.target}`, one.state ?? "–", number(one.perSecond, 1), seconds(one.wait), `${number(one.rpcs_in_flight)} of ${number(one.rpcs_in_flight_limit)}`, number(one.rpc_timeouts), number(one.evictions)]),
      ),
    ),
  ]);
}

function fileSystem(section, fs, read, written) {
  const used = fs.size_bytes > 0 ? 1 - fs.available_bytes / fs.size_bytes : undefined;
  return el(
    "div",
    {},
    el("p", {class: "fs"}, el("b", {}, fs.fs), el("span", {}, ` ${number(fs.targets)} targets · ${scaled(fs.available_bytes, "B")} of ${scaled(fs.size_bytes, "B")} free`)),
    bar(used, `${percent(used)} of ${fs.fs} used`),
    el("div", {class: "flows"}, flow(section, "read", read, `lustre/${fs.fs}/read`), flow(section, "written", written, `lustre/${fs.fs}/written`)),
  );
}

function target(one, flaggedTargets) {
  const bad = one.connected !== 1;
  const flagged = bad || flaggedTargets.has(`${one.fs}-${one.target}`) || flaggedTargets.has(one.target);
  const name = one.target.replace(/0{2,3}(?=\d+$)/, "");
  return el(
    "li",
    {class: `chip ${flagged ? "degraded" : ""}`, title: `${one.fs} ${one.target}: ${one.state ?? "?"}`},
    flagged ? el("span", {class: "sign", "aria-hidden": "true"}, bad ? "✕ " : "▲ ") : null,
    name,
    el("span", {class: "note"}, bad ? ` ${one.state ?? "disconnected"}` : there(one.wait) ? ` ${seconds(one.wait)}` : ""),
  );
}
