// One box for plans, relations, columns, tables and lines of SQL.

const MOST = 60;
const ENTRIES = new Map();

function entriesOf(number) {
  if (ENTRIES.has(number)) return ENTRIES.get(number);
  const plan = planOf(number);
  const found = [{ kind: "plan", text: plan.label, plan: number, node: -1 }];
  plan.nodes.forEach((node, i) => {
    found.push({ kind: node.word, text: node.summary, plan: number, node: i });
    node.columns.forEach((column) => {
      if (column[0] && column[4]) found.push({ kind: "column", text: column[0], plan: number, node: i });
    });
  });
  let at = 0;
  for (const line of plan.sql ? plan.sql.split("\n") : []) {
    const place = line.trim() && placeAt(plan, at + line.search(/\S/));
    if (line.trim()) found.push({ kind: "SQL", text: line.trim(), plan: number, node: place ? place.node : -1, offset: at });
    at += line.length + 1;
  }
  for (const problem of plan.diagnostics) found.push({ kind: problem[1], text: `${problem[1]} ${problem[2]} ${problem[3]}`, plan: number, node: problem[6] });
  for (const each of found) each.lower = `${each.kind} ${each.text}`.toLowerCase();
  ENTRIES.set(number, found);
  return found;
}

// What has all the words, the plan that is open first; and how many there are in each plan.
function matches(text, current) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts = SHARED.plans.map(() => 0);
  if (!words.length) return { found: [], counts: null, total: 0 };
  const order = SHARED.plans.map((_, i) => i).sort((a, b) => (b === current) - (a === current) || a - b);
  const found = [];
  let total = 0;
  for (const number of order) {
    for (const entry of entriesOf(number)) {
      if (!words.every((word) => entry.lower.includes(word))) continue;
      counts[number]++;
      total++;
      if (found.length < MOST) found.push(entry);
    }
  }
  return { found, counts, total };
}

class Search {
  constructor(view) {
    this.view = view;
    this.box = byId("search");
    this.list = byId("hits");
    this.found = [];
    this.at = -1;
    this.timer = 0;
    this.box.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), 90);
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focus", () => this.found.length && this.open(true));
    document.addEventListener("click", (event) => {
      if (!byId("finder").contains(event.target)) this.open(false);
    });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.box.focus();
      this.box.select();
    });
  }

  open(whether) {
    this.list.hidden = !whether;
    this.box.setAttribute("aria-expanded", String(whether));
    if (!whether) this.move(-1);
  }

  run() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { found, counts, total } = matches(this.box.value, this.view.current);
    this.found = found;
    this.list.replaceChildren(...found.map((entry, i) => this.option(entry, i)));
    if (total > found.length) this.list.append(make("li", { class: "more", role: "presentation" }, `… and ${total - found.length} more`));
    if (counts && !total) this.list.append(make("li", { class: "more", role: "presentation" }, "Nothing found"));
    this.view.index.dim(counts);
    this.open(Boolean(counts));
    this.move(found.length ? 0 : -1);
    say(counts ? `${count(total, "hit")}` : "");
  }

  option(entry, i) {
    const option = make("li", { role: "option", id: `hit${i}`, "aria-selected": "false" });
    option.append(make("i", null, entry.kind), " ");
    put(option.appendChild(make("span")), short(entry.text, 160));
    if (SHARED.plans.length > 1) put(option.appendChild(make("small")), SHARED.plans[entry.plan].label);
    option.addEventListener("click", () => this.go(i));
    return option;
  }

  move(to) {
    const before = this.list.children[this.at];
    if (before) before.setAttribute("aria-selected", "false");
    this.at = to;
    const option = this.list.children[to];
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      this.box.setAttribute("aria-activedescendant", option.id);
    } else this.box.removeAttribute("aria-activedescendant");
  }

  go(i) {
    const entry = this.found[i];
    if (!entry) return;
    this.open(false);
    this.view.show(entry.plan, entry.node);
    if (entry.node < 0 && entry.offset !== undefined) this.view.line(entry.offset);
    this.view.focus();
  }

  key(event) {
    // A key that comes sooner than the results is about what is typed, not about the results of less of it.
    if (this.timer && /^(ArrowDown|ArrowUp|Enter|Escape)$/.test(event.key)) this.run();
    const last = this.found.length - 1;
    if (event.key === "ArrowDown") this.move(Math.min(this.at + 1, last));
    else if (event.key === "ArrowUp") this.move(Math.max(this.at - 1, 0));
    else if (event.key === "Enter") this.go(this.at);
    else if (event.key === "Escape") {
      this.open(false);
      this.view.focus();
    } else return;
    event.preventDefault();
  }
}
