// Tests both modes of the protocol with the example adapter: node --test

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';

import { Rejection, canonical } from '../../../cli/templates/javascript/tracegauge.mjs';

const adapter = path.join(import.meta.dirname, 'examples', 'lines.mjs');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tracegauge-kit-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

function file(name, content) {
  const full = path.join(folder, name);
  fs.writeFileSync(full, content);
  return full;
}

function once(...args) {
  const env = { ...process.env, TRACEGAUGE_FORMAT: 'lines-v1' };
  return spawnSync(process.execPath, [adapter, ...args], { encoding: 'utf8', env, maxBuffer: 1 << 26 });
}

function serve(requests) {
  const input = requests.map((request) => `${request}\n`).join('');
  return spawnSync(process.execPath, [adapter], { encoding: 'utf8', input });
}

test('values are written in the canonical form', () => {
  assert.equal(
    canonical({ a: 2n ** 53n - 1n, b: -(2n ** 53n), c: -0, d: [NaN, -Infinity, 0.1, 1e300] }),
    '{"a":9007199254740991,"b":-9007199254740992,"c":-0.0,"d":["NaN","-Infinity",0.1,1e+300]}',
  );
  assert.equal(
    canonical({ a: Uint8Array.of(0, 255), b: new Map([['k', 'v']]), c: null, d: undefined, e: 'é\n' }),
    '{"a":{"hex":"00ff"},"b":[["k","v"]],"c":null,"e":"é\\n"}',
  );
});

test('typed arrays and sets are lists, but for bytes', () => {
  const values = [BigUint64Array.of(2n ** 64n - 1n), Float64Array.of(0.5, NaN), new Set(['a']), Buffer.of(1)];
  assert.equal(canonical(values), '[[18446744073709551615],[0.5,"NaN"],["a"],{"hex":"01"}]');
});

test('a string with lone surrogates is bytes, or replaced where no bytes can stand', () => {
  assert.equal(canonical(['a\ud800é', '\udc00\ud800', '😀']), '[{"hex":"61eda080c3a9"},{"hex":"edb080eda080"},"😀"]');
  assert.equal(canonical({ '\ud800n': 1 }), '{"\ufffdn":1}');
  assert.equal(new Rejection('a\udfff').closing.why, 'a\ufffd');
  assert.equal(new Rejection(new RangeError('far')).closing.why, 'far');
  assert.equal(Rejection.unsupported('\ud800').closing.feature, '\ufffd');
});

test('what has no form is a mistake of the adapter', () => {
  assert.throws(() => canonical({ a: () => 1 }), TypeError);
});

test('once prints records and the closing line', () => {
  const done = once('--any-option', file('two', 'a\nb'));
  assert.equal(
    done.stdout,
    '{"record":"line","format":"lines-v1","text":"a"}\n' +
      '{"record":"line","format":"lines-v1","text":"b"}\n' +
      '{"end":"accept"}\n',
  );
  assert.equal(done.status, 0);
});

test('once tells each verdict by its exit status too', () => {
  const rejected = once(file('bad', Buffer.of(0xff)));
  assert.equal(rejected.status, 65);
  assert.match(rejected.stdout, /^\{"end":"reject","why":".+","class":"malformed","offset":0\}\n$/);
  const gap = once(file('gap', 'unsupported'));
  assert.equal(gap.status, 69);
  assert.equal(gap.stdout, '{"end":"unsupported","feature":"lines that say so"}\n');
  const missing = once('/nonexistent/case');
  assert.deepEqual([missing.status, missing.stdout], [66, '']);
});

test('serve answers every request in order', () => {
  const request = (name, content) =>
    JSON.stringify({ case: name, format: 'f', file: file(name, content) });
  const done = serve([
    '{"tracegauge":1,"hello":true}',
    request('c-1', 'x'),
    request('c-2', Buffer.of(0xff)),
    request('c-3', 'y'),
  ]);
  const lines = done.stdout.trimEnd().split('\n');
  assert.equal(lines[0], '{"tracegauge":1,"name":"lines","version":"1.0.0","reports":"records"}');
  assert.deepEqual(lines.slice(1, 3), ['{"record":"line","format":"f","text":"x"}', '{"end":"accept"}']);
  assert.match(lines[3], /^\{"end":"reject"/);
  assert.deepEqual(lines.slice(4), ['{"record":"line","format":"f","text":"y"}', '{"end":"accept"}']);
  assert.equal(done.status, 0);
});

test('serve flushes each case before it reads the next request', async () => {
  const child = spawn(process.execPath, [adapter], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const request = JSON.stringify({ case: 'c', file: file('flush', 'x') });
  for (let round = 0; round < 3; round++) {
    child.stdin.write(`${request}\n`);
    assert.match((await answers.next()).value, /"text":"x"/);
    assert.equal((await answers.next()).value, '{"end":"accept"}');
  }
  child.stdin.end();
  const [status] = await new Promise((done) => child.on('exit', (...args) => done(args)));
  assert.equal(status, 0);
});

test('the bytes of a case stand in memory of their own', () => {
  const kit = JSON.stringify(path.join(import.meta.dirname, '../../../cli/templates/javascript/tracegauge.mjs'));
  const code = `import { run } from ${kit};
    await run({ read: (bytes, reporter) => reporter.record({ own: bytes.buffer.byteLength }) });`;
  const input = ['', 'abc', 'x'.repeat(9000)]
    .map((content, at) => JSON.stringify({ file: file(`own-${at}`, content) }) + '\n')
    .join('');
  const args = ['--input-type=module', '--eval', code];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8', input });
  const answers = [0, 3, 9000].map((own) => `{"own":${own}}\n{"end":"accept"}\n`);
  assert.equal(done.stdout, answers.join(''));
});

test('more than a pipe holds arrives whole', () => {
  const done = once(file('long', 'abcdefgh\n'.repeat(100_000)));
  assert.equal(done.stdout.trimEnd().split('\n').length, 100_002);
  assert.equal(done.status, 0);
});

test('what is thrown besides a rejection kills the process without a closing line', () => {
  const crash = file('throw', 'a\nthrow');
  const request = JSON.stringify({ case: 'c', file: crash });
  for (const done of [once(crash), serve([request, request])]) {
    assert.equal(done.status, 70);
    assert.match(done.stdout, /^\{"record":"line".*\}\n$/);
    assert.match(done.stderr, /TypeError: asked to/);
    assert.match(done.stderr, /^Node\.js v/m);
  }
});

test('what is no request of this protocol is refused', () => {
  for (const line of ['{"tracegauge":2,"hello":true}', 'hello', '{"case":"c"}', '7']) {
    const done = serve([line]);
    assert.deepEqual([done.status, done.stdout], [76, ''], line);
  }
});

test('what is nested deep is written like anything else', () => {
  let deep = [];
  for (let depth = 1; depth < 100_000; depth += 1) deep = [deep];
  assert.equal(canonical(deep), '['.repeat(100_000) + ']'.repeat(100_000));
  assert.equal(canonical({ a: [1, { b: null, c: undefined }], d: new Map([['e', 2n]]) }), '{"a":[1,{"b":null}],"d":[["e",2]]}');
});
