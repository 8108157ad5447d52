// The tree of relations, as a list of rows with levels: plans nest deeper than elements may.

const DEEPEST = 14;

class Tree {
  constructor(plan, chosen) {
    this.plan = plan;
    this.chosen = chosen;
    this.closed = new Set();
    this.rows = [];
    this.at = 0;
    this.element = make("div", { class: "tree", role: "tree", "aria-label": "Relations of the plan, its result first" });
    plan.nodes.forEach((node) => this.row(node));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("mouseleave", () => chosen.hover(-1));
    if (this.rows.length) this.rows[0].tabIndex = 0;
  }

  row(node) {
    const { number } = node;
    const inside = this.plan.below[number].length > 0;
    const siblings = node.above === undefined ? [number] : this.plan.below[node.above];
    const problems = this.plan.problems.get(number) || [];
    const wrong = problems.some((problem) => problem[0] === "error");
    const row = make("div", {
      role: "treeitem",
      id: `n${number}`,
      tabindex: "-1",
      "aria-level": node.depth + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(number) + 1,
      "aria-expanded": inside ? "true" : null,
      "aria-selected": "false",
      class: `row k-${family(node.word)}${problems.length ? (wrong ? " wrong" : " warned") : ""}`,
    });
    row.style.setProperty("--level", Math.min(node.level, DEEPEST));
    row.append(make("span", { class: "fold", "aria-hidden": "true" }));
    const line = make("span", { class: "says" });
    if (node.entry !== undefined && (this.plan.outputs || []).length > 1) line.append(make("i", null, `relation ${node.entry} `));
    if (node.subquery) line.append(make("i", null, `subquery ${node.subquery} `));
    if (node.role) put(line.appendChild(make("i")), `${node.role.replace(/_/g, " ")} `);
    if (node.level > DEEPEST) line.append(make("i", null, `depth ${node.level} `));
    line.append(make("b", null, node.word), " ");
    put(line.appendChild(make("span", { class: "parts" })), short(node.summary, 400));
    row.append(line);
    for (const problem of problems) {
      row.append(put(make("strong", { class: `badge ${problem[0]}`, title: problem[3] }), problem[1]));
    }
    row.addEventListener("mouseenter", () => this.chosen.hover(number));
    row.addEventListener("click", (event) => {
      if (event.target.className === "fold") this.fold(number, !this.closed.has(number));
      this.chosen.select(number, "tree");
    });
    this.rows.push(row);
    this.element.append(row);
  }

  visible(number) {
    return !this.rows[number].hidden;
  }

  fold(number, close) {
    if (!this.plan.below[number].length) return;
    if (close) this.closed.add(number);
    else this.closed.delete(number);
    this.rows[number].setAttribute("aria-expanded", String(!close));
    this.plan.nodes.forEach((node) => {
      const above = this.rows[node.above];
      this.rows[node.number].hidden = Boolean(above) && (above.hidden || this.closed.has(node.above));
    });
  }

  // Opens all above a relation, so that it is seen.
  show(number) {
    for (let at = this.plan.nodes[number].above; at !== undefined; at = this.plan.nodes[at].above) {
      if (this.closed.has(at)) this.fold(at, false);
    }
    reveal(this.rows[number], this.element);
  }

  select(number, focus) {
    const before = this.rows[this.at];
    before.tabIndex = -1;
    before.setAttribute("aria-selected", "false");
    this.at = number;
    this.show(number);
    const row = this.rows[number];
    row.tabIndex = 0;
    row.setAttribute("aria-selected", "true");
    if (focus) row.focus({ preventScroll: true });
  }

  mark(numbers, name) {
    for (const row of this.element.querySelectorAll(`.${name}`)) row.classList.remove(name);
    for (const number of numbers) this.rows[number].classList.add(name);
  }

  next(from, step) {
    let at = from + step;
    while (at >= 0 && at < this.rows.length && !this.visible(at)) at += step;
    return at >= 0 && at < this.rows.length ? at : from;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const open = this.plan.below[this.at].length && !this.closed.has(this.at);
    let to = this.at;
    switch (event.key) {
      case "ArrowDown": to = this.next(this.at, 1); break;
      case "ArrowUp": to = this.next(this.at, -1); break;
      case "Home": to = 0; break;
      case "End": to = this.next(this.rows.length, -1); break;
      case "ArrowRight":
        if (open) to = this.plan.below[this.at][0];
        else this.fold(this.at, false);
        break;
      case "ArrowLeft":
        if (open) this.fold(this.at, true);
        else if (this.plan.nodes[this.at].above !== undefined) to = this.plan.nodes[this.at].above;
        break;
      case "Enter":
      case " ": this.chosen.select(this.at, "tree"); break;
      default: return;
    }
    event.preventDefault();
    if (to !== this.at) this.chosen.select(to, "tree");
  }
}

function family(word) {
  if (/join|cross/.test(word)) return "join";
  if (/read|reference/.test(word)) return "read";
  if (/filter|fetch|top n/.test(word)) return "rows";
  if (/aggregate|window|expand/.test(word)) return "group";
  if (/write|ddl|update/.test(word)) return "write";
  return "other";
}

const short = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
