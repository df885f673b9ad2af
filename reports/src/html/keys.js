// The keyboard: arrows walk, Enter opens, Esc goes back, / searches.
function walk(event) {
  const here = document.activeElement;
  const row = here && here.closest && here.closest(".row");
  const rows = Array.from(document.querySelectorAll("main .row")).filter((found) => found.offsetParent !== null);
  const stops = (of) => (of.matches("a") ? [of] : Array.from(of.querySelectorAll(".nav")));
  if (!row || !rows.includes(row)) {
    if (event.key !== "ArrowDown" || rows.length === 0) return false;
    focusOn(stops(rows[0])[0]);
    return true;
  }
  const cells = stops(row);
  const column = Math.max(0, cells.indexOf(here));
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const next = cells[column + (event.key === "ArrowRight" ? 1 : -1)];
    if (next) focusOn(next);
    return Boolean(next) || cells.length > 1;
  }
  // The same column, though rows have cells without anything to open.
  const at = here.closest("td, th");
  const by = event.key === "ArrowDown" ? 1 : -1;
  for (let place = rows.indexOf(row) + by; rows[place]; place += by) {
    const same = at && rows[place].matches("tr") && rows[place].cells[at.cellIndex];
    const found = (same && same.querySelector(".nav")) || stops(rows[place])[0];
    if (found) { focusOn(found); return true; }
  }
  return true;
}

function focusOn(element) {
  if (!element) return;
  element.focus();
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function goUp() {
  const search = document.getElementById("search");
  if (search && (document.activeElement === search || state.query)) {
    search.value = "";
    state.query = "";
    search.blur();
    refilter();
    return;
  }
  const up = document.querySelector("[data-up]");
  if (up) location.hash = up.getAttribute("href");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test((document.activeElement || {}).tagName || "");
  if (event.key === "Escape") {
    event.preventDefault();
    goUp();
  } else if (typing) {
    if (event.key === "ArrowDown" && document.activeElement.id === "search") {
      const first = document.querySelector("#tables .nav");
      if (first) { event.preventDefault(); focusOn(first); }
    }
  } else if (event.key === "/") {
    event.preventDefault();
    openSearch();
  } else if (event.key.startsWith("Arrow")) {
    if (walk(event)) event.preventDefault();
  } else if (event.key === "n" || event.key === "p") {
    const link = document.querySelector(`[data-key="${event.key}"]`);
    if (link) link.click();
  }
});

function openSearch() {
  if (!document.getElementById("search")) location.hash = "#/";
  show();
  const search = document.getElementById("search");
  search.focus();
  search.select();
}
