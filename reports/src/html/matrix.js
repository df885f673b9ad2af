// The first view: a card for each reader, and for each format a table of rules and readers.
const state = { query: "", show: "all", reader: "", format: "", open: new Set() };

const SHOWS = {
  all: ["All rules", () => true],
  trouble: ["Not all passing", (found) => found.some((f) => ["fail", "known", "excused", "doubt"].includes(worst(f)))],
  fail: ["Failing", (found) => found.some((f) => f.fail > 0)],
  known: ["Known failures", (found) => found.some((f) => f.known > 0)],
  doubt: ["Unproven", (found) => found.some((f) => f.doubt > 0)],
  gap: ["Unsupported", (found) => found.some((f) => f.gap > 0)],
  differ: ["Readers differ", (found) => new Set(found.filter((f) => f.all > 0).map(worst)).size > 1],
};

function isShown(rule) {
  const about = data.rules[rule];
  if (state.format && about.format !== state.format) return false;
  const chosen = counts[rule].filter((_, number) => !state.reader || readers[number].name === state.reader);
  if (state.reader && !chosen.some((found) => found.all > 0)) return false;
  if (!SHOWS[state.show][1](chosen)) return false;
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const hay = `${about.id} ${about.format} ${about.section} ${about.says}`.toLowerCase();
  return words.every((word) => hay.includes(word)) ||
    casesOf[rule].some((index) => words.every((word) => ids[index].toLowerCase().includes(word)));
}

const isFiltered = () => Boolean(state.query || state.reader || state.show !== "all");

function card(reader) {
  const totals = reader.totals;
  const failed = outcomesOf(reader).filter(([name]) => name !== "pass").map(([, words]) => words);
  return h("a", { class: `card row ${reader.tone}`, href: readerPath(reader) },
    h("span", { class: "name" }, reader.name, reader.version ? h("small", {}, ` ${reader.version}`) : null),
    h("span", { class: "headline" }, h("span", { class: "sign", "aria-hidden": true }, reader.mark), ` ${reader.headline}`),
    reader.absent ? h("span", { class: "faint" }, reader.absent) : [
      h("span", { class: "faint" }, plural(totals.planned, "case"), failed.length ? `: ${failed.join(", ")}` : ""),
      h("span", { class: "shares" }, shares(reader)),
    ]);
}

function cell(found, address, label) {
  if (found.all === 0) return h("td", { class: "none" }, "");
  const { kind, label: words, number } = tally(found);
  return h("td", { class: kind },
    h("a", { href: address, class: "nav", title: `${label}: ${words}`, "aria-label": `${label}: ${words}` },
      h("span", { class: "sign" }, MARKS[kind]), h("span", { class: "number" }, String(number))));
}

function ruleRow(rule, columns) {
  const about = data.rules[rule];
  return h("tr", { class: "row rule" },
    h("th", { scope: "row" }, h("a", { class: "nav", href: rulePath(rule), title: about.says }, about.id || "no rule")),
    columns.map((number) => cell(counts[rule][number], rulePath(rule), readers[number].name)));
}

function sectionBody(format, section, columns, shown) {
  const key = `${format.name}/${section.name}`;
  const sums = columns.map((number) => shown.reduce((sum, rule) => plus(sum, counts[rule][number]), noCounts()));
  const open = state.open.has(key) || (isFiltered() && !state.open.has(`-${key}`));
  const body = h("tbody", {});
  const toggle = () => {
    const now = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(now));
    state.open[now ? "add" : "delete"](key);
    state.open[now ? "delete" : "add"](`-${key}`);
    rows.forEach((row) => row.remove());
    if (now) body.append(...(rows = shown.map((rule) => ruleRow(rule, columns))));
  };
  const button = h("button", { class: "nav fold", type: "button", "aria-expanded": String(open), onclick: toggle },
    section.name, h("small", {}, ` ${shown.length}`));
  let rows = open ? shown.map((rule) => ruleRow(rule, columns)) : [];
  body.append(h("tr", { class: "row section" }, h("th", { scope: "rowgroup" }, button),
    sums.map((sum, place) => {
      const made = cell(sum, "#", readers[columns[place]].name);
      const link = made.querySelector("a");
      if (link) link.replaceWith(h("button", { class: "nav", type: "button", title: link.title, "aria-label": link.title, onclick: toggle }, ...link.childNodes));
      return made;
    })), ...rows);
  return body;
}

