// The views behind the matrix: a reader, a rule, a case.
const LEVELS = {
  must: "required by the specification", should: "recommended by the specification", may: "allowed by the specification",
  states: "stated by the specification", silent: "not covered by the specification: decided by tracegauge",
  contradicted: "the specification contradicts itself",
};
const DUTIES = { reject: "rejects such a file", accept: "accepts such a file", either: "may accept or reject such a file", none: "is not affected" };
const EXPECTED = { a: "accept", r: "reject", e: "either" };

const ranIn = (rule) => readers.map((_, number) => number).filter((number) => counts[rule][number].all > 0);

/** Cases, each with a mark for every reader that was given one of them. */
function caseTable(cases) {
  const columns = readers.map((_, number) => number)
    .filter((number) => cases.some((index) => readers[number].outcomes[index] !== " "));
  return h("div", { class: "scroll" }, h("table", { class: columns.length > 4 ? "matrix many cases" : "matrix cases" },
    h("thead", {}, h("tr", { class: "row" }, h("td", {}), columns.map((number) =>
      h("th", { scope: "col" }, h("a", { class: "nav", href: readerPath(readers[number]) }, h("span", {}, readers[number].name)))))),
    h("tbody", {}, cases.map((index) => h("tr", { class: "row" },
      h("th", { scope: "row" }, h("a", { class: "nav", href: casePath(index) }, shortId(index))),
      columns.map((number) => {
        const kind = kindOf(readers[number], index);
        if (!kind) return h("td", { class: "none" });
        const word = OUTCOMES[readers[number].outcomes[index]].word;
        return h("td", { class: kind }, mark(kind, `${readers[number].name}: ${word}`));
      }))))));
}

/** A case's name without the format that the page is about. */
function shortId(index) {
  const format = `${data.rules[data.rule_of[index]].format}/`;
  return ids[index].startsWith(format) ? ids[index].slice(format.length) : ids[index];
}

const byTrouble = (cases) => {
  const rank = (index) => Math.min(...readers.map((reader) => {
    const kind = kindOf(reader, index);
    return kind ? KINDS.indexOf(kind) : KINDS.length;
  }));
  return cases.map((index) => [rank(index), index]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, index]) => index);
};

function ruleView(rule) {
  const about = data.rules[rule];
  const name = about.id || "Cases without a rule";
  const cases = byTrouble(casesOf[rule]);
  return { title: name, nodes: [
    crumbs(["All rules", "#/"], [about.format, path("format", about.format)], [name]),
    h("h1", { tabindex: -1 }, name),
    about.says ? h("blockquote", {}, h("p", {}, about.says), h("footer", {}, about.section)) : null,
    definition([
      ["Level", about.level ? h("span", {}, h("b", {}, about.level), ` · ${LEVELS[about.level]}`) : null],
      ["A reader", about.duty ? DUTIES[about.duty] : null],
      ["Judged", about.strict ? "only with --strict" : null],
    ]),
    h("h2", {}, "Readers"),
    h("ul", { class: "list" }, ranIn(rule).map((number) => {
      const { kind, label } = tally(counts[rule][number]);
      return h("li", {}, mark(kind), " ", h("a", { href: readerPath(readers[number]) }, readers[number].name), h("span", { class: "faint" }, ` ${label}`));
    })),
    h("h2", {}, "Cases ", h("small", {}, String(cases.length))),
    caseTable(cases),
  ] };
}

function answer(reader, index) {
  const letter = reader.outcomes[index];
  const outcome = OUTCOMES[letter];
  const standing = STANDINGS[reader.standings[index]];
  const detail = detailOf(reader, index);
  const kind = kindOf(reader, index);
  const rows = [["Why unproven", outcome.why]];
  if (detail) {
    rows.push(["About", detail.about ? detail.about.map(text).join(", ") : null], ["Answered", text(detail.actual)], ["Hint", text(detail.hint)], ["At first", text(detail.unsteady)],
      ["Version", detail.version ? `the reader ran version ${detail.version} of this case` : null]);
  }
  return h("article", { class: `answer ${kind}` },
    h("h3", {}, mark(kind), " ", h("a", { href: readerPath(reader) }, reader.name),
      h("span", { class: "word" }, outcome.word, standing ? ` (${standing.word})` : "")),
    detail && detail.known !== undefined ? h("p", { class: "reason" }, h("b", {}, "Known: "), text(detail.known)) : null,
    definition(rows),
    detail && detail.differs ? differs(detail.differs) : null,
    detail && detail.read_from ? readFrom(detail.read_from, "Origin of the expected value") : null,
    detail && detail.look_at ? readFrom(detail.look_at, "Bytes to look at") : null,
    detail && detail.stderr !== undefined ? h("details", { open: text(detail.stderr).length < 600 },
      h("summary", {}, "Standard error"), h("pre", {}, text(detail.stderr))) : null,
    !detail && KINDS.indexOf(kind) < 3 ? h("p", { class: "faint" }, "Details are omitted for length; `run --filter` with the name of the case shows them.") : null);
}

