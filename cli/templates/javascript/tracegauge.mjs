// The tracegauge reader protocol. With this module, an adapter is a single function. It has no
// dependencies.
//
//   import { Rejection, run } from './tracegauge.mjs';
//
//   await run({
//     name: 'my-reader',
//     version: '1.4.0',
//     read(bytes, reporter) {
//       for (const event of parse(bytes)) reporter.record({ record: 'event', ...event });
//     },
//   });
//
// If the last argument is a path, the program reads that file (mode once). Without arguments, it
// answers requests on standard input (mode serve). `read` returns if the reader accepts the trace
// and throws a Rejection if the reader rejects it. It may also return a promise. Any other error
// counts as a crash: it ends the process, so that the harness detects it.

import fs from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const PROTOCOL = 1;

// Exit statuses of sysexits.h. Only 65 and 69 are answers in the protocol.
const STATUS = { reject: 65, noInput: 66, unsupported: 69, crash: 70, protocol: 76 };

/** Thrown by `read` if the reader rejects a trace. */
export class Rejection extends Error {
  /**
   * Creates a rejection. `why` is a text or the reader's own error. `details` may contain `class`
   * (malformed, incomplete or unsupported) and `offset`, if they are known.
   */
  constructor(why, details = {}) {
    const text = plainText(why instanceof Error ? why.message : why);
    super(text);
    this.closing = { end: 'reject', why: text, class: details.class, offset: details.offset };
  }

  /**
   * Creates a rejection because the reader does not support a feature. It does not mean that the
   * trace is faulty.
   */
  static unsupported(feature) {
    const rejection = new Rejection(feature);
    rejection.closing = { end: 'unsupported', feature: rejection.message };
    return rejection;
  }
}

/** Writes the records of one case in the order in which the reader reports them. */
class Reporter {
  #lines = [];
  #length = 0;

  constructor(format) {
    /** The tracegauge name of the case's format. */
    this.format = format;
  }

  /** Reports one record, which must be an object with a `record` member that names its kind. */
  record(record) {
    const line = canonical(record) + '\n';
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > 1 << 16) this.flush();
  }

  close(closing) {
    this.record(closing);
    this.flush();
  }

  flush() {
    writeAll(Buffer.from(this.#lines.join('')));
    this.#lines = [];
    this.#length = 0;
  }
}

/**
 * Returns a value as JSON in the protocol's canonical form. In addition to plain JSON, it accepts
 * BigInt, non-finite numbers, bytes (Uint8Array, Uint8ClampedArray, ArrayBuffer, DataView), Map
 * (ordered pairs), Set and the other typed arrays (lists). Members that are undefined are omitted,
 * and null stays null. A string with lone surrogates is not valid text and is written as the bytes
 * that UTF-8 would use for it.
 */
export function canonical(value) {
  // Deeply nested values must not cause deep recursion, so the parts still to be written are on
  // this stack, with the next one last. A Written on the stack is text that is written verbatim.
  const written = [];
  const waiting = [value];
  const wait = (...parts) => waiting.push(...parts.reverse());
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (part instanceof Written) {
      written.push(part.text);
    } else if (isList(part)) {
      wait([...part]);
    } else if (Array.isArray(part)) {
      waiting.push(new Written(']'));
      for (let at = part.length - 1; at >= 0; at -= 1) {
        waiting.push(part[at]);
        if (at > 0) waiting.push(new Written(','));
      }
      waiting.push(new Written('['));
    } else if (typeof part === 'object' && part !== null && !isBytes(part)) {
      const members = Object.entries(part).filter(([, member]) => member !== undefined);
      waiting.push(new Written('}'));
      members.reverse().forEach(([name, member], at) => {
        const comma = at + 1 < members.length ? ',' : '';
        wait(new Written(`${comma}${JSON.stringify(plainText(name))}:`), member);
      });
      waiting.push(new Written('{'));
    } else {
      written.push(plain(part));
    }
  }
  return written.join('');
}

/** A piece of JSON text between values. */
class Written {
  constructor(text) {
    this.text = text;
  }
}

