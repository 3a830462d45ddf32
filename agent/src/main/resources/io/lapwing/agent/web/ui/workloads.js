import {bar, heading, stack, table} from "./cards.js";
import {el, show, state} from "./dom.js";
import {duration, number, percent, scaled, seconds, there, words} from "./format.js";
import {note, rateOf} from "./history.js";
import {sparkline} from "./plots.js";

const KINDS = [
  ["compute", "compute_seconds", "compute"],
  ["input", "input_wait_seconds", "input wait"],
  ["network", "communication_wait_seconds", "communication wait"],
  ["checkpoint", "checkpoint_seconds", "checkpoint"],
];

/** How a rank spent its step time since the last reading; over all steps before the second reading. */
function rank(row, slow) {
  const key = `rank/${row.job_id}/${row.run}/${row.rank}/${row.local_rank}`;
  const of = (name) => rateOf(key, row, name);
  const steps = of("steps");
  const busy = of("step_seconds");
  const shares = KINDS.map(([kind, name, text]) => {
    const part = of(name);
    return [kind, busy > 0 ? part / busy : row.step_seconds > 0 ? row[name] / row.step_seconds : NaN, text];
  }).filter(([, share]) => there(share));
  const step = steps > 0 ? busy / steps : row.usual_step_seconds;
  const known = shares.reduce((total, [, share]) => total + share, 0);
  const label = shares.map(([, share, text]) => `${text} ${percent(share)}`).join(", ");
  return {row, step, shares: [...shares, ["other", Math.max(0, 1 - known), "other"]], label, slow};
}

function slowness(live, row) {
  const names = [`training:${row.job_id}/${row.rank}`, `training:${row.job_id}/${row.rank}/${row.run}`];
  return live.health.slow.find((one) => names.includes(one.subject));
}

function mean(values) {
  const known = values.filter(there);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : undefined;
}

export function training(section, live) {
  section.hidden = live.training.length === 0;
  if (section.hidden) return;
  const jobs = new Map();
  for (const row of live.training) {
    const name = `${row.job_id ?? "-"}${row.run ? ` · ${row.run}` : ""}${row.verified === 0 ? " · not verified" : ""}`;
    jobs.set(name, [...(jobs.get(name) ?? []), rank(row, slowness(live, row))]);
  }
  for (const [name, ranks] of jobs) {
    note(`job/${name}/step`, mean(ranks.map((one) => one.step)));
    note(`job/${name}/tokens`, ranks.reduce((all, one) => all + (one.row.tokens_per_second ?? 0), 0));
  }
  const verifiedFirst = [...jobs].sort(([, a], [, b]) => (b[0].row.verified ?? 1) - (a[0].row.verified ?? 1));
  show(section, [live.training, live.health.slow], () => verifiedFirst.flatMap(([name, ranks]) => job(section, name, ranks, live)));
}

