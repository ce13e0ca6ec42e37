// The page of `sluice bench`.

const report = readReport();
const page = document.getElementById("report");

const kinds = ["limit", "baseline", "peer", "sluice"];

function heading() {
  const { machine } = report;
  const result = element("header", {}, element("h1", {}, "sluice bench: " + report.directory),
    factList([["file system", report.filesystem], ["processor", machine.cpu],
      ["cores", String(machine.cores)], ["memory", formatBytes(machine.memory_bytes)],
      ["kernel", machine.kernel], ["rounds", String(report.runs)], ["date", machine.date]]),
    element("p", {}, "Each bar is the time of a strategy divided by the time of the limit in the " +
      "same round (time/limit): the median of all rounds. The broken line is the limit. A longer " +
      "bar is slower. In the table, speed/baseline is the time of the baseline divided by the " +
      "time of the strategy: larger is faster."),
    element("ul", { class: "key" },
      ...kinds.map((kind) => element("li", { "data-kind": kind }, kind))));
  if (report.quick) {
    result.append(element("p", {}, "Measured with --quick: smaller sizes, fewer rounds."));
  }
  if (report.interrupted) {
    result.append(element("p", { class: "bad" },
      "The measurement was interrupted: the page has the rounds that were complete."));
  }
  return result;
}

/** Rows by their group, in the order in which they were measured. */
function groupsOf(experiment) {
  const groups = new Map();
  for (const row of experiment.rows) {
    if (!groups.has(row.group)) groups.set(row.group, []);
    groups.get(row.group).push(row);
  }
  return groups;
}

function hasRatio(row) { return row.verified && row.ratio_to_limit !== null; }

function addBars(parent, title, rows) {
  const bars = rows.filter(hasRatio).map((row) => ({
    name: row.strategy + (row.scaled ? " (scaled)" : ""), ratio: row.ratio_to_limit,
    colour: kinds.includes(row.kind) ? row.kind : "peer",
  }));
  if (bars.length === 0) return;
  const frame = chartFrame("time/limit, " + title + ": " +
    bars.map((bar) => bar.name + " " + formatRatio(bar.ratio)).join(", "));
  parent.append(frame);
  drawRatioBars(frame, bars);
}

// ---- curves over the buffer's size ----

const sized = /^(.*\b\w*buf=)\d+[KMGT]?(.*)$/;  // "fwrite_unlocked setvbuf=64K"

/** Groups rows that differ only in their buffer. The rest of the name is the name of the group. */
function familiesOf(rows) {
  const families = new Map();
  for (const row of rows.filter(hasRatio)) {
    const parts = sized.exec(row.strategy);
    if (parts === null) continue;
    const name = parts[1].replace(/=$/, "") + parts[2];
    if (!families.has(name)) families.set(name, new Map());
    families.get(name).set(row.buffer_bytes, row.ratio_to_limit);
  }
  return [...families].filter(([, ratios]) => ratios.size > 1);
}

const curveColours = ["system", "copying", "written", "read", "baseline"];

function addCurves(parent, title, rows) {
  const families = familiesOf(rows);
  if (families.length === 0) return;
  const sizes = [...new Set(families.flatMap(([, ratios]) => [...ratios.keys()]))];
  sizes.sort((a, b) => a - b);
  const curves = families.map(([name, ratios], index) => ({
    name, colour: curveColours[index % curveColours.length],
    dash: index < curveColours.length ? undefined : [6, 4],
    ratios: sizes.map((size) => ratios.get(size) ?? null),
  }));
  const frame = chartFrame("time/limit over the size of the buffer, " + title);
  frame.classList.add("curves");
  parent.append(element("h3", {}, "Over the size of the buffer"), frame);
  drawBufferCurves(frame, sizes, curves);
}

// ---- the figures behind the charts ----

function figure(of) { return (row) => row.verified ? of(row) : ""; }

const median = (name) => figure((row) => formatSeconds(row[name].median));
const columns = [
  { name: "strategy", text: (row) => row.strategy },
  { name: "kind", text: (row) => row.kind },
  { name: "time/limit", number: true, text: figure((row) => formatRatio(row.ratio_to_limit)) },
  { name: "speed/baseline", number: true,
    text: figure((row) => formatRatio(row.ratio_to_baseline)) },
  { name: "wall time", number: true, text: median("wall_s") },
  { name: "user", number: true, text: median("user_s") },
  { name: "system", number: true, text: median("sys_s") },
  { name: "waiting", number: true, text: median("sleep_s") },
  { name: "system calls", number: true,
    text: figure((row) => row.syscalls === null ? "" : formatCount(row.syscalls)) },
  { name: "switches", number: true,
    text: figure((row) => formatCount(row.voluntary_switches + row.involuntary_switches)) },
];

function figuresOf(title, rows) {
  const { table } = sortableTable(title, columns, rows);
  return element("details", {}, element("summary", {}, "The figures"),
    element("div", { class: "wide" }, table));
}

function failuresOf(rows) {
  return rows.filter((row) => !row.verified && row.error)
    .map((row) => element("p", { class: "bad" }, row.strategy + ": " + row.error));
}

function addExperiment(experiment) {
  const result = section(experiment.id + ": " + experiment.title);
  result.classList.add("long");
  page.append(result);
  if (experiment.error) result.append(element("p", { class: "bad" }, experiment.error));
  for (const [title, rows] of groupsOf(experiment)) {
    const group = element("section", {}, element("h3", {}, title));
    result.append(group);
    addBars(group, title, rows);
    addCurves(group, title, rows);
    group.append(...failuresOf(rows), figuresOf(title, rows));
  }
}

page.append(heading());
if (report.experiments.length === 0) page.append(element("p", {}, "Nothing was measured."));
report.experiments.forEach(addExperiment);
