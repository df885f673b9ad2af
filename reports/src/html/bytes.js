// Bytes beside what they mean, with the fault marked, or what a value was read from.
const TEXT_AT = 45;
/** The greatest length of an excerpt. */
const EXCERPT = 96;
const LINE = /^([!> ]) ([0-9a-f]{8}) ([0-9a-f ]{23})  (.{0,8}) ?(.*)$/u;

function dumpRow(line, marked) {
  const parts = LINE.exec(line.padEnd(TEXT_AT));
  if (!parts) return h("tr", { class: "gapped" }, h("td", { colspan: 5 }, line.trim() || "…"));
  const [, sign, offset, hex, letters, about] = parts;
  const fault = sign === "!";
  const read = sign === ">";
  const start = parseInt(offset, 16);
  return h("tr", { class: fault ? "fault" : read ? "read" : null },
    h("td", { class: "sign" }, fault || read ? "▶" : ""),
    h("td", { class: "offset" }, offset.replace(/^0{1,4}/, "")),
    h("td", { class: "hex" }, hex.trim().split(" ").map((byte, place) =>
      [byte && marked(start + place) ? h("mark", {}, byte) : byte, " "])),
    h("td", { class: "letters" }, letters.trimEnd()),
    aboutCell(about, fault ? " (the fault)" : read ? " (read from here)" : null));
}

function aboutCell(words, remark) {
  const depth = Math.min((words.length - words.trimStart().length) / 2, 12);
  return h("td", { class: "about", style: `--depth:${depth}` }, words.trim(),
    remark ? h("span", { class: "hidden" }, remark) : null);
}

/** Lines without bytes: names of parts, that others stand under. */
const headRow = (line) => h("tr", { class: "part" }, h("td", { colspan: 4 }), aboutCell(line.slice(TEXT_AT), null));

const within = (ranges) => (at) => ranges.some(([start, end]) => at >= start && at < Math.max(end, start + 1));
const faultOf = (page) => (page.fault ? [[page.fault[1], page.fault[2]]] : []);

function dump(lines, ranges) {
  const marked = within(ranges);
  const isHead = (line) => /^ {11}/.test(line) && !/^ *(….*)?$/.test(line);
  return h("div", { class: "scroll" }, h("table", { class: "bytes" },
    h("thead", {}, h("tr", {}, ["", "at", "bytes", "text", "field"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, lines.split("\n").map((line) => (isHead(line) ? headRow(line) : dumpRow(line, marked))))));
}

/** The few bytes that a result holds, sixteen a line. */
function excerpt([start, hex], ranges, kind) {
  const bytes = hex.match(/../g) || [];
  const rows = [];
  const marked = within(ranges);
  for (let from = 0; from === 0 || from < bytes.length; from += 16) {
    const part = bytes.slice(from, from + 16);
    rows.push(h("tr", { class: part.some((_, place) => marked(start + from + place)) ? kind : null },
      h("td", { class: "offset" }, (start + from).toString(16).padStart(4, "0")),
      h("td", { class: "hex" }, part.map((byte, place) =>
        [marked(start + from + place) ? h("mark", {}, byte) : byte, " "])),
      h("td", { class: "letters" }, part.map((byte) => {
        const code = parseInt(byte, 16);
        return code >= 32 && code < 127 ? String.fromCharCode(code) : ".";
      }).join(""))));
  }
  // A shorter excerpt ends where the trace ends.
  const more = Math.max(...ranges.map(([, end]) => end)) - start - bytes.length;
  if (bytes.length >= EXCERPT && more > 0) {
    rows.push(h("tr", { class: "gapped" }, h("td", { colspan: 3 }, `… and ${plural(more, "more byte")}`)));
  }
  return h("div", { class: "scroll" }, h("table", { class: "bytes" }, h("tbody", {}, rows)));
}

/** Two texts with their common start and end told from what differs. */
function parted(wanted, got) {
  let start = 0;
  while (start < wanted.length && wanted[start] === got[start]) start += 1;
  let end = 0;
  const most = Math.min(wanted.length, got.length) - start;
  while (end < most && wanted[wanted.length - 1 - end] === got[got.length - 1 - end]) end += 1;
  const shown = (whole) => [whole.slice(0, start),
    h("mark", {}, whole.slice(start, whole.length - end)), whole.slice(whole.length - end)];
  return [shown(wanted), shown(got)];
}
