// What was seen since the page was opened. The agent keeps no past for it, so plots begin empty; a reload goes on
// with what this tab had.

const MOST = 240; // 20 minutes
const GAP = 20; // seconds without a look that break a line
const KEPT = "lapwing-history";

let times = [];
let series = new Map();
let counters = new Map();
let node = "";

/** Begins a new moment of a node, in seconds of its clock. The past of another node, or of a clock that was set back, is not its. */
export function moment(hostname, at) {
  if (hostname !== node) {
    node = hostname;
    restore(at);
  } else if (at < times.at(-1)) {
    clear();
  }
  const last = times.at(-1);
  if (at === last) return;
  if (at - last > GAP) push(last + 1);
  push(at);
}

function clear() {
  times = [];
  series = new Map();
  counters = new Map();
}

function push(at) {
  times.push(at);
  for (const values of series.values()) values.push(null);
  if (times.length > MOST) {
    times = times.slice(-MOST);
    for (const [key, values] of series) series.set(key, values.slice(-MOST));
  }
}

/** Notes a value of this moment and hands it back. */
export function note(key, value) {
  let values = series.get(key);
  if (!values) {
    values = new Array(times.length).fill(null);
    series.set(key, values);
  }
  values[values.length - 1] = Number.isFinite(value) ? value : null;
  return value;
}

export function past(key) {
  return [times, series.get(key) ?? new Array(times.length).fill(null)];
}

/** How fast a counter grows, by the times at which it was read; undefined before the second reading and after a reset. */
export function rate(key, value, at) {
  if (!Number.isFinite(value) || !Number.isFinite(at)) {
    counters.delete(key);
    return undefined;
  }
  const before = counters.get(key);
  if (before && before.at === at) return before.rate;
  const grown = before ? value - before.value : -1;
  const rate = before && grown >= 0 && at > before.at ? grown / (at - before.at) : undefined;
  counters.set(key, {value, at, rate});
  return rate;
}

export function length() {
  return times.length < 2 ? 0 : times.at(-1) - times[0];
}

export function keep() {
  try {
    const all = [...series].map(([key, values]) => [key, values.map((v) => (v === null ? null : +v.toPrecision(4)))]);
    sessionStorage.setItem(KEPT, JSON.stringify({node, times, all}));
  } catch {
    // no room, or not allowed: then a reload begins anew
  }
}

function restore(now) {
  clear();
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const last = kept?.times?.at(-1);
    if (kept?.node === node && last < now && now - last < 1200) {
      times = kept.times;
      series = new Map(kept.all);
    }
  } catch {
    // what stands there is not ours
  }
}