/** Returns whether a value that is not an Array is written as a list. */
function isList(value) {
  if (value instanceof Map || value instanceof Set) return true;
  return ArrayBuffer.isView(value) && !isBytes(value);
}

/** Returns whether a value is written as bytes. */
function isBytes(value) {
  return BYTES.some((type) => value instanceof type);
}

const BYTES = [Uint8Array, Uint8ClampedArray, DataView, ArrayBuffer, SharedArrayBuffer];

/** Renders a value that contains no other values. */
function plain(value) {
  switch (typeof value) {
    case 'bigint':
      return `${value}`;
    case 'number':
      if (Object.is(value, -0)) return '-0.0';
      return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
    case 'string':
      return LONE.test(value) ? hex(bytesOf(value)) : JSON.stringify(value);
    case 'boolean':
      return `${value}`;
    case 'object':
      return value === null ? 'null' : hex(value);
    case 'undefined':
      return 'null';
    default:
      throw new TypeError(`no JSON form for a ${typeof value}`);
  }
}

function hex(bytes) {
  const raw = ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes);
  return `{"hex":"${raw.toString('hex')}"}`;
}

/** Matches a lone surrogate. */
const LONE = /\p{Surrogate}/u;

/** Returns the UTF-8 of a string, with each lone surrogate encoded as three bytes. */
function bytesOf(text) {
  const parts = text.split(/(\p{Surrogate})/u).map((part) => {
    const code = LONE.test(part) ? part.charCodeAt(0) : 0;
    return code ? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)] : Buffer.from(part);
  });
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** Returns well-formed text, for places where bytes are not allowed. Replaces invalid parts. */
function plainText(value) {
  return String(value).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Runs the adapter. `reports` is 'verdict' for a reader that reports no records. */
export async function run({ name, version, reports = 'records', read }) {
  // Node reports an uncaught exception itself, but its exit status 1 would mean "rejected, perhaps
  // crashed".
  process.on('exit', (status) => {
    if (status === 1) process.exitCode = STATUS.crash;
  });
  if (['--help', '-h'].includes(process.argv.at(-1))) {
    console.log(`usage: ${name} [TRACE]; without TRACE, answers requests on standard input`);
    return;
  }
  if (process.argv.length > 2) {
    const status = await readCase(process.argv.at(-1), process.env.TRACEGAUGE_FORMAT ?? '', read);
    process.exitCode = status;
    return;
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const request = parseRequest(line);
    if ('tracegauge' in request) {
      if (request.tracegauge !== PROTOCOL) die(STATUS.protocol, `unsupported protocol version: ${line}`);
      new Reporter('').close({ tracegauge: PROTOCOL, name, version, reports });
    } else {
      if (typeof request.file !== 'string') die(STATUS.protocol, `the request has no \`file\`: ${line}`);
      await readCase(request.file, request.format ?? '', read);
    }
  }
}

/** Reads one case and writes its closing line. Returns the exit status for mode once. */
async function readCase(file, format, read) {
  const reporter = new Reporter(format);
  const bytes = load(file);
  try {
    await read(bytes, reporter);
  } catch (thrown) {
    if (thrown instanceof Rejection) {
      reporter.close(thrown.closing);
      return STATUS[thrown.closing.end];
    }
    reporter.flush();
    throw thrown;
  }
  reporter.close({ end: 'accept' });
  return 0;
}

function load(file) {
  try {
    const bytes = fs.readFileSync(file);
    // Node allocates small buffers from a pool. A reader that reads past the end of such a buffer
    // would find an earlier case there, and its answers would vary between runs.
    return bytes.buffer.byteLength === bytes.byteLength ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  } catch (error) {
    return die(STATUS.noInput, error.message);
  }
}

function parseRequest(line) {
  try {
    return Object(JSON.parse(line));
  } catch {
    return die(STATUS.protocol, `not JSON: ${line}`);
  }
}

function die(status, why) {
  fs.writeSync(2, `${why}\n`);
  process.exit(status);
}

/** Writes synchronously, so that all output of a case is written before the next begins. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      // Standard output is a non-blocking pipe that is full.
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
