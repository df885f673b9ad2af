// Tests the page in a real browser. The arguments are the browser, a small page, a large page, and
// optionally a folder for screenshots.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { open } from "./chrome.mjs";

const [program, small, large, pictures] = process.argv.slice(2);
const { page, close } = await open(program);
const at = (hash, file = small) => `${pathToFileURL(file)}#${hash}`;
const text = (selector) => page.run(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`);
const count = (selector) => page.run(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const click = async (selector) => {
  await page.run(`document.querySelector(${JSON.stringify(selector)}).click()`);
  await page.settle();
};
const hash = async () => decodeURIComponent(await page.run("location.hash"));
const picture = async (name) => {
  if (pictures) writeFileSync(join(pictures, `${name}.png`), await page.picture());
};
const overflow = () => page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth");

const steps = {
  async "opens with a card for each reader and its headline"() {
    await page.go(at("/"));
    assert.equal(await count(".card"), 3);
    assert.match(await text(".card.bad .headline"), /✗ 3 failures/);
    assert.match(await text(".card.absent"), /skipped/);
    assert.match(await text(".card.bad"), /proven[^]*75\.0%[^]*reported members[^]*99\.9%/);
    assert.match(await text(".card.bad"), /14 cases: [^]*1 wrong records, 1 wrong reject \(not counted\), 3 wrong accept \(2 of them not counted\)/);
    assert.ok(await count(".matrix tr.section") > 1);
    await picture("matrix-light");
  },
  async "filters and searches, and the address says so"() {
    await page.go(at("/"));
    await page.key("/", "/");
    assert.equal(await page.run("document.activeElement.id"), "search");
    await page.type("magic");
    assert.equal(await count(".matrix tr.rule"), 1);
    assert.match(await text("#status"), /1 rule of/);
    assert.equal(await hash(), "#/?q=magic");
    await page.go(at("/?show=fail"));
    const rules = await page.run("Array.from(document.querySelectorAll('tr.rule th'), (e) => e.innerText)");
    assert.deepEqual(rules.sort(), ["EVENTS", "MAGIC", "PADDING"]);
    await page.go(at("/?q=no+such+thing"));
    assert.match(await text(".empty"), /No matches/);
    await page.go(at("/?q=toy/bad/4"));
    await page.key("Escape");
    assert.equal(await hash(), "#/");
  },
  async "goes from the matrix to a rule, a case and its bytes"() {
    await page.go(at("/?q=magic"));
    await click("tr.rule th a");
    assert.equal(await hash(), "#/rule/toy-v1/MAGIC");
    assert.match(await text("blockquote"), /A reader rejects a trace without the magic/);
    await page.run("Array.from(document.querySelectorAll('.cases a')).find((a) => a.innerText.endsWith('toy/bad/4')).click()");
    await page.settle();
    assert.equal(await text("h1"), "toy/bad/4 ¶");
    assert.match(await text(".why"), /one bit of the magic is flipped/);
    const marked = await page.run("Array.from(document.querySelectorAll('.bytes mark'), (e) => e.innerText).join(' ')");
    assert.equal(marked, "0d 0e 0f");
    assert.match(await text(".answer"), /wrong accept[^]*look again/);
  },
  async "says what to fix first, breakdowns apart, each with its first case"() {
    await page.go(at("/"));
    const parts = await page.run("Array.from(document.querySelectorAll('.fixes h3'), (e) => e.innerText)");
    assert.deepEqual(parts, ["No valid answer", "Wrong answers"]);
    const entries = await page.run("Array.from(document.querySelectorAll('.fixes ol li'), (e) => e.innerText.replace(/\\s+/g, ' ').trim())");
    assert.equal(entries.length, 3);
    const notes = await page.run("Array.from(document.querySelectorAll('.fixes .noted li'), (e) => e.innerText)");
    assert.match(notes.at(-1), /^<\/script><img/, "notes of the run come first, as they are");
    assert.match(entries[0], /1 case crash · died of SIGSEGV/);
    assert.match(entries[1], /1 case wrong accept · MAGIC/);
    assert.match(entries[2], /1 case wrong records · PADDING · fields\[\]\.value/);
    await click(".fixes a");
    assert.equal(await hash(), "#/case/toy/valid/4");
    await page.go(at("/reader/my-reader"));
    assert.equal(await count(".fixes ol li"), 3);
    assert.match(await text(".facts"), /3 wrong accept \(2 of them not counted\)[^]*Not counted\s+1 known, 1 violation of a recommendation \(warning\), 1 disputed/);
    await picture("fixes-light");
  },
  async "follows a permalink, and shows where records part"() {
    await page.go(at("/case/toy/valid/2"));
    assert.match(await text(".differs"), /record 3, fields\[2\]\.value/);
    const parts = await page.run("Array.from(document.querySelectorAll('.differs code'), (e) => e.innerText)");
    assert.deepEqual(parts, ["17", "\"17 \\u001b[31m\""]);
    assert.match(await text(".read-from"), /events\[4\]\.values\[2\], bytes 27\.\.29[^]*outside the record itself/);
    const lines = await page.run("Array.from(document.querySelectorAll('.read-from .read'), (e) => e.innerText.replace(/\\s+/g, ' '))");
    assert.equal(lines.length, 2);
    assert.match(lines[1], /001b 13 14/);
    const bytes = await page.run("Array.from(document.querySelectorAll('.read-from mark'), (e) => e.innerText).join(' ')");
    assert.equal(bytes, "00 13 14");
    await picture("read-from-light");
    await page.media({ "prefers-color-scheme": "dark" });
    await page.go(at("/case/toy/valid/2"));
    await picture("read-from-dark");
    await page.media({ "prefers-color-scheme": "light" });
    await page.go(at("/case/toy/no/such"));
    assert.match(await text(".notice"), /has no page/);
  },
  async "shows bytes beside fields where the corpus was at hand"() {
    await page.go(at("/case/toy/bad/5"));
    assert.match(await text(".bytes .part"), /header/);
    assert.match(await text(".bytes .fault"), /▶\s+0004\s+ff 07/);
    assert.equal(await text(".bytes mark"), "07");
    assert.match(await text(".facts"), /bit-flipped[^]*toy\/valid\/1/);
    await picture("case-light");
  },
  async "is walked with the keyboard alone"() {
    await page.go(at("/"));
    await page.key("ArrowDown");
    assert.ok(await page.run("document.activeElement.matches('.card')"));
    const isAt = (selector) => page.run(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`);
    for (let n = 0; n < 20 && !(await isAt("tr.section")); n += 1) await page.key("ArrowDown");
    for (let n = 0; n < 5 && !(await isAt(".fold")); n += 1) await page.key("ArrowLeft");
    assert.equal(await page.run("document.activeElement.getAttribute('aria-expanded')"), "false");
    await page.key("Enter");
    assert.equal(await page.run("document.activeElement.getAttribute('aria-expanded')"), "true");
    await page.key("ArrowDown");
    await page.key("ArrowRight");
    assert.ok(await page.run("document.activeElement.closest('td') !== null"));
    await page.key("ArrowLeft");
    await page.key("Enter");
    assert.match(await hash(), /^#\/rule\/toy-v1\//);
    await page.key("Escape");
    assert.equal(await hash(), "#/format/toy-v1");
  },
  async "fits a phone"() {
    await page.size(360, 740);
    for (const place of ["/", "/?show=trouble", "/rule/toy-v1/MAGIC", "/case/toy/bad/5", "/case/toy/valid/2", "/case/toy/valid/4", "/reader/my-reader"]) {
      await page.go(at(place));
      assert.ok(await overflow() <= 0, `${place} overflows by ${await overflow()}`);
      await picture(`phone${place.replace(/[^a-z0-9]+/gi, "-")}`);
    }
    await page.size(1280, 900);
  },
  async "is dark where that is preferred, and where it is chosen"() {
    const ground = () => page.run("getComputedStyle(document.body).backgroundColor");
    await page.go(at("/"));
    const light = await ground();
    await page.media({ "prefers-color-scheme": "dark" });
    await page.go(at("/"));
    const dark = await ground();
    assert.notEqual(dark, light);
    await picture("matrix-dark");
    await click("#theme");
    assert.equal(await ground(), light);
    await page.media({ "prefers-color-scheme": "light" });
    await click("#theme");
    assert.equal(await ground(), dark);
    await click("#theme");
    assert.equal(await ground(), light);
  },
  async "keeps marks apart without colour"() {
    await page.go(at("/"));
    await click(".controls button");
    const marks = await page.run("Array.from(document.querySelectorAll('.matrix td .sign'), (e) => e.innerText)");
    assert.ok(new Set(marks).size >= 3, marks.join(" "));
  },
  async "prints without controls"() {
    await page.media({}, "print");
    await page.go(at("/case/toy/valid/4"));
    assert.equal(await page.run("getComputedStyle(document.getElementById('theme')).display"), "none");
    assert.ok(await overflow() <= 0);
    await page.media({});
  },
  async "runs nothing that a reader says"() {
    await page.go(at("/reader/my-reader"));
    assert.equal(await page.run("window.broken === undefined"), true);
    assert.match(await text("main"), /<img src=x onerror=/);
  },
  async "is quick with many cases and readers"() {
    const began = Date.now();
    await page.go(at("/", large));
    assert.equal(await count(".card"), 10);
    const opened = Date.now() - began;
    await page.run("document.querySelectorAll('button.fold').forEach((fold) => fold.click())");
    await page.settle();
    assert.equal(await count("tr.rule"), 120);
    console.log(`# the large page: ${opened} ms until it is there`);
    await picture("large");
  },
  async "asks for nothing and makes no mistake"() {
    assert.deepEqual(page.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("about:")), []);
    assert.deepEqual(page.errors, []);
  },
};

await page.size(1280, 900);
await page.media({ "prefers-color-scheme": "light" });
let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log(`ok  ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`NOT ${name}\n${error.stack}`);
  }
}
await close();
process.exit(failed ? 1 : 0);
