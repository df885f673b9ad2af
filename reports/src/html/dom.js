// Elements. Text is always text: nothing here makes markup of what a reader said.
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// Addresses inside the page. A `%` comes first in what is kept readable.
const path = (...parts) =>
  "#/" + parts.map((part) => encodeURIComponent(part).replace(/%2F/g, "/").replace(/%40/g, "@")).join("/");
const casePath = (index) => path("case", ids[index]);
const rulePath = (rule) => path("rule", data.rules[rule].format, data.rules[rule].id || "-");
const readerPath = (reader) => path("reader", reader.name);

const mark = (kind, label) =>
  h("span", { class: `mark ${kind || "none"}`, role: "img", "aria-label": label || WORDS[kind] || "not run", title: label || WORDS[kind] || "not run" },
    kind ? MARKS[kind] : "·");

/** The marks of all kinds that there are, with their numbers. */
function tally(found) {
  const words = KINDS.filter((kind) => found[kind] > 0).map((kind) => `${found[kind]} ${WORDS[kind]}`);
  const kind = worst(found);
  const number = kind === "pass" ? found.all : found[kind];
  return { kind, label: words.join(", ") || "no case", number };
}

function share(label, value, explanation) {
  const number = parseFloat(value);
  return h("span", { class: "share", title: explanation },
    h("span", {}, label),
    h("meter", { min: 0, max: 100, value: number, "aria-label": label }, value),
    h("b", {}, value));
}

const shares = (reader) => [
  reader.proven ? share("proven", reader.proven, "The share of passes that show that the reader distinguishes valid from malformed traces") : null,
  reader.observed ? share("reported members", reader.observed, "The share of the record members that the reader reports, in the traces that it reads correctly") : null,
];

const crumbs = (...parts) =>
  h("nav", { class: "crumbs", "aria-label": "Breadcrumbs" },
    parts.map(([label, address], index) => [
      index > 0 ? h("span", { "aria-hidden": true }, " › ") : null,
      address ? h("a", { href: address, "data-up": index === parts.length - 2 }, label) : h("span", {}, label),
    ]));

const definition = (rows) =>
  h("dl", { class: "facts" }, rows.filter((row) => row && row[1] !== null && row[1] !== undefined && row[1] !== "")
    .map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]));

function say(words) {
  const status = document.getElementById("status");
  if (status) status.textContent = words;
}
