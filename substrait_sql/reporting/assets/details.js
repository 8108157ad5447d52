// What stands below the tree and the SQL: the relation that is chosen, and the facts of the plan.

function details(plan, node, chosen) {
  const said = plan.nodes[node];
  const parts = make("ul", { class: "says-all" });
  for (const part of said.parts) parts.append(put(make("li"), part));
  const where = make("p", { class: "path" }, put(make("code"), pathOf(plan, node)));
  const problems = (plan.problems.get(node) || []).map(problemCard);
  const rows = said.columns.map((column, i) => [
    columnButton(plan, node, i, chosen),
    typeOf(plan, column),
    madeOf(plan, column),
  ]);
  const title = `${said.role ? `${said.role.replace(/_/g, " ")} ` : ""}${said.word}`;
  return section("Relation", title, ...problems, parts,
    rows.length ? table(`Columns of ${title}`, ["column", "type", "made of"], rows) : make("p", null, "It returns no columns, as far as is known."),
    where);
}

function pathOf(plan, node) {
  const steps = [];
  for (let at = node; at !== undefined; at = plan.nodes[at].above) steps.push(plan.nodes[at].at);
  return steps.filter(Boolean).reverse().join(".");
}

function columnButton(plan, node, i, chosen) {
  const name = nameOf(plan.nodes[node].columns[i], i);
  const button = make("button", { type: "button", class: "column", title: "Where it comes from" });
  button.addEventListener("click", () => chosen.trace(node, i));
  return put(button, name);
}

function madeOf(plan, column) {
  if (column.length < 3) return "not known";
  const functions = (column[3] || []).map((f) => plan.functions[f]);
  const places = pairs(column[2]).map((place) => placeName(plan, place));
  if (!functions.length && !places.length) return "a constant";
  return functions.length ? `${functions.join(", ")}${places.length ? " of " : ""}${places.join(", ")}` : places.join(", ");
}

function problemCard([severity, code, name, message, path, hint]) {
  const card = make("div", { class: `problem ${severity}` });
  const head = make("p", null, make("strong", null, `${code} `), make("small", null, name.replace(/_/g, " ")));
  card.append(head, put(make("p"), message));
  if (hint) card.append(put(make("p", { class: "hint" }), hint));
  if (path) card.append(make("p", { class: "path" }, put(make("code"), path)));
  return card;
}

// The facts of the plan, a section each.
function factsOf(plan, chosen) {
  const found = [];
  if (plan.diagnostics.length && plan.sql) found.push(section("Diagnostics", count(plan.diagnostics.length, "finding"), ...problemCards(plan, chosen)));
  for (const output of plan.outputs || []) found.push(results(plan, output, chosen));
  if ((plan.tables || []).length) found.push(tablesOf(plan, chosen));
  if ((plan.parameters || []).length) found.push(section("Parameters", "given when it runs", table("Parameters", ["parameter", "type"], plan.parameters)));
  if (!plan.unread) found.push(producer(plan));
  const settings = SHARED.settings[plan.settings];
  if (settings && settings.length) {
    const summary = make("summary", null, `Settings that the SQL relies on (${settings.length})`);
    found.push(make("details", null, summary, table("Settings", ["setting", "value"], settings)));
  }
  return found;
}

// All diagnostics, what is wrong before what is only said.
function problemCards(plan, chosen) {
  const order = ["error", "warning", "info"];
  const sorted = [...plan.diagnostics].sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  return sorted.map((problem) => {
    const card = problemCard(problem);
    if (problem[6] >= 0) {
      const button = make("button", { type: "button", onclick: () => chosen.select(problem[6], "link") });
      card.append(put(button, `Show the ${plan.nodes[problem[6]].word}`));
    }
    return card;
  });
}

function results(plan, output, chosen) {
  const several = plan.outputs.length > 1;
  const spark = output.columns.some((column) => column[2]);
  const rows = output.columns.map((column, i) => {
    const button = make("button", { type: "button", class: "column", onclick: () => chosen.trace(output.node, i) });
    put(button, column[0] || `$${i}`);
    const sources = pairs(column[3]).map((place) => placeName(plan, place));
    const functions = column[4].map((f) => plan.functions[f]);
    const from = sources.join(", ") || (column[5] ? "no column" : "");
    const cells = [button, plan.types[column[1]] || ""];
    if (spark) cells.push(column[2]);
    return [...cells, column[5] ? from : `${from}${from ? ", and more that is" : ""} not known`, functions.join(", ")];
  });
  const heads = ["column", "type", ...(spark ? ["in Spark"] : []), "comes from", "functions on the way"];
  const word = output.written ? "Written" : "Result";
  const title = several ? `${word} of relation ${output.relation}` : word;
  return section(title, count(rows.length, "column"), table(title, heads, rows));
}

function tablesOf(plan, chosen) {
  const rows = plan.tables.map(([deed, name, columns, nodes]) => {
    const holder = make("span");
    nodes.slice(0, 12).forEach((node, i) => {
      const title = `Show the relation that ${deed} ${name}`;
      holder.append(make("button", { type: "button", title, onclick: () => chosen.select(node, "link") }, String(i + 1)), " ");
    });
    if (nodes.length > 12) holder.append(`… ${nodes.length}`);
    return [name, deed, short(columns.join(", "), 600), holder];
  });
  return section("Tables and files", count(rows.length, "table"), table("Tables and files", ["name", "what", "columns", "where"], rows));
}

function producer(plan) {
  const who = [plan.producer || "unknown", plan.version].filter(Boolean).join(" ");
  const found = section("Producer", who);
  const here = plan.habits.filter((habit) => habit[1]);
  const others = plan.habits.filter((habit) => !habit[1]);
  if (here.length) found.append(make("p", null, "Its plans depart from the specification. In this one that makes a difference:"));
  for (const [row, , changes] of here) found.append(habit(SHARED.habits[row], changes));
  if (!here.length) {
    const text = plan.habits.length ? "None of the habits of its producer makes a difference to this plan." : "No habits of this producer are known: the plan is read by the specification.";
    found.append(make("p", null, text));
  }
  if (others.length) {
    const list = make("ul", null, ...others.map(([row]) => put(make("li"), `${SHARED.habits[row][1]} (${SHARED.habits[row][2]})`)));
    found.append(make("details", null, make("summary", null, `${count(others.length, "habit")} without effect here`), list));
  }
  return found;
}

function habit([name, meaning, evidence], changes) {
  const card = make("div", { class: "habit" }, make("p", null, make("strong", null, meaning)));
  card.append(put(make("p", { class: "hint" }), `${name.replace(/_/g, " ")}; seen in: ${evidence}`));
  for (const [before, after] of changes) {
    const pre = make("pre", { tabindex: "0", "aria-label": "By the specification, and as it is meant" });
    for (const [sign, text, kind] of [["−", before, "del"], ["+", after, "ins"]]) {
      for (const line of text ? text.split("\n") : []) pre.append(put(make(kind), `${sign} ${line}`), "\n");
    }
    card.append(pre);
  }
  return card;
}
