// The charts, all drawn by uPlot. Each chart is drawn in the present colours of the page, so only
// the style sheet has the colours for light, dark and print.

const chartFont = "12px system-ui, sans-serif";
const charts = [];

/** The colour with this name in the style sheet. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

for (const query of ["(prefers-color-scheme: dark)", "print"]) {
  matchMedia(query).addEventListener("change", () => charts.forEach((chart) => chart.redraw()));
}

const paperWidth = 680;  // fits A4 and Letter with their margins

/** Widths of charts are set in pixels, and paper has fewer pixels than a screen. */
function fitWidths(mostWide) {
  for (const chart of charts) {
    const width = Math.min(mostWide, chart.root.parentElement.clientWidth);
    if (width > 0) chart.setSize({ width, height: chart.height });
  }
}
addEventListener("beforeprint", () => fitWidths(paperWidth));
addEventListener("afterprint", () => fitWidths(Infinity));

/** Room for a chart, with a text for people who cannot see it. */
function chartFrame(description) {
  return element("div", { class: "chart", role: "img", "aria-label": description, tabindex: "0" });
}

/** Draws into a frame that is on the page, and follows its width. Arrow keys move the cursor. */
function draw(frame, options, data) {
  const chart = new uPlot({ width: frame.clientWidth, ...options }, data, frame);
  charts.push(chart);
  new ResizeObserver(() => {
    if (frame.clientWidth > 0 && frame.clientWidth !== chart.width) {
      chart.setSize({ width: frame.clientWidth, height: options.height });
    }
  }).observe(frame);
  frame.addEventListener("keydown", (event) => moveCursor(chart, event));
  return chart;
}

function removeChart(chart) {
  charts.splice(charts.indexOf(chart), 1);
  chart.destroy();
}

function moveCursor(chart, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  const last = chart.data[0].length - 1;
  const before = chart.cursor.idx ?? (step > 0 ? -1 : last + 1);
  const index = Math.min(last, Math.max(0, before + step));
  chart.setCursor({ left: chart.valToPos(chart.data[0][index], "x"), top: 0 });
  event.preventDefault();
}

function axis(more) {
  return {
    stroke: () => colour("faint"), font: chartFont, labelFont: chartFont,
    grid: { stroke: () => colour("line"), width: 1 }, ticks: { stroke: () => colour("line") },
    ...more,
  };
}

/**
 * Draws several figures over time. `series` are {name, colour, values}; `format` writes a value in
 * words. Charts with the same name `synchronized` move their cursors together. `steps`, if given,
 * are the allowed distances between lines of the grid.
 */
