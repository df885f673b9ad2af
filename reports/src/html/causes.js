// The probable causes of a reader's failures, from plain to unusual.
function causes(reader) {
  const { list, more, levels } = reader.causes;
  if (list.length === 0) return null;
  const line = (...parts) => h("span", { class: "faint says" }, parts);
  const entry = (cause) => h("li", { class: "row" },
    h("a", { class: "nav", href: casePath(cause.simplest), title: `simplest case: ${ids[cause.simplest]}` }, text(cause.title)),
    h("span", { class: "faint" }, ` (${text(cause.cases)}) · ${text(cause.confidence)}`),
    cause.rule ? line(h("b", {}, text(cause.rule[0])), " ", text(cause.rule[1])) : null,
    cause.operators !== undefined ? line(`only if violated by ${text(cause.operators)}`) : null,
    cause.unusual !== undefined ? line(`unusual: ${text(cause.unusual)}`) : null);
  return h("section", { class: "causes" }, h("h2", {}, "Causes, from plain to unusual"),
    h("ol", { class: "list" }, list.map(entry)),
    more ? h("p", { class: "faint" }, `and ${plural(more, "more cause")}`) : null,
    h("p", { class: "faint" }, levels));
}
