// tracegauge reader: tracing-framework, by wtf.db.load.
// Runs from ./build, where build.mjs lays it beside the package's one file and the kit.
//
// How it says no: its callback gets an Error. What it throws besides is none of its words
// and is left to fly.
//
// What it makes is a database of what happened. Zones and definitions are gone from the
// events (the suite asks for neither); times are in milliseconds. Data that were appended
// to a scope have joined the scope's arguments, and a time stamp has taken its argument for
// its name: there the events are not those of the file, and this says what the database
// says.

import { createRequire } from 'node:module';

import { version } from './about.mjs';
import { Rejection, run } from './tracegauge.mjs';

// The package looks for itself under this name.
globalThis.wtf = createRequire(import.meta.url)('./wtf.cjs');

function open(bytes) {
  return new Promise((resolve, reject) => {
    wtf.db.load(new Uint8Array(bytes), (database) =>
      database instanceof Error ? reject(new Rejection(database.message)) : resolve(database),
    );
  });
}

// Numbers of a list have come in an array of their kind.
function form(value) {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value;
}

function* events(zone) {
  const of = { name: zone.getName(), type: zone.getType(), location: zone.getLocation() };
  for (const event = zone.getEventList().begin(); !event.done(); event.next()) {
    yield {
      record: 'event',
      name: event.getName(),
      time_us: Math.round(event.getTime() * 1000),
      zone: of,
      args: Object.entries(event.getArguments() ?? {}).map(([name, value]) => [name, form(value)]),
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
