// What is seen: the index, one plan, and what is chosen in it. The address says which: #3 is a plan, #3.12 a relation.

class Index {
  constructor() {
    this.element = byId("index");
    this.links = [];
    if (SHARED.plans.length < 2) {
      this.element.hidden = true;
      return;
    }
    const list = make("ol");
    SHARED.plans.forEach((plan, i) => {
      const link = make("a", { href: `#${i}` }, make("span", { class: `dot ${stateOf(plan)}`, title: stateOf(plan) }));
      const cut = plan.label.lastIndexOf("/") + 1;
      const name = put(link.appendChild(make("span")), plan.label.slice(cut));
      if (cut) put(name.appendChild(make("small", { class: "folder" })), plan.label.slice(0, cut - 1));
      link.append(make("small", { class: "hits" }));
      this.links.push(link);
      list.append(make("li", null, link));
    });
    const open = matchMedia("(min-width: 60rem)").matches;
    this.element.append(make("details", { open }, make("summary", null, count(SHARED.plans.length, "plan")), list));
  }

  dim(counts) {
    this.links.forEach((link, i) => {
      link.classList.toggle("dim", Boolean(counts) && !counts[i]);
      link.lastChild.textContent = counts && counts[i] ? ` ${counts[i]}` : "";
    });
  }

  mark(number) {
    this.links.forEach((link, i) => {
      if (i === number) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    const link = this.links[number];
    if (link) reveal(link, this.element);
  }
}

const stateOf = (plan) => (plan.ok ? (plan.warned ? "warned" : "ok") : "refused");

class View {
  constructor() {
    this.main = byId("main");
    this.index = new Index();
    this.current = -1;
    this.node = -1;
    this.tree = null;
    this.search = new Search(this);
    addEventListener("hashchange", () => this.route());
    addEventListener("beforeprint", () => this.forPaper());
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      const step = { "]": 1, "[": -1 }[event.key];
      if (typing || !step || event.ctrlKey || event.metaKey) return;
      const to = this.current + step;
      if (to >= 0 && to < SHARED.plans.length) this.show(to, -1);
    });
  }

  route() {
    const [plan, node] = location.hash.slice(1).split(".").map((n) => (/^\d+$/.test(n) ? Number(n) : -1));
    if (plan >= 0 && plan < SHARED.plans.length) this.draw(plan, node === undefined ? -1 : node);
    else if (SHARED.plans.length === 1) this.draw(0, -1);
    else this.overview();
  }

  show(plan, node) {
    const hash = `#${plan}${node >= 0 ? `.${node}` : ""}`;
    if (location.hash !== hash) history.pushState(null, "", hash);
    this.draw(plan, node);
  }

  focus() {
    if (this.tree && this.tree.rows.length) this.tree.rows[this.tree.at].focus({ preventScroll: true });
    else this.main.focus();
  }

  overview() {
    this.current = -1;
    this.tree = this.sql = null;
    this.index.mark(-1);
    const refused = SHARED.plans.filter((plan) => !plan.ok).length;
    const rows = SHARED.plans.map((plan, i) => [
      put(make("a", { href: `#${i}` }), plan.label),
      make("span", { class: `verdict ${stateOf(plan)}` }, `${stateOf(plan)}${plan.codes.length ? ` ${plan.codes.join(" ")}` : ""}`),
      String(plan.relations), String(plan.tables), String(plan.lines), plan.by,
    ]);
    this.main.replaceChildren(
      make("h2", null, `${count(SHARED.plans.length, "plan")}`),
      make("p", null, `${SHARED.plans.length - refused} have SQL, ${refused} are refused.`),
      table("All plans", ["plan", "verdict", "relations", "tables", "lines", "producer"], rows));
  }

  draw(number, node) {
    if (this.current !== number) this.build(number);
    if (node >= 0 && node < this.plan.nodes.length) this.select(node, "link", true);
  }

  build(number) {
    this.current = number;
    this.plan = planOf(number);
    this.index.mark(number);
    const { plan } = this;
    this.tree = plan.nodes.length ? new Tree(plan, this) : null;
    this.sql = plan.sql ? new SqlPane(plan, this) : null;
    this.about = make("div", { class: "about" });
    this.main.replaceChildren(this.head(number), this.panes(), this.about, ...factsOf(plan, this));
    this.main.scrollTop = 0;
    const wrong = plan.diagnostics.find((problem) => problem[6] >= 0 && problem[0] === "error");
    this.node = -1;
    if (this.tree) this.select(wrong ? wrong[6] : 0, "start");
    document.title = plan.label;
  }