function formatTable(format) {
  const columns = format.readers.filter((number) => !state.reader || readers[number].name === state.reader);
  const sections = format.sections
    .map((section) => [section, section.rules.filter(isShown)])
    .filter(([, shown]) => shown.length > 0);
  if (sections.length === 0 || columns.length === 0) return null;
  return h("section", { class: "format" },
    h("h2", {}, format.name, h("small", {}, ` ${plural(format.rules, "rule")}, ${plural(format.cases, "case")}`)),
    h("div", { class: "scroll", tabindex: -1 },
      h("table", { class: columns.length > 4 ? "matrix many" : "matrix" },
        h("thead", {}, h("tr", { class: "row" }, h("td", {}),
          columns.map((number) => h("th", { scope: "col" },
            h("a", { class: "nav", href: readerPath(readers[number]) }, h("span", {}, readers[number].name)))))),
        sections.map(([section, shown]) => sectionBody(format, section, columns, shown)))));
}

function foundCases() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = [];
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index].toLowerCase();
    if (words.every((word) => id.includes(word)) && isShown(data.rule_of[index])) found.push(index);
  }
  if (found.length === 0) return null;
  return h("section", {},
    h("h2", {}, "Cases ", h("small", {}, plural(found.length, "case"))),
    caseTable(found.slice(0, 60)),
    found.length > 60 ? h("p", { class: "faint" }, `and ${found.length - 60} more: refine the search to see them`) : null);
}

function select(label, key, choices) {
  return h("label", {}, h("span", {}, label),
    h("select", { onchange: (event) => { state[key] = event.target.value; refilter(); } },
      choices.map(([value, name]) => h("option", { value, selected: state[key] === value }, name))));
}

function controls() {
  return h("form", { class: "controls", role: "search", onsubmit: (event) => event.preventDefault() },
    h("label", { class: "search" }, h("span", {}, "Search"),
      h("input", {
        id: "search", type: "search", value: state.query, autocomplete: "off", spellcheck: "false",
        placeholder: "rule, sentence or case   ( / )",
        oninput: (event) => { state.query = event.target.value; refilter(); },
      })),
    select("Show", "show", Object.entries(SHOWS).map(([value, [name]]) => [value, name])),
    readers.length > 1 ? select("Reader", "reader", [["", "All readers"], ...readers.map((r) => [r.name, r.name])]) : null,
    formats.length > 1 ? select("Format", "format", [["", "All formats"], ...formats.map((f) => [f.name, f.name])]) : null,
    h("button", { type: "button", onclick: unfoldAll }, "Expand all"),
    h("span", { id: "status", role: "status" }));
}

function unfoldAll() {
  const folds = Array.from(document.querySelectorAll("button.fold"));
  const closed = folds.filter((fold) => fold.getAttribute("aria-expanded") !== "true");
  (closed.length > 0 ? closed : folds).forEach((fold) => fold.click());
}

function tables() {
  const made = [...formats.map(formatTable), foundCases()].filter(Boolean);
  const rules = data.rules.filter((_, rule) => isShown(rule)).length;
  say(isFiltered() || state.format ? `${plural(rules, "rule")} of ${data.rules.length}` : "");
  return made.length ? made : [h("p", { class: "empty" }, "No matches. ", h("a", { href: "#/" }, "Show all"))];
}

const legend = () =>
  h("p", { class: "legend" }, KINDS.slice().reverse().map((kind) => h("span", {}, mark(kind), ` ${WORDS[kind]}`)));

function matrixView() {
  const place = h("div", { id: "tables" });
  const ran = readers.filter((reader) => !reader.absent);
  return { title: data.title, nodes: [
    h("div", { class: "cards" }, readers.map(card)),
    ran.length === 1 ? causes(ran[0]) : null,
    ran.length === 1 ? fixes(ran[0]) : null,
    controls(), legend(), place,
  ], then: () => place.replaceChildren(...tables()) };
}