function differs([where, wanted, got]) {
  const [expected, actual] = parted(text(wanted), text(got));
  return h("table", { class: "differs" },
    h("caption", {}, "First difference: ", h("b", {}, text(where))),
    h("tbody", {},
      h("tr", {}, h("th", { scope: "row" }, "expected"), h("td", {}, h("code", {}, expected))),
      h("tr", {}, h("th", { scope: "row" }, "actual"), h("td", {}, h("code", {}, actual)))));
}

/** The bytes that the expected value was read from, or that the reader probably misreads. */
function readFrom(read, title) {
  return h("section", { class: "read-from" },
    h("h4", {}, title),
    h("ul", {}, read.places.map((place) => h("li", {}, text(place)))),
    read.dump !== undefined ? dump(text(read.dump), read.ranges) : excerpt(read.excerpt, read.ranges, "read"));
}

function caseLink(id) {
  return indexOf.has(id) ? h("a", { href: casePath(indexOf.get(id)) }, h("code", {}, id)) : h("code", {}, id);
}

function caseView(index) {
  const rule = data.rule_of[index];
  const about = data.rules[rule];
  const page = pageOf(index);
  const siblings = byTrouble(casesOf[rule]);
  const place = siblings.indexOf(index);
  const step = (by, label, key) => siblings[place + by] === undefined ? h("span", {}) :
    h("a", { href: casePath(siblings[place + by]), "data-key": key, title: `key ${key}` }, label);
  const ran = readers.filter((reader) => reader.outcomes[index] !== " ");
  ran.sort((a, b) => KINDS.indexOf(kindOf(a, index)) - KINDS.indexOf(kindOf(b, index)));
  return { title: ids[index], nodes: [
    crumbs(["All rules", "#/"], [about.format, path("format", about.format)], [about.id || "no rule", rulePath(rule)], ["case"]),
    h("h1", { class: "id", tabindex: -1 }, ids[index], " ", h("a", { class: "here", href: casePath(index), title: "Link to this case" }, "¶")),
    page ? h("p", { class: "why" }, text(page.why)) : null,
    about.says ? h("blockquote", {}, h("p", {}, about.says), h("footer", {},
      h("a", { href: rulePath(rule) }, about.id), ` · ${about.section} · ${about.level}`)) : null,
    definition([
      ["Expected", page ? text(page.expected) : EXPECTED[data.expected[index]]],
      ["Fault at", page && page.fault ? h("code", {}, text(page.fault[0]) || "the whole trace") : null],
      ["Operator", page && text(page.operator)],
      [data.expected[index] === "r" ? "Twin without the fault" : "Twin", page && page.twin !== undefined ? caseLink(text(page.twin)) : null],
      ["Departures", page && page.unusual ? page.unusual.map(text).join(", ") : null],
      ["Also about", page && page.also ? page.also.map(text).join(", ") : null],
      ["Version", data.versions[index]],
      ["Show the case", h("code", {}, `tracegauge corpus show ${ids[index]}`)],
    ]),
    h("h2", {}, "Readers"),
    ran.map((reader) => answer(reader, index)),
    page && (page.dump !== undefined || page.excerpt) ? [h("h2", {}, "Bytes"),
      page.dump !== undefined ? dump(text(page.dump), faultOf(page)) : excerpt(page.excerpt, faultOf(page), "fault")] : null,
    h("nav", { class: "steps", "aria-label": "Cases of this rule" },
      step(-1, "‹ previous case", "p"), h("span", { class: "faint" }, `${place + 1} of ${siblings.length}`), step(1, "next case ›", "n")),
  ] };
}

