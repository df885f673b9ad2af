// Tests the adapter with both decoders on real files, using the sidecars of their writer:
// node --test

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

const here = import.meta.dirname;
const real = (name) => path.join(here, '../../corpus/real/dial9-v1', name);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tracegauge-dial9-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// The readers, built and run in their own folders as their reader files describe.
const [old, recent] = ['dial9-js', 'dial9-js-0.5'].map((name) => {
  const cwd = path.join(here, '..', name);
  const yaml = fs.readFileSync(path.join(cwd, 'reader.yaml'), 'utf8');
  const [, build] = /^build: (.+)$/m.exec(yaml);
  execFileSync('sh', ['-c', build], { cwd });
  const [, command, script] = /^command: \[(\w+), (.+)\]$/m.exec(yaml);
  return { command, script: path.join(cwd, script) };
});

/** Parses a line of JSON. Integers that JavaScript numbers cannot represent become text. */
function parsed(line) {
  const kept = (token) => (token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`);
  return JSON.parse(line.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, kept));
}

/** Returns a reader's answer to a file, which must be the same in both modes. */
function ask({ command, script }, file) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 };
  const once = spawnSync(command, [script, file], options);
  const input = JSON.stringify({ case: 'c-1', format: 'dial9-v1', file }) + '\n';
  const serve = spawnSync(command, [script], { ...options, input });
  assert.equal(serve.stdout, once.stdout);
  const lines = once.stdout.trimEnd().split('\n').map(parsed);
  return { closing: lines.at(-1), records: lines.slice(0, -1) };
}

// The field names, taken from the schema frames of the files, because the sidecars lack them.
const all = ['i64', 'f64', 'bool', 'string', 'bytes', 'pooled', 'frames', 'varint', 'map', 'u8', 'u16', 'u32'];
const names = {
  All: all,
  AllTypes: all,
  NoTs: ['v'],
  PollStart: ['worker', 'task'],
  CpuSample: ['tid', 'frames', 'name'],
  Log: ['msg', 'kv'],
  Empty: [],
  Opt: ['a', 'b', 'c', 'd'],
};

const integer = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

function float(bits) {
  const value = Buffer.from(bits, 'hex').readDoubleBE();
  return Number.isFinite(value) ? value : String(value);
}

function canonical(field) {
  if (field === 'other') return null;
  if ('i64' in field) return integer(field.i64);
  if ('bits' in field) return float(field.bits);
  if ('bytes' in field) return { hex: field.bytes };
  if ('pool' in field) return field.resolved;
  if ('frames' in field) return field.frames.map(integer);
  if ('uint' in field) return integer(field.uint);
  return field.bool ?? field.string ?? field.map;
}

/** Returns the sidecar's events as canonical records. */
function expected(name) {
  const { events } = JSON.parse(fs.readFileSync(real(`${name}.json`), 'utf8'));
  return events.map((event) => ({
    record: 'event',
    name: event.name,
    ...(event.ts === null ? {} : { timestamp: integer(event.ts) }),
    fields: event.fields.map((field, at) => [names[event.name][at], canonical(field)]),
  }));
}

/** Keeps the last of the pairs with equal keys, because the decoder stores maps as objects. */
function withoutRepeats(records) {
  const last = (pairs) => Object.entries(Object.fromEntries(pairs));
  return records.map((record) => ({
    ...record,
    fields: record.fields.map(([name, value]) => [name, name === 'map' ? last(value) : value]),
  }));
}

for (const [name, reader] of Object.entries({ old, recent })) {
  test(`${name}: every field type is reported as written`, () => {
    const answer = ask(reader, real('codec_every_field_type.trc'));
    assert.deepEqual(answer.records, expected('codec_every_field_type.trc'));
    assert.deepEqual(answer.closing, { end: 'accept' });
  });

  test(`${name}: two hundred mixed events are reported, but for repeated keys`, () => {
    const answer = ask(reader, real('encoder_mixed_200.trc'));
    assert.notDeepEqual(answer.records, expected('encoder_mixed_200.trc'));
    assert.deepEqual(answer.records, withoutRepeats(expected('encoder_mixed_200.trc')));
    assert.deepEqual(answer.closing, { end: 'accept' });
  });

  test(`${name}: what is no trace is rejected at once`, () => {
    const answer = ask(reader, real('encoder_mixed_200.trc.json'));
    assert.deepEqual(answer.records, []);
    assert.deepEqual(answer.closing, { end: 'reject', why: 'decodeHeader returned false' });
  });
}

test('a field type that the decoder does not know is its rejection', () => {
  const answer = ask(old, real('optional_fields_v035.trc'));
  assert.deepEqual(answer.records, []);
  assert.deepEqual(answer.closing, { end: 'reject', why: 'Unknown field type: 137' });
});

test('optional fields are reported by the decoder that knows them', () => {
  const answer = ask(recent, real('optional_fields_v035.trc'));
  assert.deepEqual(answer.records, expected('optional_fields_v035.trc'));
  assert.deepEqual(answer.closing, { end: 'accept' });
});

test('a cut file is reported up to the cut, with the verdict that the decoder has', () => {
  const cut = path.join(folder, 'cut.trc');
  fs.writeFileSync(cut, fs.readFileSync(real('codec_every_field_type.trc')).subarray(0, -1));
  const before = expected('codec_every_field_type.trc').slice(0, -1);
  assert.deepEqual(ask(old, cut), { closing: { end: 'accept' }, records: before });
  const closing = { end: 'reject', why: 'needMoreBytes', class: 'incomplete' };
  assert.deepEqual(ask(recent, cut), { closing, records: before });
});

test('an unknown pool id, equal names and a name that objects lose are passed on as they come', () => {
  const text = (name) => [name.length, 0, ...Buffer.from(name)];
  const field = (name, type) => [...text(name), type];
  const fields = [field('p', 7), field('a', 9), field('a', 11), field('__proto__', 4)];
  const odd = path.join(folder, 'odd.trc');
  const schema = [1, 0, 0, ...text('E'), 0, fields.length, 0, ...fields.flat()];
  const event = [2, 0, 0, 9, 0, 0, 0, 5, 6, 1, 0, 0, 0, 0x78];
  fs.writeFileSync(odd, Buffer.from([0x54, 0x52, 0x43, 0, 1, ...schema, ...event]));
  for (const reader of [old, recent]) {
    const record = { record: 'event', name: 'E', fields: [['p', null], ['a', 6]] };
    assert.deepEqual(ask(reader, odd), { closing: { end: 'accept' }, records: [record] });
  }
});
