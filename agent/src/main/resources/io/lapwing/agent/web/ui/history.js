// Values since the page was opened. The agent stores no history, so plots start empty; a reload continues with the
// history of this tab.

const MAX_POINTS = 240; // 20 minutes
const GAP = 20; // seconds between polls that break a line
const STORAGE_KEY = "lapwing-history";

let times = [];
let series = new Map();
let counters = new Map();
let node = "";

/** Adds a point in time, in seconds of the node's clock. Clears the history of another node and after a clock step back. */
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
  if (times.length > MAX_POINTS) {
    times = times.slice(-MAX_POINTS);
    for (const [key, values] of series) series.set(key, values.slice(-MAX_POINTS));
  }
}

/** Records and returns the current value. */
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

/**
 * The rate of a counter by its read times; before the second reading the agent's own, where it has one; undefined after
 * a reset.
 */
export function rate(key, value, at, first) {
  if (!Number.isFinite(value) || !Number.isFinite(at)) {
    counters.delete(key);
    return undefined;
  }
  const before = counters.get(key);
  if (before && before.at === at) return before.rate;
  const increase = before ? value - before.value : -1;
  const rate = !before ? first : increase >= 0 && at > before.at ? increase / (at - before.at) : undefined;
  counters.set(key, {value, at, rate});
  return rate;
}

/** The rate of a counter of a row of /api/v1/live. */
export function rateOf(prefix, row, name) {
  return rate(`${prefix}/${name}`, row[name], row.counted_at, row.per_second?.[name]);
}

export function length() {
  return times.length < 2 ? 0 : times.at(-1) - times[0];
}

export function keep() {
  try {
    const all = [...series].map(([key, values]) => [key, values.map((v) => (v === null ? null : +v.toPrecision(4)))]);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({node, times, all}));
  } catch {
    // no storage: a reload starts empty
  }
}

function restore(now) {
  clear();
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
    const last = kept?.times?.at(-1);
    if (kept?.node === node && last < now && now - last < 1200) {
      times = kept.times;
      series = new Map(kept.all);
    }
  } catch {
    // foreign content
  }
}