  head(number) {
    const line = SHARED.plans[number];
    const head = make("div", { class: "head" }, put(make("h2"), line.label));
    const facts = [count(line.relations, "relation"), line.lines ? count(line.lines, "line") : "", line.by, `dialect ${this.plan.dialect}`];
    head.append(make("span", { class: `verdict ${stateOf(line)}` }, stateOf(line)));
    head.append(put(make("p"), facts.filter(Boolean).join(" · ")));
    return head;
  }

  panes() {
    const panes = make("div", { class: "panes" });
    if (this.tree) panes.append(make("section", { class: "pane", "aria-label": "Plan" }, make("h3", null, "Plan"), this.tree.element));
    if (!this.sql) {
      const wrong = make("div", { class: "wrongs" }, ...problemCards(this.plan, this));
      panes.append(make("section", { class: "pane", "aria-label": "Refused" }, make("h3", null, this.plan.unread ? "This is no plan" : "Why there is no SQL"), wrong));
      return panes;
    }
    const right = make("section", { class: "pane", "aria-label": "SQL" }, make("h3", null, "SQL"));
    right.firstChild.append(" ", make("button", { type: "button", class: "copy", onclick: () => this.copy() }, "Copy"));
    right.append(this.sql.element);
    panes.append(right);
    return panes;
  }

  copy() {
    navigator.clipboard.writeText(this.plan.sql).then(() => say("The SQL is in the clipboard"), () => say("The browser does not allow it"));
  }

  // -- what is chosen ---------------------------------------------------------------------------------------------

  hover(node) {
    if (this.tree) this.tree.mark(node < 0 ? [] : [node], "hover");
    if (this.sql) {
      const first = this.sql.relation(node, "hover");
      if (!first) this.sql.dark("hover");
    }
  }

  select(node, from, quiet) {
    this.untrace();
    this.node = node;
    this.tree.select(node, from === "tree");
    const first = this.sql ? this.sql.relation(node, "on") : null;
    if (first && from !== "sql" && from !== "start") reveal(first, this.sql.element);
    this.about.replaceChildren(details(this.plan, node, this));
    const said = this.plan.nodes[node];
    if (from !== "start") {
      say(`${said.word} ${short(said.summary, 120)}`);
      if (!quiet) history.replaceState(null, "", `#${this.current}.${node}`);
    }
    if (from === "link") this.tree.element.scrollIntoView({ block: "nearest" });
  }

  trace(node, column) {
    const found = traced(this.plan, node, column);
    this.untrace();
    this.tree.mark(found.nodes, "trace");
    for (const number of found.nodes) this.tree.show(number);
    if (this.sql) {
      const ranges = [];
      for (const [at, field] of found.parts) {
        for (const [begin, end, name] of this.plan.spans[at][2]) if (name === field) ranges.push([begin, end]);
      }
      const first = this.sql.light(ranges, "trace");
      if (first) reveal(first, this.sql.element);
    }
    reveal(this.tree.rows[node], this.tree.element);
    const sources = found.sources.map((place) => placeName(this.plan, place));
    say(`${placeName(this.plan, [node, column])} comes from ${sources.join(", ") || "no column"}`);
  }

  untrace() {
    this.tree.mark([], "trace");
    if (this.sql) this.sql.dark("trace");
  }

  line(offset) {
    if (!this.sql) return;
    const [segment] = this.sql.within(offset, offset + 1);
    if (segment) reveal(this.sql.lines[segment.line], this.sql.element);
  }

  forPaper() {
    if (!this.tree) return;
    for (const number of [...this.tree.closed]) this.tree.fold(number, false);
  }
}

// -- light and dark -----------------------------------------------------------------------------------------------

function theme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  let said = "";
  try {
    said = localStorage.getItem("substrait-sql-theme") || "";
  } catch { /* a page that is a file may have no storage */ }
  const isDark = () => (said ? said === "dark" : system.matches);
  const apply = () => {
    if (said) document.documentElement.dataset.theme = said;
    button.textContent = isDark() ? "Light" : "Dark";
  };
  system.addEventListener("change", apply);
  button.addEventListener("click", () => {
    said = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("substrait-sql-theme", said);
    } catch { /* likewise */ }
    apply();
  });
  apply();
}

function start() {
  theme();
  new View().route();
}
