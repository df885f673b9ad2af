// Tests the adapter on real files, using the sidecars of their writer: node --test

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

const here = import.meta.dirname;
const real = (name) => path.join(here, '../../corpus/real/wtf-v3', name);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tracegauge-wtf-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// The reader, built and run in its own folder as its reader file describes.
const npm = spawnSync('npm', ['--version']).status === 0;
const yaml = fs.readFileSync(path.join(here, 'reader.yaml'), 'utf8');
if (npm) execFileSync('sh', ['-c', /^build: (.+)$/m.exec(yaml)[1]], { cwd: here });
const [, command, script] = /^command: \[(\w+), (.+)\]$/m.exec(yaml);
const options = npm ? {} : { skip: 'npm is not here, which installs the package' };

/** Returns the reader's answer to a file, which must be the same in both modes. */
function ask(file) {
  const options = { cwd: here, encoding: 'utf8', maxBuffer: 1 << 26 };
  const once = spawnSync(command, [script, file], options);
  const input = JSON.stringify({ case: 'c-1', format: 'wtf-v3', file }) + '\n';
  const serve = spawnSync(command, [script], { ...options, input });
  assert.equal(serve.stdout, once.stdout);
  const lines = once.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const closing = lines.at(-1)?.end === undefined ? undefined : lines.pop();
  return { closing, records: lines, status: once.status };
}

// The changes that the database makes to events with these names. All other events are as in the
// file.
const changed = {
  // The values have been moved to the scope.
  'wtf.scope#appendData': ({ args, ...event }) => event,
  'wtf.trace#timeStamp': (event) => ({ ...event, name: event.args[0][1], args: [] }),
};
const units = { 't#time32': (value) => Math.round(value * 1000) };

/** Returns the sidecar's events as canonical records. The sidecar does not contain their zones. */
function expected() {
  const { events, event_types: types } = JSON.parse(
    fs.readFileSync(real('v3_snapshot_small.wtf-trace.json'), 'utf8'),
  );
  const scopes = types.filter((type) => type.eventClass === 1).map((type) => type.name);
  return events.map((event) => {
    const unit = units[event.name] ?? ((value) => value);
    const record = {
      record: 'event',
      name: event.name,
      class: scopes.includes(event.name) ? 'scope' : 'instance',
      time_us: event.time_us,
      args: Object.entries(event.args ?? {}).map(([name, value]) => [name, unit(value)]),
    };
    return (changed[event.name] ?? ((same) => same))(record);
  });
}

test('every type of argument is reported as written', options, () => {
  const answer = ask(real('v3_snapshot_small.wtf-trace'));
  const withoutZones = answer.records.map(({ zone, ...record }) => record);
  assert.deepEqual(withoutZones, expected());
  assert.deepEqual(answer.closing, { end: 'accept' });
});

test('events are in the zones that their writer made', options, () => {
  const { records } = ask(real('v3_snapshot_small.wtf-trace'));
  const { zones } = JSON.parse(fs.readFileSync(real('v3_snapshot_small.wtf-trace.json'), 'utf8'));
  for (const { events, ...zone } of zones) {
    const own = records.filter((record) => record.zone.name === zone.name);
    assert.equal(own.length, events);
    for (const record of own) assert.deepEqual(record.zone, zone);
  }
});

test('what the callback calls an Error is a rejection', options, () => {
  const answer = ask(real('v3_snapshot_small.wtf-trace.json'));
  assert.deepEqual(answer.records, []);
  assert.equal(answer.closing.end, 'reject');
  assert.equal(answer.status, 65);
});

test('an exception that the package does not catch is a crash', options, () => {
  const bytes = fs.readFileSync(real('v3_snapshot_small.wtf-trace'));
  bytes.write('float64', bytes.indexOf('float32'));
  const broken = path.join(folder, 'broken.wtf-trace');
  fs.writeFileSync(broken, bytes);
  assert.deepEqual(ask(broken), { closing: undefined, records: [], status: 70 });
});

test('what the package says on the console is no part of the answer', options, () => {
  const text = (name) => [0, name.length, ...Buffer.from(name)];
  const utf8 = (value) => [0, value.length, ...text(value)];
  const define = (id, flags, name, args) => [0, 1, 0, 0, 0, 0, 0, id, 0, 0, 0, 0, 0, flags, ...text(name), ...text(args)];
  const odd = path.join(folder, 'odd.wtf-trace');
  fs.writeFileSync(odd, Buffer.from([
    0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 0, 0, 0, 0, 3, ...utf8('{"contextType":"script","uri":"u"}'),
    ...Array(12).fill(0), ...utf8('{}'),
    ...define(2, 56, 'wtf.scope#appendData', 'ascii name, any value'),
    ...define(3, 0, 't#half', 'utf8 half'),
    0, 2, 0, 0, 0, 5, ...text('k'), ...utf8('1'),
    0, 3, 0, 0, 0, 6, 0, 1, 0, 3, 0xed, 0xa0, 0x80,
  ]));
  const answer = ask(odd);
  assert.deepEqual(answer.closing, { end: 'accept' });
  assert.deepEqual(answer.records.map(({ name, args }) => [name, args]), [
    ['wtf.scope#appendData', undefined],
    // A lone surrogate is not valid text, so it is reported as its bytes.
    ['t#half', [['half', { hex: 'eda080' }]]],
  ]);
});
