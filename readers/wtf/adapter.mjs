// tracegauge reader for tracing-framework, based on wtf.db.load.
// It runs in ./build, where build.mjs copies it together with the package's single file and the
// kit.
//
// Rejections: the package passes an Error to its callback. Errors that it throws are not
// rejections and are not caught.
//
// The package builds a database of events sorted by time. Zones and definitions are no longer among
// the events, and the suite requires neither. Times are in milliseconds and are converted back to
// the original whole microseconds. Only those values of an event that its type declares are
// reported. The package moves values that were appended to a scope from the appending event to the
// scope, so the appending event is reported without `args`. The package's other changes are kept
// too: a time stamp uses its argument as its name, and a time range gets another id.

import { Console } from 'node:console';
import { createRequire } from 'node:module';
import process from 'node:process';

import { version } from './about.mjs';
import { Rejection, run } from './tracegauge.mjs';

// Standard output is reserved for the protocol, but the package prints to the console.
globalThis.console = new Console(process.stderr, process.stderr);
// The package expects to be available under this global name.
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

// Encodes a string with lone surrogates as the format does, with three bytes for each. Well-formed
// strings are reported unchanged.
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
  // The package returns lists of numbers as typed arrays.
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
  // The events are stored by zone. Sorting them by time restores the order of the file.
  const database = await open(bytes);
  const all = database.getZones().flatMap((zone) => [...events(zone)]);
  all.sort((left, right) => left.time_us - right.time_us);
  for (const event of all) reporter.record(event);
}

await run({ name: 'wtf-npm', version, read });
