// Elements of the page. All text is added as text, never as markup, because names may come from
// other people.

/** A new element with attributes and children. A string among the children becomes text. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}

/** A list of figures: pairs of a name and a text. A third member names the figure's colour. */
function factList(facts) {
  const entries = facts.map(([name, text, kind]) => element("div", {},
    element("dt", { "data-kind": kind }, name), element("dd", {}, text)));
  return element("dl", { class: "facts" }, ...entries);
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

function formatCount(count) { return whole.format(count); }

function formatSeconds(seconds) {
  if (seconds === 0) return "0";
  if (Math.abs(seconds) < 0.0005) return (seconds * 1e6).toFixed(0) + " µs";
  if (Math.abs(seconds) < 0.1) return (seconds * 1e3).toFixed(1) + " ms";
  return seconds.toFixed(seconds < 10 ? 2 : 1) + " s";
}

function formatBytes(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (Math.abs(bytes) >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    ++unit;
  }
  const digits = unit === 0 || Math.abs(bytes) >= 100 || Number.isInteger(bytes) ? 0 : 1;
  return bytes.toFixed(digits) + " " + units[unit];
}

function formatRatio(ratio) {
  if (ratio === null || ratio === undefined) return "";
  return ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
}

function readReport() { return JSON.parse(document.getElementById("data").textContent); }

/**
 * Makes a table. Columns are {name, text(row), number, sort}. A column with `sort` has a button in
 * its heading that orders the rows by `sort`. `firstCell` may make the content of the first column.
 * Returns the table and its entries {row, line, detail}. A caller may set `detail` to a second line
 * of the table. This line then stays below the first one when the order changes.
 */
function sortableTable(caption, columns, rows, firstCell) {
  const body = element("tbody", {});
  const table = element("table", { class: "figures", "aria-label": caption });
  const entries = rows.map((row) => ({ row, line: lineOf(columns, row, firstCell), detail: null }));
  const headings = columns.map((column) => headingOf(column));
  headings.forEach((heading, index) => heading.querySelector("button")?.addEventListener("click",
    () => sortBy(index)));
  table.append(element("thead", {}, element("tr", {}, ...headings)), body);
  show();

  function show() {
    for (const entry of entries) {
      body.append(entry.line);
      if (entry.detail !== null) body.append(entry.detail);
    }
  }

  function sortBy(index) {
    const column = columns[index];
    const before = headings[index].getAttribute("aria-sort");
    // Numbers are first sorted from the largest one down, texts from A.
    const first = column.number ? "descending" : "ascending";
    const second = column.number ? "ascending" : "descending";
    const order = before === first ? second : first;
    headings.forEach((heading) => heading.removeAttribute("aria-sort"));
    headings[index].setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    entries.sort((a, b) => sign * compare(column.sort(a.row), column.sort(b.row)));
    show();
  }

  return { table, entries };
}

function compare(a, b) {
  if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
  return a - b;
}

function headingOf(column) {
  const button = () => element("button", { type: "button" }, column.name);
  const content = column.sort ? button() : column.name;
  return element("th", { scope: "col", class: column.number ? "number" : null }, content);
}

function lineOf(columns, row, firstCell) {
  const cells = columns.map((column, index) => element("td",
    { class: column.number ? "number" : null },
    index === 0 && firstCell ? firstCell(row) : column.text(row)));
  return element("tr", {}, ...cells);
}
