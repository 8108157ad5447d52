// The data of the page: each plan is read when somebody looks at it.

const SHARED = JSON.parse(byId("shared").textContent);
const SOURCES = document.querySelectorAll("script.plan");
const READ = new Map();

function planOf(number) {
  if (!READ.has(number)) READ.set(number, prepared(JSON.parse(SOURCES[number].textContent)));
  return READ.get(number);
}

function prepared(plan) {
  plan.nodes = plan.nodes || [];
  plan.spans = plan.spans || [];
  const below = plan.nodes.map(() => []);
  plan.nodes.forEach((node, i) => {
    if (node.above !== undefined) below[node.above].push(i);
  });
  plan.below = below;
  plan.problems = new Map();
  for (const problem of plan.diagnostics) {
    const known = plan.problems.get(problem[6]) || [];
    plan.problems.set(problem[6], [...known, problem]);
  }
  plan.nodes.forEach((node, i) => {
    const above = plan.nodes[node.above];
    node.number = i;
    node.depth = above ? above.depth + 1 : 0;
    node.level = above ? above.level + (below[node.above].length > 1 ? 1 : 0) : 0;
    node.summary = node.parts.join("; ");
  });
  plan.places = placesOf(plan);
  return plan;
}

// All ranges of the text, for finding whose a character is.
function placesOf(plan) {
  const found = [];
  plan.spans.forEach(([main, query, parts], node) => {
    for (let i = 0; i < main.length; i += 2) found.push({ begin: main[i], end: main[i + 1], node, at: "" });
    for (const [begin, end, at] of parts) found.push({ begin, end, node, at });
    if (query.length) found.push({ begin: query[0], end: query[1], node, at: "" });
  });
  return found;
}

// The smallest range about a character; of equal ones that of the outermost relation that says something there.
function placeAt(plan, offset) {
  let best = null;
  for (const place of plan.places) {
    if (place.begin > offset || place.end <= offset) continue;
    if (!best || place.end - place.begin < best.end - best.begin) best = place;
  }
  return best;
}

const pairs = (numbers) => numbers.flatMap((n, i) => (i % 2 ? [] : [[n, numbers[i + 1]]]));

const typeOf = (plan, column) => plan.types[column[1]] || "";
const nameOf = (column, i) => column[0] || `$${i}`;

function placeName(plan, [node, column]) {
  if (column < 0) {
    const read = plan.nodes[node];
    const name = (read.source && read.source[-1 - column]) || `column ${-1 - column}`;
    return `${tableName(read)}.${name}`;
  }
  return nameOf(plan.nodes[node].columns[column] || [""], column);
}

const tableName = (node) => node.parts[0].replace(/ \([\d,]+ .*$/s, "");

// All that an output column of a relation comes from: relations, expressions, columns of tables.
function traced(plan, node, column) {
  const seen = new Set();
  const found = { nodes: new Set(), parts: [], sources: [] };
  const waiting = [[node, column]];
  while (waiting.length) {
    const [at, i] = waiting.pop();
    const key = `${at}.${i}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.nodes.add(at);
    if (i < 0) {
      found.sources.push([at, i]);
      continue;
    }
    const made = plan.nodes[at].columns[i];
    if (!made || made.length < 3) continue;
    if (made[4]) found.parts.push([at, made[4]]);
    waiting.push(...pairs(made[2]).reverse());
  }
  return found;
}
