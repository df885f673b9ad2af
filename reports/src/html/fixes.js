// What to fix first: failures that look alike, those that most cases show before the others.
function fixes(reader) {
  const { breakdowns, answers, more } = reader.fixes;
  if (breakdowns.length + answers.length === 0) return null;
  const entry = (fix) => h("li", { class: "row" },
    mark("fail", OUTCOMES[fix.outcome].word), " ",
    h("a", { class: "nav", href: casePath(fix.first), title: `first case: ${ids[fix.first]}` }, plural(fix.cases, "case")),
    h("span", {}, ` ${OUTCOMES[fix.outcome].word}`),
    fix.rule !== undefined && data.rules[fix.rule].id ? [" · ", h("a", { href: rulePath(fix.rule) }, data.rules[fix.rule].id)] : null,
    fix.what !== undefined ? [" · ", h("code", {}, text(fix.what))] : null,
    fix.rule !== undefined ? h("span", { class: "faint says" }, data.rules[fix.rule].says) : null);
  const part = (title, found) => (found.length ? [h("h3", {}, title), h("ol", { class: "list" }, found.map(entry))] : null);
  return h("section", { class: "fixes" }, h("h2", {}, "What to fix first"), noted(reader),
    part("No valid answer", breakdowns), part("Wrong answers", answers),
    more ? h("p", { class: "faint" }, `and ${more} more with fewer cases`) : null);
}

/** What the run says of the reader as a whole: of many failures, what they have in common. */
function noted(reader) {
  return reader.notes.length ? h("ul", { class: "noted" }, reader.notes.map((note) => h("li", {}, note))) : null;
}
