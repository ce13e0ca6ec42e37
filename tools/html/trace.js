// The page of `sluice trace`.

const report = readReport();
const page = document.getElementById("report");

/** A word as a user types it in a shell. */
function quoted(word) {
  return /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

/** The frames of the functions that make the calls of a call site, from the innermost on. */
function stackOf(site) {
  return report.stacks[site.stack];
}

function placeOf(site) {
  const frame = stackOf(site)[0];
  if (frame === undefined) return "(unknown)";
  const source = frame.source.split("/").at(-1);
  return source === "" ? frame.function : frame.function + " at " + source;
}

/** The rest of the wall time; 0 if several threads or processes together have spent more. */
function otherSeconds() {
  const { copying_s, system_s, sleep_s } = report.time;
  return Math.max(0, report.wall_s - copying_s - system_s - sleep_s);
}

function ending() {
  if (report.signal === null && report.exit_code === null) return ["end", "still running"];
  return report.signal === null ? ["exit code", String(report.exit_code)]
    : ["ended by signal", String(report.signal)];
}

function split() {
  const parts = [["copying", report.time.copying_s], ["system", report.time.system_s],
    ["waiting", report.time.sleep_s], ["other", otherSeconds()]];
  const bar = element("div", { class: "split", "aria-hidden": "true" });
  for (const [kind, seconds] of parts) {
    const part = element("span", { "data-kind": kind, title: kind + " " + formatSeconds(seconds) });
    part.style.flexGrow = String(seconds);
    bar.append(part);
  }
  return { bar, facts: parts.map(([kind, seconds]) => [kind, formatSeconds(seconds), kind]) };
}

function heading() {
  const parts = split();
  const result = element("header", {},
    element("h1", {}, "sluice trace: ", element("code", {}, report.command.map(quoted).join(" "))),
    factList([ending(), ["wall time", formatSeconds(report.wall_s)], ...parts.facts]), parts.bar);
  if (report.processes.length > 1) {
    result.append(element("p", { class: "faint" },
      report.processes.length + " processes; the times are their sums."));
  }
  if (report.not_covered !== null) {
    result.append(element("p", { class: "bad" }, "Nothing was seen: " + report.not_covered));
  }
  result.append(...report.problems.map((problem) => element("p", { class: "bad" }, problem)));
  return result;
}

// Code in a sentence: `sluice run`, sluice::Writer, setvbuf(...), putc_unlocked, '\n'.
const code = [/`[^`]+`/, /\bsluice (?:run|trace) --[^;,.]*/, /\b\w+::[\w:]+/, /\b\w+\([^()]*\)/,
  /\b[a-z]+_\w+/, /'\\n'/];
const anyCode = new RegExp("(" + code.map((pattern) => pattern.source).join("|") + ")");

/** The text in pieces, with code as code elements. */
function withCode(text) {
  return text.split(anyCode).map((piece, index) => index % 2 === 0 ? piece
    : element("code", {}, piece.replace(/^`|`$/g, "")));
}

function adviceItem(advice) {
  const list = element("dl");
  const isUncertain = advice.least_saved_s <= 0.95 * advice.saved_s;
  const saving = (isUncertain ? formatSeconds(advice.least_saved_s) + " to " : "") +
    formatSeconds(advice.saved_s);
  const saves = saving + ", predicted; the traced program took " +
    formatSeconds(report.wall_s);
  for (const [name, text] of [["seen", advice.seen], ["why", advice.why], ["fix", advice.fix],
    ["saves", saves], ["check", advice.check]]) {
    const isCode = name === "fix" || name === "check";
    list.append(element("dt", {}, name), element("dd", {}, ...(isCode ? withCode(text) : [text])));
  }
  const andOthers = (count, what) => count === 1 ? "" :
    " and " + (count - 1) + " other " + what + (count === 2 ? "" : "s");
  const others = andOthers(advice.files, "file") + (advice.files === 1 ? "" : " likewise");
  const about = advice.call === "" ? advice.place : advice.call + " in " + advice.place +
    andOthers(advice.places, "place") + ", " + advice.file + others;
  return element("li", {},
    element("strong", {}, saving + " could be saved"), ": " + about, list);
}

function adviceSection() {
  if (report.advice.length === 0) {
    return section("What could be saved",
      element("p", {}, "No noticeable time could be saved."));
  }
  return section("What could be saved",
    element("ol", { class: "advice" }, ...report.advice.map(adviceItem)));
}

// ---- the timeline ----

function addTimeline() {
  const { moment_s, moments } = report.timeline;
  if (moments.length === 0) return;
  const bytes = chartFrame("Bytes written and read over the time that the program ran");
  const times = chartFrame("Time spent copying, in the kernel and waiting, over the same time");
  page.append(section("Over time", element("h3", {}, "Bytes to and from files"), bytes,
    element("h3", {}, "Time by kind"), times,
    element("p", { class: "faint" }, "Each point is a stretch of " + formatSeconds(moment_s) +
      ", for all threads and processes together. Copying and waiting are scaled up from " +
      "samples.")));
  const of = (name) => moments.map((moment) => moment[name]);
  drawTimeline(bytes, of("at_s"), [
    { name: "written", colour: "written", values: of("written_bytes") },
    { name: "read", colour: "read", values: of("read_bytes") }], formatBytes, "time", byteSteps);
  drawTimeline(times, of("at_s"), [
    { name: "copying", colour: "copying", values: of("copying_s") },
    { name: "system", colour: "system", values: of("system_s") },
    { name: "waiting", colour: "waiting", values: of("sleep_s") }], formatSeconds, "time");
}

// ---- the flame graph ----

/** The stacks that --stacks writes: the program, its functions from the outermost on, the call. */
function stacksOfCalls() {
  return report.call_sites.map((site) => {
    const { copying_s, system_s, sleep_s } = site.time;
    const functions = stackOf(site).map((frame) => frame.function).reverse();
    return { names: [site.program, ...functions, site.call],
      seconds: copying_s + system_s + sleep_s };
  }).filter((stack) => stack.seconds > 0);
}

function addFlames() {
  const stacks = stacksOfCalls();
  if (stacks.length === 0) return;
  page.append(section("Stacks of the calls",
    flameGraph(stacks, "Flame graph of the time that calls took, by the stacks of the program"),
    element("p", { class: "faint" }, "A bar is as long as the calls of a function took. What the " +
      "function called lies on top of it. A click or Enter zooms in, Escape zooms out, and the " +
      "arrow keys go from bar to bar. Bars of less than 0.2 % of the width are left out.")));
}

// ---- the sizes of one call site's calls ----

/** Sizes from 2^(n-1) up to 2^n - 1 are in one class. `below_bytes`, which is 2^n, names it. */
function sizeLabel(below) {
  return below <= 2 ? String(below - 1) : formatBytes(below / 2).replace(" B", "");
}

function addHistogram() {
  const title = element("h3", { "aria-live": "polite" });
  const frame = chartFrame("Number of calls by size");
  page.append(section("Sizes of the calls", title, frame,
    element("p", { class: "faint" }, "Bytes per call, in powers of two: each bar starts at " +
      "the size that is written below it. Choose a call site in the table.")));
  let chart = null;
  return (site) => {
    title.replaceChildren(site.call + ", " + placeOf(site) + ", " + site.file);
    if (chart !== null) removeChart(chart);
    chart = null;
    frame.hidden = site.sizes.length === 0;
    if (frame.hidden) title.append(": these calls have no size");
    else chart = drawHistogram(frame, ...allClasses(site.sizes), "calls");
  };
}

/** Labels and counts of all classes from the first to the last, also of empty ones. */
function allClasses(sizes) {
  const counts = new Map(sizes.map((each) => [each.below_bytes, each.calls]));
  const all = [];
  const last = sizes.at(-1).below_bytes;
  for (let below = sizes[0].below_bytes; below <= last; below *= 2) all.push(below);
  return [all.map(sizeLabel), all.map((below) => counts.get(below) ?? 0)];
}

// ---- the call sites ----

function textColumn(name, of) { return { name, text: of, sort: of, number: false }; }

function numberColumn(name, of, format) {
  return { name, text: (site) => format(of(site)), sort: of, number: true };
}

const columns = [
  textColumn("call", (site) => site.call),
  textColumn("place", (site) => placeOf(site)),
  textColumn("file", (site) => site.file),
  numberColumn("calls", (site) => site.calls, formatCount),
  numberColumn("bytes", (site) => site.bytes, formatBytes),
  numberColumn("system calls", (site) => site.system_calls, formatCount),
  numberColumn("copying", (site) => site.time.copying_s, formatSeconds),
  numberColumn("system", (site) => site.time.system_s, formatSeconds),
  numberColumn("waiting", (site) => site.time.sleep_s, formatSeconds),
];

function stackDetail(site) {
  const frames = stackOf(site).map((frame) => element("li", {},
    element("code", {}, frame.function), " ",
    element("span", { class: "faint" }, frame.source === "" ? frame.module : frame.source)));
  const content = frames.length === 0 ? "The stack is not known."
    : element("ol", { class: "stack" }, ...frames);
  return element("tr", { class: "detail" },
    element("td", { colspan: String(columns.length) }, content));
}

function addCallSites(choose) {
  const { table, entries } = sortableTable("Call sites", columns, report.call_sites,
    (site) => element("button", { type: "button", "aria-expanded": "false" }, site.call));
  const filter = element("input", { type: "search", id: "filter", autocomplete: "off" });
  const shown = element("output", { for: "filter", class: "faint" });
  page.append(section("Call sites",
    element("p", {}, element("label", {}, "Only call sites that contain", filter), shown),
    element("div", { class: "wide" }, table)));
  entries.forEach((entry) => entry.line.querySelector("button").addEventListener("click",
    () => toggle(entry, entries, choose)));
  const apply = () => applyFilter(filter.value, entries, shown);
  filter.addEventListener("input", apply);
  apply();
  if (entries.length > 0) makeCurrent(entries[0], entries, choose);
}

function toggle(entry, entries, choose) {
  const button = entry.line.querySelector("button");
  const open = entry.detail !== null;
  button.setAttribute("aria-expanded", String(!open));
  if (open) {
    entry.detail.remove();
    entry.detail = null;
    return;
  }
  entry.detail = stackDetail(entry.row);
  entry.line.after(entry.detail);
  makeCurrent(entry, entries, choose);
}

function makeCurrent(entry, entries, choose) {
  entries.forEach((other) => other.line.removeAttribute("aria-current"));
  entry.line.setAttribute("aria-current", "true");
  choose(entry.row);
}

function applyFilter(text, entries, shown) {
  const wanted = text.toLowerCase();
  let count = 0;
  for (const entry of entries) {
    const { call, file } = entry.row;
    const frames = stackOf(entry.row).flatMap((frame) => [frame.function, frame.source]);
    const all = [call, file, ...frames];
    const hidden = !all.join("\n").toLowerCase().includes(wanted);
    entry.line.hidden = hidden;
    if (entry.detail !== null) entry.detail.hidden = hidden;
    if (!hidden) ++count;
  }
  shown.textContent = count + " of " + entries.length;
}

// ---- the ranks of a job ----

const secondsOf = (rank) => rank.time.copying_s + rank.time.system_s + rank.time.sleep_s;

const rankColumns = [
  numberColumn("rank", (rank) => rank.rank, String),
  textColumn("machine", (rank) => rank.machine),
  numberColumn("I/O time", secondsOf, formatSeconds),
  numberColumn("of the median", (rank) => secondsOf(rank) / report.ranks.median_s, formatRatio),
  numberColumn("copying", (rank) => rank.time.copying_s, formatSeconds),
  numberColumn("system", (rank) => rank.time.system_s, formatSeconds),
  numberColumn("waiting", (rank) => rank.time.sleep_s, formatSeconds),
  numberColumn("lasted", (rank) => rank.wall_s, formatSeconds),
  numberColumn("calls", (rank) => rank.calls, formatCount),
  numberColumn("bytes", (rank) => rank.bytes, formatBytes),
];

function differenceItem(difference) {
  const site = report.call_sites[difference.call_site];
  return element("li", {}, site.call + " in " + placeOf(site) + ", " + site.file + ": " +
    formatSeconds(difference.slowest_s) + "; the median of the ranks: " +
    formatSeconds(difference.median_s));
}

function ranksSection() {
  const { slowest, slowest_s, median_s, differences, each } = report.ranks;
  const { table } = sortableTable("Ranks", rankColumns, each);
  return section("Ranks", element("p", {}, "Rank " + slowest + " has the most I/O time, " +
    formatSeconds(slowest_s) + ". The median of all ranks is " + formatSeconds(median_s) + "."),
  element("ul", {}, ...differences.slice(0, 3).map(differenceItem)),
  element("div", { class: "wide" }, table));
}

page.append(heading(), adviceSection());
if (report.ranks !== null) page.append(ranksSection());
addTimeline();
addFlames();
if (report.call_sites.length > 0) addCallSites(addHistogram());