function drawTimeline(frame, seconds, series, format, synchronized, steps) {
  const options = {
    height: 190,
    cursor: { sync: { key: synchronized } },
    scales: { x: { time: false }, y: { range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
    axes: [
      axis({ values: (_, at) => at.map((value) => formatTick(value) + " s") }),
      axis({ size: 80, incrs: steps, values: (_, at) => at.map((value) => format(value)) }),
    ],
    series: [{ label: "at", value: (_, value) => value === null ? "" : value.toFixed(3) + " s" },
      ...series.map((each) => ({
        label: each.name, stroke: () => colour(each.colour), width: 1.5, points: { size: 4 },
        value: (_, value) => value === null ? "" : format(value),
      }))],
  };
  return draw(frame, options, [seconds, ...series.map((each) => each.values)]);
}

const short = new Intl.NumberFormat("en", { notation: "compact" });
const byteSteps = Array.from({ length: 60 }, (_, power) => 2 ** power);

function formatTick(value) { return String(Number(value.toPrecision(6))); }

/** Upright bars, one for each label. */
function drawHistogram(frame, labels, counts, name) {
  const options = {
    height: 200,
    scales: {
      x: { time: false, range: () => [-0.6, labels.length - 0.4] },
      y: { range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1] },
    },
    axes: [
      axis({
        grid: { show: false }, splits: () => labels.map((_, index) => index),
        rotate: labels.length > 12 ? -45 : 0, size: labels.length > 12 ? 70 : 40,
        values: (_, at) => at.map((index) => labels[index] ?? ""),
      }),
      axis({ size: 80, values: (_, at) => at.map((value) => short.format(value)) }),
    ],
    series: [{ label: "size", value: (_, index) => labels[index] ?? "" }, {
      label: name, fill: () => colour("system"), width: 0, points: { show: false },
      paths: uPlot.paths.bars({ size: [0.75, 60] }),
      value: (_, value) => value === null ? "" : formatCount(value),
    }],
  };
  return draw(frame, options, [labels.map((_, index) => index), counts]);
}

const mostOnALinearScale = 12;

/** The ends and the lines of a scale of ratios. On a logarithmic scale the bars start at 1. */
function ratioScale(ratios) {
  const highest = Math.max(1, ...ratios);
  if (highest <= mostOnALinearScale) {
    return { distr: 1, start: 0, range: [0, highest * 1.1], label: "time/limit" };
  }
  const lowest = Math.max(0.05, Math.min(0.5, ...ratios) * 0.8);
  const powers = [-2, -1, 0, 1, 2, 3, 4, 5];
  const lines = powers.flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
  const range = [lowest, highest * 1.6];
  return {
    distr: 3, start: 1, range, label: "time/limit, logarithmic",
    lines: lines.filter((line) => line >= range[0] && line <= range[1]),
  };
}

/** Lying bars, the first one on top, with a line at 1. `bars` are {name, ratio, colour}. */
function drawRatioBars(frame, bars) {
  const rows = bars.map((_, index) => index);
  const ratios = bars.map((bar) => bar.ratio);
  const scale = ratioScale(ratios);
  const longest = Math.max(...bars.map((bar) => textWidth(bar.name)));
  const options = {
    height: 24 * bars.length + 56,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, ori: 1, dir: -1, range: () => [-0.5, bars.length - 0.5] },
      y: { ori: 0, dir: 1, distr: scale.distr, range: () => scale.range },
    },
    axes: [
      axis({
        side: 3, size: Math.min(longest + 24, frame.clientWidth * 0.5), grid: { show: false },
        ticks: { show: false }, stroke: () => colour("text"),
        splits: () => rows, values: (_, at) => at.map((index) => bars[index]?.name ?? ""),
      }),
      axis({
        side: 2, size: 44, label: scale.label, labelSize: 18, filter: (_, at) => at,
        splits: scale.lines && (() => scale.lines), values: (_, at) => at.map(formatTick),
      }),
    ],
    series: [{}, {
      width: 0, points: { show: false }, fill: () => colour("peer"), fillTo: () => scale.start,
      paths: uPlot.paths.bars({
        size: [0.7, 18],
        disp: { fill: { unit: 3, values: () => bars.map((bar) => colour(bar.colour)) } },
      }),
    }],
    hooks: { draw: [(chart) => { writeRatios(chart, bars); lineAtTheLimit(chart); }] },
  };
  return draw(frame, options, [rows, ratios.map((ratio) => Math.max(ratio, scale.range[0]))]);
}

function textWidth(text) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = chartFont;
  return context.measureText(text).width;
}

function writeRatios(chart, bars) {
  const context = chart.ctx;
  context.save();
  context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  context.fillStyle = colour("text");
  context.textBaseline = "middle";
  context.textAlign = "left";
  bars.forEach((bar, row) => context.fillText(formatRatio(bar.ratio),
    chart.valToPos(Math.max(bar.ratio, 1), "y", true) + 6 * devicePixelRatio,
    chart.valToPos(row, "x", true)));
  context.restore();
}

function lineAtTheLimit(chart) {
  const context = chart.ctx;
  const at = Math.round(chart.valToPos(1, "y", true));
  context.save();
  context.strokeStyle = colour("bad");
  context.lineWidth = 1.5 * devicePixelRatio;
  context.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  context.beginPath();
  context.moveTo(at, chart.bbox.top);
  context.lineTo(at, chart.bbox.top + chart.bbox.height);
  context.stroke();
  context.restore();
}

/**
 * Ratios over the buffer's size. `curves` are {name, colour, dash, ratios}. `ratios` has one ratio
 * or null for each size.
 */
function drawBufferCurves(frame, sizes, curves) {
  const highest = Math.max(1, ...curves.flatMap((curve) => curve.ratios));
  const options = {
    height: 240,
    scales: {
      x: { time: false, distr: 3, log: 2, range: () => [sizes[0] / 1.3, sizes.at(-1) * 1.3] },
      y: { range: () => [0, highest * 1.1] },
    },
    axes: [
      axis({
        splits: () => sizes, filter: (_, at) => at, values: (_, at) => at.map(formatBytes),
      }),
      axis({ size: 60, label: "time/limit", labelSize: 18 }),
    ],
    series: [{ label: "buffer", value: (_, size) => size === null ? "" : formatBytes(size) },
      ...curves.map((curve) => ({
        label: curve.name, stroke: () => colour(curve.colour), dash: curve.dash, width: 1.5,
        spanGaps: true, points: { show: true, size: 6 }, value: (_, ratio) => formatRatio(ratio),
      }))],
  };
  return draw(frame, options, [sizes, ...curves.map((curve) => curve.ratios)]);
}
