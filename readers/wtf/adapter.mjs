// tracegauge reader: tracing-framework, by wtf.db.load.
// Runs from ./build, where build.mjs lays it beside the package's one file and the kit.
//
// How it says no: its callback gets an Error. What it throws besides is none of its words
// and is left to fly.
//
// What it makes is a database of what happened, sorted by time. Zones and definitions are
// gone from the events (the suite asks for neither). Times are in milliseconds, and come
// back as the whole microseconds that they were. Of an event's values only those that its
// type declares are told: what was appended to a scope lies among the scope's own, and is
// gone from the event that appended it, which is told without `args`. A time stamp that took
// its argument for its name, and a time range that was given another id, stay so.

import { Console } from 'node:console';
import { createRequire } from 'node:module';
import process from 'node:process';

import { version } from './about.mjs';
import { Rejection, run } from './tracegauge.mjs';

// Standard output is the protocol's; the package has words of its own for the console.
globalThis.console = new Console(process.stderr, process.stderr);
// The package looks for itself under this name.
globalThis.wtf = createRequire(import.meta.url)('./wtf.cjs');

const CLASSES = ['instance', 'scope'];

function open(bytes) {
  return new Promise((resolve, reject) => {
    wtf.db.load(new Uint8Array(bytes), (database) =>
      database instanceof Error ? reject(new Rejection(database.message)) : resolve(database),
    );
  });
}

const microseconds = (milliseconds) => Math.round(milliseconds * 1000);

// As the format writes it: three bytes for half a pair. Other texts are given as they are.
function illFormed(text) {
  const bytes = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Uint8Array.from(bytes);
}

function form(value, type) {
  if (type === 'time32') return microseconds(value);
  // Numbers of a list have come in an array of their kind.
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (typeof value === 'string' && !value.isWellFormed()) return illFormed(value);
  return value;
}

function pairs(declared, values) {
  if (!values) return declared.length === 0 ? [] : undefined;
  return declared
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, typeName }) => [name, form(values[name], typeName)]);
}

function* events(zone) {
  const of = { name: zone.getName(), type: zone.getType(), location: zone.getLocation() };
  for (const event = zone.getEventList().begin(); !event.done(); event.next()) {
    const type = event.getType();
    yield {
      record: 'event',
      name: event.getName(),
      class: CLASSES[type.getClass()] ?? type.getClass(),
      time_us: microseconds(event.getTime()),
      zone: of,
      args: pairs(type.getArguments(), event.getArguments()),
    };
  }
}

async function read(bytes, reporter) {
  // Each zone has its events; by their times they are in the order of the file again.
  const database = await open(bytes);
  const all = database.getZones().flatMap((zone) => [...events(zone)]);
  all.sort((left, right) => left.time_us - right.time_us);
  for (const event of all) reporter.record(event);
}

await run({ name: 'wtf-npm', version, read });
