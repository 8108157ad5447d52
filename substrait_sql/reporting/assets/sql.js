// The SQL: lines of segments, each of which belongs to the same ranges from its first character to its last.

const TOKEN = /\/\*[\s\S]*?\*\/|--[^\n]*|'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|"(?:[^"\\]|\\.)*"|\b\d[\w.]*|\w+|\s+|[^\s\w]/g;
const WORD = /^[A-Z][A-Z_]*$/;

function kindOf(token, next) {
  if (token.startsWith("/*") || token.startsWith("--")) return "comment";
  if (/^['"]/.test(token)) return "text";
  if (token[0] === "`") return "name";
  if (/^\d/.test(token)) return "number";
  if (WORD.test(token)) return next === "(" && !KEYWORDS.has(token) ? "call" : "word";
  return next === "(" && /^\w/.test(token) ? "call" : "";
}
const KEYWORDS = new Set(["IN", "EXISTS", "OVER", "VALUES", "AND", "OR", "NOT", "ON", "AS", "WHERE", "FROM", "BY", "SETS", "FILTER", "GROUP", "UNION", "ALL", "SELECT", "WHEN", "THEN", "ELSE", "BETWEEN", "LATERAL", "JOIN", "HAVING"]);

class SqlPane {
  constructor(plan, chosen) {
    this.plan = plan;
    this.segments = [];
    this.lines = [];
    this.starts = [];
    this.cursor = -1;
    this.element = make("div", { class: "sql", tabindex: "0", role: "group", "aria-label": "SQL. Up and down go from line to line; each selects the relation that begins there." });
    this.build();
    const over = (event) => {
      const place = this.under(event.target);
      chosen.hover(place ? place.node : -1, place);
    };
    this.element.addEventListener("mouseover", over);
    this.element.addEventListener("mouseleave", () => chosen.hover(-1));
    this.element.addEventListener("click", (event) => {
      if (String(getSelection())) return;
      const place = this.under(event.target);
      if (place) chosen.select(place.node, "sql");
    });
    this.element.addEventListener("keydown", (event) => this.key(event, chosen));
  }

  build() {
    const { sql } = this.plan;
    const cuts = new Set();
    for (const place of this.plan.places) cuts.add(place.begin).add(place.end);
    const tokens = [...sql.matchAll(TOKEN)];
    let line = this.line(0);
    tokens.forEach((token, i) => {
      const kind = kindOf(token[0], tokens[i + 1] && tokens[i + 1][0]);
      let begin = token.index;
      const end = begin + token[0].length;
      for (let at = begin; at < end; at++) {
        const breaks = sql[at] === "\n";
        if (at > begin && (cuts.has(at) || breaks)) {
          this.segment(line, begin, at, kind);
          begin = at;
        }
        if (breaks) {
          line = this.line(at + 1);
          begin = at + 1;
        }
      }
      if (begin < end) this.segment(line, begin, end, kind);
    });
  }

  line(start) {
    const code = make("code");
    const row = make("div", { class: "line" }, make("span", { class: "no", "aria-hidden": "true" }), code);
    row.firstChild.textContent = this.lines.length + 1;
    this.lines.push(row);
    this.starts.push(start);
    this.element.append(row);
    return code;
  }

  segment(line, begin, end, kind) {
    const element = put(make("span", kind ? { class: `t-${kind}` } : null), this.plan.sql.slice(begin, end));
    element.begin = begin;
    this.segments.push({ begin, end, element, line: this.lines.length - 1 });
    line.append(element);
  }

  under(target) {
    while (target && target !== this.element && target.begin === undefined) target = target.parentNode;
    return target && target.begin !== undefined ? placeAt(this.plan, target.begin) : null;
  }

  // The segments of a range, found by halving.
  within(begin, end) {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].end <= begin) low = middle + 1;
      else high = middle;
    }
    let last = low;
    while (last < this.segments.length && this.segments[last].begin < end) last++;
    return this.segments.slice(low, last);
  }

  dark(name) {
    for (const each of this.element.querySelectorAll(`.${name}`)) each.classList.remove(name);
  }

  light(ranges, name) {
    let first = null;
    for (const [begin, end] of ranges) {
      for (const segment of this.within(begin, end)) {
        segment.element.classList.add(name);
        this.lines[segment.line].classList.add(name);
        if (!first || segment.line < first) first = segment.line;
      }
    }
    return first === null ? null : this.lines[first];
  }

  relation(node, name) {
    this.dark(name);
    this.dark(`${name}-query`);
    if (node < 0 || !this.plan.spans[node]) return null;
    const [main, query] = this.plan.spans[node];
    const whole = query.length ? [query] : [];
    for (const [begin, end] of whole) {
      for (const { line } of this.within(begin, end)) this.lines[line].classList.add(`${name}-query`);
    }
    if (main.length) return this.light(pairs(main), name);
    for (const each of this.element.querySelectorAll(`.${name}-query`)) each.classList.add(name);
    return whole.length ? this.lines[this.within(...whole[0])[0].line] : null;
  }

  key(event, chosen) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.cursor = Math.min(Math.max(this.cursor + step, 0), this.lines.length - 1);
    this.dark("cursor");
    this.lines[this.cursor].classList.add("cursor");
    const text = this.plan.sql.slice(this.starts[this.cursor]);
    const place = placeAt(this.plan, this.starts[this.cursor] + text.search(/\S/));
    if (place) chosen.select(place.node, "sql");
    reveal(this.lines[this.cursor], this.element);
  }
}

// Scrolls a pane, not the page, so far that an element in it is seen.
function reveal(element, pane) {
  const box = element.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  if (box.top < frame.top) pane.scrollTop -= frame.top - box.top + 24;
  else if (box.bottom > frame.bottom) pane.scrollTop += Math.min(box.bottom - frame.bottom + 24, box.top - frame.top - 24);
}
