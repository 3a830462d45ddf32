import {past} from "./history.js";

// Plots use uPlot, a separate script. Without it the page shows numbers only.

const drawn = new Set();

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function make(plot) {
  const width = plot.box.clientWidth;
  if (!window.uPlot || width < 20) return;
  plot.chart?.destroy();
  const line = {stroke: () => colour("--line"), fill: () => colour("--line-fill"), width: 1.5, points: {show: false}};
  const axis = {
    stroke: () => colour("--soft"),
    grid: {stroke: () => colour("--rule"), width: 1},
    ticks: {show: false},
    font: "11px system-ui, sans-serif",
  };
  plot.chart = new window.uPlot(
    {
      width,
      height: plot.height,
      legend: {show: false},
      cursor: {show: false},
      padding: plot.axes ? undefined : [2, 0, 2, 0],
      scales: {
        x: {time: true},
        y: {range: (chart, low, high) => plot.range ?? [Math.min(0, low ?? 0), Math.max(plot.least ?? 1e-9, (high ?? 0) * 1.15)]},
      },
      axes: plot.axes ? [{...axis, size: 26, space: 90, values: (chart, ticks) => ticks.map((at) => new Date(1000 * at).toISOString().slice(11, 19))}, {...axis, size: 56, values: (chart, ticks) => ticks.map((v) => plot.text(v))}] : [{show: false}, {show: false}],
      series: [{}, line],
    },
    past(plot.key),
    plot.box,
  );
  plot.width = width;
}

/** A line plot of the history of a key. */
export function plot(box, key, {height = 34, range, least, axes = false, text = String} = {}) {
  const one = {box, key, height, range, least, axes, text};
  drawn.add(one);
  return one;
}

/** A sparkline that survives redraws of its owner. */
export function sparkline(owner, key, options = {}) {
  owner.sparks ??= new Map();
  if (!owner.sparks.has(key)) {
    const box = document.createElement("span");
    box.className = "spark";
    box.setAttribute("aria-hidden", "true");
    owner.sparks.set(key, plot(box, key, options));
  }
  const one = owner.sparks.get(key);
  drawn.add(one);
  return one.box;
}

function drop(one) {
  one.chart?.destroy();
  one.chart = undefined;
  drawn.delete(one);
}

/** Updates all plots; drops those that are no longer on the page. */
export function draw() {
  for (const one of [...drawn]) {
    if (!one.box.isConnected) {
      drop(one);
    } else if (!one.chart || Math.abs(one.width - one.box.clientWidth) > 2) {
      make(one);
    } else {
      one.chart.setData(past(one.key));
    }
  }
}

function redrawAll() {
  for (const one of drawn) if (one.box.isConnected) make(one);
}

document.addEventListener("lapwing-theme", redrawAll);
addEventListener("resize", draw);
