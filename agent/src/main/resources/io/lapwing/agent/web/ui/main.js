import * as commands from "./actions.js";
import {agent, identity} from "./agent.js";
import {setText} from "./dom.js";
import * as events from "./events.js";
import {efa, lustre} from "./fabric.js";
import {between, clock, duration} from "./format.js";
import {gpus} from "./gpus.js";
import {keep, moment} from "./history.js";
import {draw} from "./plots.js";
import {slowness, title, unreachable, verdict} from "./verdict.js";
import {inference, training} from "./workloads.js";

const INTERVAL = 5000; // between polls
const TIMEOUT = 8000; // of a request
const STALE = 15000; // without an answer: the state is unknown
const MAX_EVALUATION_AGE = 30; // seconds

const at = (id) => document.getElementById(id);
let last = null;
let answered = performance.now();
let stale = false;

async function get(path) {
  const answer = await fetch(path, {cache: "no-store", signal: AbortSignal.timeout(TIMEOUT)});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function alarm(text) {
  at("stale").hidden = !text;
  if (text) setText(at("stale"), text);
}

function render(live, node) {
  verdict(at("verdict"), live);
  slowness(at("slow"), live);
  commands.actions(at("actions"), live, get, () => commands.refresh(live, get).then(() => render(live, node)).catch(() => null));
  gpus(at("gpus"), live, node?.expected);
  training(at("training"), live);
  inference(at("inference"), live);
  efa(at("efa"), live);
  lustre(at("lustre"), live);
  events.timeline(at("events"), live);
  agent(at("agent"), live, get);
}

async function poll() {
  const live = await get(last ? "api/v1/live" : "api/v1/live?rates");
  last = live;
  answered = performance.now();
  stale = false;
  document.body.classList.remove("stale");
  at("simulated").hidden = !live.simulated;
  title(live, true);
  const age = between(live.health.at, live.at);
  alarm(age > MAX_EVALUATION_AGE ? `Health evaluation has stalled: the verdict is ${duration(age)} old.` : "");
  moment(live.hostname, Date.parse(live.at) / 1000);
  const node = await identity(live, get).catch(() => null);
  await events.refresh(live, get).catch(() => null); // retried by the next poll
  await commands.refresh(live, get).catch(() => null);
  render(live, node);
  draw();
}

function checkStale() {
  const age = performance.now() - answered;
  if (age < STALE) return;
  const first = !stale;
  stale = true;
  document.body.classList.add("stale");
  alarm(`The agent does not answer${last ? `. The values below are from ${clock(last.at)} (${duration(age / 1000)} ago).` : "."}`);
  if (first) {
    unreachable(at("verdict"), last);
    title(last, false);
  }
}

function showConnection() {
  const age = (performance.now() - answered) / 1000;
  const text = document.hidden ? "paused" : stale ? `no answer for ${duration(age)}` : last ? `live · updated ${age < 2 ? "just now" : `${Math.floor(age)} s ago`}` : "waiting for the agent";
  setText(at("connection"), text);
  if (!document.hidden) checkStale();
}

/** Polls sequentially, and pauses while the page is hidden. */
async function run() {
  for (;;) {
    if (document.hidden) {
      await new Promise((seen) => document.addEventListener("visibilitychange", seen, {once: true}));
      continue;
    }
    try {
      await poll();
    } catch (problem) {
      if (!(problem instanceof TypeError) && !(problem instanceof DOMException)) console.warn(String(problem));
    }
    await new Promise((go) => setTimeout(go, INTERVAL));
  }
}

// A page that becomes visible again may be stale until the next poll.
document.addEventListener("visibilitychange", showConnection);
addEventListener("pagehide", keep);
setInterval(showConnection, 1000);
run();
