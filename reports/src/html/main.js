// What is shown follows from the address.
const main = document.getElementById("main");
const seen = new Map();
let shown = null;

function filterAddress() {
  const set = new URLSearchParams();
  if (state.query) set.set("q", state.query);
  if (state.show !== "all") set.set("show", state.show);
  if (state.reader) set.set("reader", state.reader);
  if (state.format) set.set("format", state.format);
  return set.size || set.toString() ? `#/?${set}` : "#/";
}

function readFilter(asked) {
  const set = new URLSearchParams(asked);
  state.query = set.get("q") || "";
  state.show = SHOWS[set.get("show")] ? set.get("show") : "all";
  state.reader = readers.some((reader) => reader.name === set.get("reader")) ? set.get("reader") : "";
  state.format = formats.some((format) => format.name === set.get("format")) ? set.get("format") : "";
}

/** The filter changed: only the tables are made anew, so that typing goes on. */
function refilter() {
  const address = filterAddress();
  history.replaceState(null, "", address);
  shown = address;
  const place = document.getElementById("tables");
  if (place) place.replaceChildren(...tables());
}

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function viewOf(address) {
  const [route, asked] = address.replace(/^#?\/?/, "").split("?");
  const [kind, ...rest] = route.split("/");
  const name = decoded(rest.join("/"));
  if (kind === "case" && indexOf.has(name)) return caseView(indexOf.get(name));
  if (kind === "rule") {
    const rule = ruleIndex.get(name) ?? ruleIndex.get(name.replace(/-$/, ""));
    if (rule !== undefined) return ruleView(rule);
  }
  const reader = kind === "reader" && readers.find((known) => known.name === name);
  if (reader) return readerView(reader);
  readFilter(kind === "format" ? `format=${encodeURIComponent(name)}` : asked);
  const view = matrixView();
  if (kind && kind !== "format") {
    view.nodes.unshift(h("p", { class: "notice", role: "alert" }, `This report has no page ${decoded(address)}.`));
  }
  return view;
}

function show() {
  const address = location.hash || "#/";
  if (address === shown) return;
  if (shown !== null) seen.set(shown, scrollY);
  const first = shown === null;
  shown = address;
  const view = viewOf(address);
  document.title = view.title === data.title ? data.title : `${view.title} · ${data.title}`;
  main.replaceChildren(...view.nodes.flat(2).filter(Boolean));
  if (view.then) view.then();
  scrollTo(0, seen.get(address) || 0);
  const head = main.querySelector("h1");
  if (head && !first) head.focus({ preventScroll: true });
}

const THEMES = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
function theme(name) {
  if (name === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", name);
  const button = document.getElementById("theme");
  button.replaceChildren(SIGNS[name], h("span", { class: "wide" }, ` ${name}`));
  button.setAttribute("data-name", name);
  try { localStorage.setItem("tracegauge-theme", name); } catch { /* a file may have no storage */ }
}
function nextTheme() {
  const now = document.getElementById("theme").getAttribute("data-name");
  theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
}

function asked() {
  const { formats: chosen, filters, shard, strict } = data.selection;
  return [chosen.length ? `only ${chosen.join(", ")}` : "", filters.length ? `filter ${filters.join(", ")}` : "",
    shard ? `shard ${shard}` : "", strict ? "strict" : ""].filter(Boolean).join(" · ");
}

document.getElementById("top").append(
  h("a", { class: "brand", href: "#/" }, data.title),
  h("span", { class: "faint" }, asked()),
  h("span", { class: "space" }),
  h("button", { type: "button", onclick: openSearch, title: "key /", "aria-label": "Search" }, "⌕", h("span", { class: "wide" }, " Search")),
  h("button", { type: "button", id: "theme", onclick: nextTheme, "aria-label": "Theme", title: "Theme" }));
document.getElementById("foot").append(
  h("p", {}, `tracegauge ${data.tool.join(", ")} · ${plural(ids.length, "case")} · ${plural(data.rules.length, "rule")} · ${plural(readers.length, "reader")}`),
  ...(data.dropped ? [h("p", {}, `The page shows some failures of each rule in full and omits the details of ${data.dropped} more.`)] : []),
  h("p", { class: "keys" }, [["/", "search"], ["↑ ↓ ← →", "move"], ["Enter", "open"], ["Esc", "back"], ["n p", "next and previous case"]]
    .map(([key, words]) => h("span", {}, h("kbd", {}, key), ` ${words}`))));
let kept = "auto";
try { kept = localStorage.getItem("tracegauge-theme") || "auto"; } catch { /* a file may have no storage */ }
theme(THEMES.includes(kept) ? kept : "auto");
addEventListener("hashchange", show);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
show();
