import {agent, identity} from "./agent.js";
import {say} from "./dom.js";
import * as events from "./events.js";
import {efa, lustre} from "./fabric.js";
import {between, clock, duration} from "./format.js";
import {gpus} from "./gpus.js";
import {keep, moment} from "./history.js";
import {draw} from "./plots.js";
import {silent, title, verdict} from "./verdict.js";
import {inference, training} from "./workloads.js";

const EVERY = 5000; // between looks
const PATIENCE = 8000; // for one answer
const STALE = 15000; // without an answer: then nothing is known any more
const UNJUDGED = 30; // seconds without a judgement that are worth a word

const at = (id) => document.getElementById(id);
let last = null;
let answered = performance.now();
let stale = false;

async function get(path) {
  const answer = await fetch(path, {cache: "no-store", signal: AbortSignal.timeout(PATIENCE)});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function alarm(text) {
  at("stale").hidden = !text;
  if (text) say(at("stale"), text);
}

function render(live, node) {
  verdict(at("verdict"), live);
  gpus(at("gpus"), live, node?.expected);
  training(at("training"), live);
  inference(at("inference"), live);
  efa(at("efa"), live);
  lustre(at("lustre"), live);
  events.timeline(at("events"), live);
  agent(at("agent"), live, get);
}

async function look() {
  const live = await get("api/v1/live");
  last = live;
  answered = performance.now();
  stale = false;
  document.body.classList.remove("stale");
  at("simulated").hidden = !live.simulated;
  title(live, true);
  const unjudged = between(live.health.at, live.at);
  alarm(unjudged > UNJUDGED ? `The agent answers and does not judge: its verdict is ${duration(unjudged)} old.` : "");
  moment(live.hostname, Date.parse(live.at) / 1000);
  const node = await identity(live, get).catch(() => null);
  await events.refresh(live, get).catch(() => null); // the next look asks again
  render(live, node);
  draw();
}

function silence() {
  const age = performance.now() - answered;
  if (age < STALE) return;
  const first = !stale;
  stale = true;
  document.body.classList.add("stale");
  alarm(`The agent does not answer${last ? `: what stands below is of ${clock(last.at)}, ${duration(age / 1000)} ago, and not how this node is now.` : "."}`);
  if (first) {
    silent(at("verdict"), last);
    title(last, false);
  }
}

function pulse() {
  const age = (performance.now() - answered) / 1000;
  const text = document.hidden ? "paused" : stale ? `no answer for ${duration(age)}` : last ? `live · looked ${age < 2 ? "just now" : `${Math.floor(age)} s ago`}` : "waiting for the agent";
  say(at("pulse"), text);
  if (!document.hidden) silence();
}

/** One look after the other, never two at a time, and none while nobody sees the page. */
async function run() {
  for (;;) {
    if (document.hidden) {
      await new Promise((seen) => document.addEventListener("visibilitychange", seen, {once: true}));
      continue;
    }
    try {
      await look();
    } catch (problem) {
      if (!(problem instanceof TypeError) && !(problem instanceof DOMException)) console.warn(String(problem));
    }
    await new Promise((go) => setTimeout(go, EVERY));
  }
}

// What was on the page when it was left may be old by now, and says so until it is renewed.
document.addEventListener("visibilitychange", pulse);
addEventListener("pagehide", keep);
setInterval(pulse, 1000);
run();