function job(section, name, ranks, live) {
  ranks.sort((a, b) => Number(a.row.rank) - Number(b.row.rank));
  const tokens = ranks.reduce((all, one) => all + (one.row.tokens_per_second ?? 0), 0);
  const steps = ranks.map((one) => one.row.step).filter(there);
  const usual = mean(ranks.map((one) => one.row.usual_step_seconds));
  const late = ranks.map((one) => Date.parse(live.at) / 1000 - one.row.step_ended).filter(there);
  const still = late.length ? Math.min(...late) : undefined;
  const unsaved = oldest(ranks.filter((one) => there(one.row.unsaved_since)));
  const phases = [...new Set(ranks.map((one) => one.row.phase ?? "unknown"))].join(", ");
  return [
    heading(`Training job ${name}`, `${ranks.length} ${ranks.length === 1 ? "rank" : "ranks"} on this node · ${phases}${there(still) && still > 10 * (usual ?? 30) ? ` · no step for ${duration(still)}` : ""}`),
    ranks[0].row.verified === 0 ? el("p", {class: "note"}, "Any user of this node may have written these figures: the kernel does not confirm that the ranks belong to this job. Health rules and lost time leave them out.") : null,
    el(
      "div",
      {class: "flows"},
      el("div", {class: "flow"}, el("span", {class: "note"}, "step"), el("b", {}, seconds(mean(ranks.map((one) => one.step)))), sparkline(section, `job/${name}/step`)),
      el("div", {class: "flow"}, el("span", {class: "note"}, "tokens/s (this node)"), el("b", {}, scaled(tokens)), sparkline(section, `job/${name}/tokens`)),
      el("div", {class: "flow"}, el("span", {class: "note"}, "MFU"), el("b", {}, percent(mean(ranks.map((one) => one.row.mfu)), 1))),
      el("div", {class: "flow"}, el("span", {class: "note"}, "step number"), el("b", {}, number(steps.length ? Math.max(...steps) : undefined))),
      ...(unsaved ? [el("div", {class: "flow"}, el("span", {class: "note"}, "a stop now loses"), el("b", {}, duration(Math.max(0, Date.parse(live.at) / 1000 - unsaved.unsaved_since))), el("span", {class: "note"}, checkpoint(unsaved)))] : []),
    ),
    el("p", {class: "legend"}, [...KINDS.map(([kind, , text]) => [kind, text]), ["other", "other"]].map(([kind, text]) => el("span", {}, el("i", {class: `fill ${kind}`}), text))),
    table(
      `ranks of job ${name}`,
      ["rank", "GPU", "#step time", "time breakdown", "#tokens/s", "#MFU", "lost time"],
      ranks.map((one) => [one.row.rank, one.row.gpu || "–", seconds(one.step), stack(one.shares, one.label), scaled(one.row.tokens_per_second), percent(one.row.mfu, 1), lost(one)]),
    ),
  ];
}

/** The row of the rank with the oldest checkpoint: the job has what all of its ranks have saved. */
function oldest(ranks) {
  return ranks.map((one) => one.row).sort((a, b) => a.unsaved_since - b.unsaved_since)[0];
}

function checkpoint(row) {
  if (!there(row.checkpoint_durable)) return "no durable checkpoint yet";
  return there(row.checkpoint_step) ? `checkpoint of step ${number(row.checkpoint_step)}` : "checkpoint of an unknown step";
}

function lost({row, slow}) {
  const all = Object.entries(row.lost_seconds ?? {}).sort((a, b) => b[1] - a[1]);
  const total = all.map(([cause, time]) => `${words(cause)} ${duration(time)}`).join(", ");
  if (!slow) return total || "–";
  return el("span", {}, state("degraded", words(slow.cause)), ` ${percent(slow.lost_seconds / slow.of_seconds)} of the last minute${total ? ` · total ${total}` : ""}`);
}

export function inference(section, live) {
  section.hidden = live.inference.length === 0;
  if (section.hidden) return;
  const rows = live.inference.map((row) => {
    const key = `engine/${row.engine}/${row.address}`;
    const of = (name) => rateOf(key, row, name);
    const first = of("first_tokens");
    return {row, tokens: of("generated_tokens"), finished: of("requests_finished"), first: first > 0 ? of("first_token_seconds") / first : (of("first_token_seconds"), undefined)};
  });
  show(section, live.inference, () => [
    heading("Inference", `${rows.filter((one) => one.row.up === 1).length} of ${rows.length} engines answer`),
    table(
      "inference engines",
      ["engine", "model", "#running", "#waiting", "KV cache", "#tokens/s", "#requests/s", "#first token"],
      rows.map(({row, tokens, finished, first}) => [
        el("span", {}, row.up === 1 ? state("healthy", "up") : state("failing", "down"), ` ${row.engine} ${row.address}`),
        row.model ?? "–",
        number(row.requests_running),
        number(row.requests_waiting),
        el("span", {class: "with-bar"}, bar(row.kv_cache_usage, `${percent(row.kv_cache_usage)} of the KV cache in use`), percent(row.kv_cache_usage)),
        scaled(tokens),
        number(finished, 1),
        seconds(first),
      ]),
    ),
  ]);
}