function readerView(reader) {
  const number = readers.indexOf(reader);
  const totals = reader.totals;
  const failing = [];
  for (let index = 0; index < ids.length; index += 1) {
    const kind = kindOf(reader, index);
    if (kind && KINDS.indexOf(kind) < 3) failing.push([KINDS.indexOf(kind), index]);
  }
  failing.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const graded = Object.entries({ records: "correct records before the fault", class: "correct class", byte: "correct byte" })
    .filter(([key]) => totals.grades[key].reported > 0)
    .map(([key, words]) => `${words}: ${totals.grades[key].right} of ${totals.grades[key].reported}`);
  const warnings = totals.warnings === 1 ? "violation of a recommendation (warning)" : "violations of recommendations (warnings)";
  const uncounted = Object.entries({ known: "known", warnings, disputed: "disputed", not_judged: "judged only with --strict" })
    .filter(([key]) => totals[key] > 0).map(([key, words]) => `${totals[key]} ${words}`);
  const toFix = fixes(reader);
  const held = (inForce) => reader.containment.filter((measure) => measure.in_force === inForce)
    .map((measure) => (measure.note ? `${measure.name} (${measure.note})` : measure.name)).join(", ");
  return { title: reader.name, nodes: [
    crumbs(["All rules", "#/"], [reader.name]),
    h("h1", { tabindex: -1 }, reader.name, reader.version ? h("small", {}, ` ${reader.version}`) : null),
    h("p", { class: `headline ${reader.tone}` }, h("span", { class: "sign", "aria-hidden": true }, reader.mark), ` ${reader.headline}`),
    reader.absent ? h("p", {}, reader.absent) : null,
    h("div", { class: "shares" }, shares(reader)),
    definition([
      ["Run", `${reader.mode}, reports ${reader.reports || "not declared"}, ${reader.seconds.toFixed(1)} s${reader.seed === null ? "" : `, seed ${reader.seed}`}`],
      ["Cases", reader.absent ? null : [`${totals.planned} planned: `, outcomesOf(reader).map(([, words]) => words).join(", "),
        totals.not_run ? `, ${totals.not_run} not run` : ""]],
      ["Not counted", uncounted.join(", ")],
      ["Passes", totals.proven + totals.unproven ? `${totals.proven} proven, ${totals.unproven} unproven${reader.by_chance === null ? "" : `; ${reader.by_chance} would be proven by chance`}` : null],
      ["Not run", reader.not_run], ["Rejections", graded.join("; ")],
      ["Omitted members", reader.left_out.join(", ")], ["Baseline errors", reader.problems.length ? h("ul", {}, reader.problems.map((problem) => h("li", {}, problem))) : null],
      ["Notes", toFix ? null : noted(reader)],
    ]),
    causes(reader),
    toFix,
    failing.length ? [h("h2", {}, "Failures ", h("small", {}, String(failing.length))),
      totals.failures > 3 ? h("p", { class: "faint" }, "Many failures often have only a few causes: ",
        h("code", {}, "tracegauge explain --results FILE"), " lists the likely ones.") : null,
      failureList(reader, failing)] : null,
    reader.containment.length ? [h("h2", {}, "Containment"), definition([["Enabled", held(true)], ["Not enabled", held(false)]])] : null,
    h("p", {}, h("a", { href: `#/?reader=${encodeURIComponent(reader.name)}` }, "All rules of this reader")),
  ] };
}

/** Failures under their rules, a rule a part. */
function failureList(reader, failing) {
  const groups = new Map();
  for (const [, index] of failing) {
    const rule = data.rule_of[index];
    if (!groups.has(rule)) groups.set(rule, []);
    groups.get(rule).push(index);
  }
  return Array.from(groups, ([rule, cases]) => h("section", { class: "group" },
    h("h3", {}, h("a", { href: rulePath(rule) }, data.rules[rule].id || "no rule"), h("small", {}, ` ${data.rules[rule].format}`)),
    h("ul", { class: "list" }, cases.map((index) => {
      const kind = kindOf(reader, index);
      const detail = detailOf(reader, index);
      return h("li", { class: "row" }, mark(kind), " ", h("a", { class: "nav", href: casePath(index) }, shortId(index)),
        h("span", { class: "faint" }, ` ${OUTCOMES[reader.outcomes[index]].word}`),
        detail && detail.known !== undefined ? h("p", { class: "reason" }, text(detail.known)) : null);
    }))));
}
