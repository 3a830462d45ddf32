// Formats numbers and times. Missing values are a dash, never a zero.

const NONE = "–";

export function there(value) {
  return value !== undefined && value !== null && Number.isFinite(value);
}

export function number(value, digits = 0, unit = "") {
  return there(value) ? value.toFixed(digits) + unit : NONE;
}

export function percent(ratio, digits = 0) {
  return there(ratio) ? `${(100 * ratio).toFixed(digits)} %` : NONE;
}

/** With an SI prefix: 3.1 G. */
export function scaled(value, unit = "") {
  if (!there(value)) return NONE;
  const prefixes = ["", "k", "M", "G", "T", "P"];
  let at = 0;
  let left = Math.abs(value);
  while (left >= 999.5 && at < prefixes.length - 1) {
    left /= 1000;
    at++;
  }
  const digits = at === 0 || left >= 100 ? 0 : left >= 10 ? 1 : 2;
  const gap = prefixes[at] || unit ? " " : "";
  return `${value < 0 ? "-" : ""}${left.toFixed(digits)}${gap}${prefixes[at]}${unit}`;
}

export function gibibytes(mebibytes) {
  return there(mebibytes) ? (mebibytes / 1024).toFixed(mebibytes < 10240 ? 1 : 0) : NONE;
}

export function seconds(value) {
  if (!there(value)) return NONE;
  if (value < 1) return `${(value * 1000).toFixed(value < 0.01 ? 2 : 0)} ms`;
  return value < 10 ? `${value.toFixed(2)} s` : duration(value);
}

/** At most two units: 41 s, 2 min 5 s, 3 h 10 min, 12 d 4 h. */
export function duration(value) {
  const whole = Math.max(0, Math.floor(value));
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => whole >= size);
  if (first < 0) return "0 s";
  const [size, unit] = parts[first];
  const next = parts[first + 1];
  const rest = next ? Math.floor((whole % size) / next[0]) : 0;
  return `${Math.floor(whole / size)} ${unit}${rest ? ` ${rest} ${next[1]}` : ""}`;
}

/** UTC time; with the date instead of seconds if not today. */
export function clock(iso, now = Date.now()) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return NONE;
  const text = time.toISOString();
  const today = text.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return today ? `${text.slice(11, 19)}Z` : `${text.slice(5, 10)} ${text.slice(11, 16)}Z`;
}

/** Seconds from one time to another. */
export function between(from, to) {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

export function words(name) {
  return String(name).replaceAll("_", " ");
}
