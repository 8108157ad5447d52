// Elements and texts. Whatever a plan says becomes text here, and nothing else does: no markup is ever parsed.

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Characters that are not seen, or that turn the order of others around.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// A text in an element, unseen characters as what they are called.
function put(element, text) {
  let at = 0;
  for (const found of text.matchAll(UNSEEN)) {
    element.append(text.slice(at, found.index));
    const code = found[0].charCodeAt(0).toString(16).padStart(4, "0");
    element.append(make("span", { class: "unseen" }, `\\u${code}`));
    at = found.index + found[0].length;
  }
  element.append(text.slice(at));
  return element;
}

const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const byId = (id) => document.getElementById(id);

function say(text) {
  byId("status").textContent = text;
}

function section(title, note, ...children) {
  const id = `s-${title.toLowerCase().replace(/\W+/g, "-")}`;
  const heading = make("h3", { id }, title);
  if (note) heading.append(" ", make("small", null, note));
  return make("section", { "aria-labelledby": id }, heading, ...children);
}

// A table that may scroll by itself. rows: lists of texts and elements.
function table(caption, heads, rows) {
  const body = make("tbody");
  for (const cells of rows) {
    const row = make("tr");
    cells.forEach((cell, i) => {
      const holder = make(i ? "td" : "th", i ? null : { scope: "row" });
      row.append(typeof cell === "string" ? put(holder, cell) : (holder.append(cell), holder));
    });
    body.append(row);
  }
  const head = make("tr", null, ...heads.map((name) => make("th", { scope: "col" }, name)));
  return make("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": caption },
    make("table", null, make("thead", null, head), body));
}
