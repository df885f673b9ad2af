// The probable causes of a reader's failures, starting with those that affect the plainest traces.
function causes(reader) {
  const { list, more, levels } = reader.causes;
  if (list.length === 0) return null;
  const line = (...parts) => h("span", { class: "faint says" }, parts);
  const entry = (cause) => h("li", { class: "row" },
    h("a", { class: "nav", href: casePath(cause.simplest), title: `simplest case: ${ids[cause.simplest]}` }, text(cause.title)),
    h("span", { class: "faint" }, ` (${text(cause.cases)})`),
    cause.reasons.length === 0 ? line(text(cause.confidence)) : null,
    cause.reasons.map(([name, says], index) => line(
      index === 0 ? `${text(cause.confidence)} ` : "or ", h("b", {}, text(name)), says === undefined ? "" : ` ${text(says)}`)),
    cause.operators !== undefined ? line(`only for these violations: ${text(cause.operators)}`) : null,
    cause.like !== undefined ? line(text(cause.like)) : null,
    cause.departures !== undefined ? line(`the trace differs from typical traces in: ${text(cause.departures)}`) : null);
  return h("section", { class: "causes" },
    h("h2", {}, "Probable causes, starting with those that affect the most typical traces"),
    h("ol", { class: "list" }, list.map(entry)),
    more ? h("p", { class: "faint" }, `and ${plural(more, "more cause")}`) : null,
    h("p", { class: "faint" }, levels));
}
