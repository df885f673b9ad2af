// The tracegauge reader protocol, so that an adapter is one function. No dependencies.
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
// With a path as its last argument the program reads that file (once), without one it
// answers requests on standard input (serve). `read` returns where the reader accepts and
// throws a Rejection where the reader says no; it may return a promise of the same. Anything
// else that is thrown is a crash: it ends the process, which is what the harness must see.

import fs from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const PROTOCOL = 1;

// Of sysexits.h; 65 and 69 are answers in the protocol, the rest are not.
const STATUS = { reject: 65, noInput: 66, unsupported: 69, crash: 70, protocol: 76 };

/** How a reader says no. */
export class Rejection extends Error {
  /**
   * `why` is a text or the reader's own error. `details`: `class` (malformed, incomplete,
   * unsupported) and `offset`, where known.
   */
  constructor(why, details = {}) {
    const text = plainText(why instanceof Error ? why.message : why);
    super(text);
    this.closing = { end: 'reject', why: text, class: details.class, offset: details.offset };
  }

  /** The reader says that it does not read this feature, rather than that it is wrong. */
  static unsupported(feature) {
    const rejection = new Rejection(feature);
    rejection.closing = { end: 'unsupported', feature: rejection.message };
    return rejection;
  }
}

/** Takes the records of one case, in the order in which the reader reports them. */
class Reporter {
  #lines = [];
  #length = 0;

  constructor(format) {
    /** The format that the case is in, by its name in tracegauge. */
    this.format = format;
  }

  /** Reports one record: an object with a `record` member that names its kind. */
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
 * A value as JSON, as the protocol wants it. Beside plain JSON it takes BigInt, numbers that
 * JSON has not, bytes (Uint8Array), Map (pairs, in order), Set and the other typed arrays
 * (lists). A member that is undefined is left out; null stays null. A string with lone
 * surrogates, which is no text, is written as the bytes that UTF-8 would have for it.
 */
export function canonical(value) {
  // What a trace nests deep must not nest our calls: what is still to be written waits here, the next
  // at the end. A Written there is text that is written as it is.
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
    } else if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array)) {
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

/** A piece of JSON between values. */
class Written {
  constructor(text) {
    this.text = text;
  }
}

/** What is written as a list, though it is no Array. */
function isList(value) {
  if (value instanceof Map || value instanceof Set) return true;
  return ArrayBuffer.isView(value) && !(value instanceof Uint8Array) && !(value instanceof DataView);
}

/** A value that holds no others. */
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
  return `{"hex":"${Buffer.from(bytes).toString('hex')}"}`;
}

/** A surrogate without its other half. */
const LONE = /\p{Surrogate}/u;

/** The UTF-8 of a string, in which a lone surrogate is three bytes like its neighbours. */
function bytesOf(text) {
  const parts = text.split(/(\p{Surrogate})/u).map((part) => {
    const code = LONE.test(part) ? part.charCodeAt(0) : 0;
    return code ? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)] : Buffer.from(part);
  });
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** A text where no bytes can stand: what is not well formed in it is replaced. */
function plainText(value) {
  return String(value).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Runs the program. `reports` is 'verdict' for a reader that cannot tell what it read. */
export async function run({ name, version, reports = 'records', read }) {
  // What is thrown where nobody waits for it is a crash like any other.
  process.on('uncaughtException', (thrown) => die(STATUS.crash, thrown?.stack ?? String(thrown)));
  if (process.argv.length > 2) {
    const status = await readCase(process.argv.at(-1), process.env.TRACEGAUGE_FORMAT ?? '', read);
    process.exitCode = status;
    return;
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const request = parseRequest(line);
    if ('tracegauge' in request) {
      if (request.tracegauge !== PROTOCOL) die(STATUS.protocol, `unknown protocol: ${line}`);
      new Reporter('').close({ tracegauge: PROTOCOL, name, version, reports });
    } else {
      if (typeof request.file !== 'string') die(STATUS.protocol, `no file: ${line}`);
      await readCase(request.file, request.format ?? '', read);
    }
  }
}

/** Reads one case and closes it; gives the exit status of `once`. */
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
    // Status 1 would say "rejected, perhaps crashed".
    die(STATUS.crash, thrown?.stack ?? String(thrown));
  }
  reporter.close({ end: 'accept' });
  return 0;
}

function load(file) {
  try {
    const bytes = fs.readFileSync(file);
    // Node cuts small buffers out of a pool. A reader that looked past its end would find
    // an earlier case there, and answer otherwise from run to run.
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

/** Synchronous, so that a case has left the process before the next is begun. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      // A pipe that someone made non-blocking, and that is full.
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
