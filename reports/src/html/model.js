// What the page holds, unpacked: cases, rules, readers, and counts of them.
const data = JSON.parse(document.getElementById("data").textContent);
const text = (place) => (place === undefined ? "" : data.texts[place]);

// What a reader did, by letter. `rank` orders the worst first.
const OUTCOMES = {
  p: { word: "pass, proven", kind: "pass" },
  o: { word: "pass", kind: "pass" },
  a: { word: "pass: accepted, where both verdicts are allowed", kind: "pass" },
  r: { word: "pass: rejected, where both verdicts are allowed", kind: "pass" },
  s: { word: "pass: reported as unsupported, where any answer is allowed", kind: "pass" },
  1: { word: "pass, unproven", why: "The case has no twin.", kind: "doubt" },
  2: { word: "pass, unproven", why: "The twin did not run, or the reader gave no valid answer to it.", kind: "doubt" },
  3: { word: "pass, unproven", why: "The reader rejects the valid twin as well.", kind: "doubt" },
  4: { word: "pass, unproven", why: "The reader accepts the valid twin, but reports wrong records.", kind: "doubt" },
  5: { word: "pass, unproven", why: "The reader also accepts the malformed traces with this twin. If those are not failures, readers may accept or reject them, and there is nothing to fix.", kind: "doubt" },
  8: { word: "pass, unproven", why: "The records before the fault are wrong.", kind: "doubt" },
  6: { word: "pass, unproven", why: "The reader exited with status 1, which may also mean an uncaught exception.", kind: "doubt" },
  7: { word: "pass, unproven", why: "The reader's verdicts are no better than chance.", kind: "doubt" },
  R: { word: "wrong records", kind: "fail" },
  J: { word: "wrong reject", kind: "fail" },
  A: { word: "wrong accept", kind: "fail" },
  g: { word: "unsupported, as declared", kind: "gap" },
  D: { word: "undeclared gap", kind: "fail" },
  C: { word: "crash", kind: "fail" },
  H: { word: "hang", kind: "fail" },
  M: { word: "out of memory", kind: "fail" },
  F: { word: "flood", kind: "fail" },
  P: { word: "protocol violation", kind: "fail" },
};
const STANDINGS = {
  k: { word: "known", kind: "known" },
  w: { word: "violates a recommendation: a warning", kind: "excused" },
  d: { word: "disputed: not counted", kind: "excused" },
  n: { word: "judged only with --strict", kind: "excused" },
};
// From the worst on, with a mark that needs no colour.
const KINDS = ["fail", "known", "excused", "doubt", "gap", "pass"];
const MARKS = { fail: "✗", known: "◆", excused: "△", doubt: "○", gap: "⊘", pass: "✓" };
const WORDS = {
  fail: "failing", known: "known failures", excused: "failing, not counted",
  doubt: "passing, unproven", gap: "unsupported, as declared", pass: "passing",
};

function unpackIds(coded) {
  const ids = [];
  let before = [];
  for (const line of coded ? coded.split("\n") : []) {
    const blank = line.indexOf(" ");
    const shared = before.slice(0, Number(line.slice(0, blank)));
    before = shared.concat(Array.from(line.slice(blank + 1)));
    ids.push(before.join(""));
  }
  return ids;
}

const ids = unpackIds(data.ids);
const indexOf = new Map(ids.map((id, index) => [id, index]));
const readers = data.readers;
const ruleKey = (rule) => `${rule.format}/${rule.id}`;
const ruleIndex = new Map(data.rules.map((rule, index) => [ruleKey(rule), index]));
const casesOf = data.rules.map(() => []);
data.rule_of.forEach((rule, index) => casesOf[rule].push(index));

/** What kind of result a reader has on a case; nothing where it did not run. */
function kindOf(reader, index) {
  const letter = reader.outcomes[index];
  if (letter === " ") return null;
  const standing = STANDINGS[reader.standings[index]];
  return standing ? standing.kind : OUTCOMES[letter].kind;
}

const noCounts = () => ({ all: 0, fail: 0, known: 0, excused: 0, doubt: 0, gap: 0, pass: 0 });
const worst = (counts) => KINDS.find((kind) => counts[kind] > 0) || null;
function plus(sum, counts) {
  for (const key of Object.keys(sum)) sum[key] += counts[key];
  return sum;
}

// Counts by rule and reader.
const counts = data.rules.map((_, rule) =>
  readers.map((reader) => {
    const found = noCounts();
    for (const index of casesOf[rule]) {
      const kind = kindOf(reader, index);
      if (kind) { found.all += 1; found[kind] += 1; }
    }
    return found;
  }));

// Formats, each with its sections in the order of the document and the readers that read it.
const formats = [];
data.rules.forEach((rule, index) => {
  let format = formats.find((known) => known.name === rule.format);
  if (!format) formats.push(format = { name: rule.format, sections: [], readers: [] });
  const name = (rule.section.split(";")[0] || "").trim() || "Other cases";
  let section = format.sections.find((known) => known.name === name);
  if (!section) format.sections.push(section = { name, rules: [] });
  section.rules.push(index);
});
for (const format of formats) {
  const rules = format.sections.flatMap((section) => section.rules);
  format.readers = readers
    .map((_, number) => number)
    .filter((number) => rules.some((rule) => counts[rule][number].all > 0));
  format.cases = rules.reduce((sum, rule) => sum + casesOf[rule].length, 0);
  format.rules = rules.length;
}

/** How many cases of a reader came to what, and how many of these failures do not count; where none does, its headline says so. */
const outcomesOf = (reader) => Object.entries(reader.totals.outcomes).map(([name, count]) => {
  const uncounted = (reader.totals.failures > 0 && reader.uncounted[name]) || 0;
  const excused = uncounted === count ? " (not counted)" : uncounted ? ` (${uncounted} of them not counted)` : "";
  return [name, `${count} ${name.replace(/-/g, " ")}${excused}`];
});

const detailOf = (reader, index) => reader.details[index];
const pageOf = (index) => data.pages[index];
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
