// The flame graph: a bar for each function, as long as the calls below it took. The bars of the
// functions that it called lie on top of it. Only bars that can be seen are elements of the page.

const leastShare = 1 / 500;  // of the width
const bar_em = 1.5;

/** Puts stacks together. A stack is {names, seconds}, and the outermost name is the first. */
function flameTree(stacks) {
  const root = { name: "all", seconds: 0, parent: null, level: 0, children: new Map() };
  for (const { names, seconds } of stacks) {
    let node = root;
    node.seconds += seconds;
    for (const name of names) {
      if (!node.children.has(name)) {
        node.children.set(name, { name, seconds: 0, parent: node, level: node.level + 1,
          children: new Map() });
      }
      node = node.children.get(name);
      node.seconds += seconds;
    }
  }
  return root;
}

/** The bars of a tree that is zoomed to one of its nodes: {node, left, width}, in shares of 1. */
function flameBars(zoomed) {
  const bars = [];
  for (let below = zoomed.parent; below !== null; below = below.parent) {
    bars.unshift({ node: below, left: 0, width: 1 });
  }
  const add = (node, left, width) => {
    if (width < leastShare) return;
    bars.push({ node, left, width });
    const children = [...node.children.values()].sort((a, b) => b.seconds - a.seconds);
    for (const child of children) {
      const share = width * child.seconds / node.seconds;
      add(child, left, share);
      left += share;
    }
  };
  add(zoomed, 0, 1);
  return bars;
}

function flameText(node, root) {
  const percent = (100 * node.seconds / root.seconds).toFixed(1);
  return node.name + ": " + formatSeconds(node.seconds) + ", " + percent + " %";
}

/**
 * A flame graph of stacks that have taken some time. A click or Enter zooms in, and Escape zooms
 * out. The arrow keys go from bar to bar.
 */
function flameGraph(stacks, description) {
  const root = flameTree(stacks);
  const graph = element("div", { class: "flames", role: "group", "aria-label": description });
  let shown = [];

  function show(zoomed, takesFocus) {
    shown = flameBars(zoomed).map((bar) => ({ ...bar, button: buttonOf(bar, zoomed) }));
    graph.replaceChildren(...shown.map((bar) => bar.button));
    const levels = 1 + shown.reduce((most, bar) => Math.max(most, bar.node.level), 0);
    graph.style.height = levels * bar_em + "em";
    if (takesFocus) focusOn(shown.find((bar) => bar.node === zoomed));
  }

  function buttonOf({ node, left, width }, zoomed) {
    const text = flameText(node, root);
    const button = element("button", { type: "button", title: text, "aria-label": text,
      tabindex: node === zoomed ? "0" : "-1", class: node.level % 2 === 0 ? "even" : null },
    node.name);
    button.style.left = 100 * left + "%";
    button.style.width = 100 * width + "%";
    button.style.bottom = node.level * bar_em + "em";
    button.addEventListener("click", () => show(node, true));
    return button;
  }

  // One bar is a stop of the Tab key.
  function focusOn(bar) {
    if (bar === undefined) return;
    shown.forEach((other) => other.button.setAttribute("tabindex", "-1"));
    bar.button.setAttribute("tabindex", "0");
    bar.button.focus();
  }

  function neighbour(current, key) {
    const beside = shown.filter((bar) => bar.node.level === current.node.level);
    const place = beside.indexOf(current);
    switch (key) {
      case "ArrowUp": return shown.find((bar) => bar.node.parent === current.node);
      case "ArrowDown": return shown.find((bar) => bar.node === current.node.parent);
      case "ArrowLeft": return beside[place - 1];
      default: return beside[place + 1];
    }
  }

  graph.addEventListener("keydown", (event) => {
    const current = shown.find((bar) => bar.button === document.activeElement);
    if (event.key === "Escape") show(root, true);
    else if (event.key.startsWith("Arrow") && current) focusOn(neighbour(current, event.key));
    else return;
    event.preventDefault();
  });
  show(root, false);
  return graph;
}
