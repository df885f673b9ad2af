// Reports the values of a case of values.json through the kit.

import { Rejection, run } from './tracegauge.mjs';

class Case {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  number() {
    return this.take(4).readInt32LE();
  }

  /** Returns a string, or raw bytes if the text cannot be represented in UTF-16. */
  words() {
    const count = this.number();
    const units = this.take(2 * Math.max(count, 0));
    const raw = this.take(this.number());
    return count < 0 ? raw : units.toString('utf16le');
  }

  value() {
    const tag = String.fromCharCode(this.take(1)[0]);
    switch (tag) {
      case 'n': return null;
      case 'T': return true;
      case 'F': return false;
      case 'i': return BigInt(this.words());
      case 'd': return this.take(8).readDoubleLE();
      case 'g': return this.take(4).readFloatLE();
      case 's':
      case 'G': return this.words();
      case 'P': return [this.value(), this.value()];
      case 'V': return every(this.value());
      case 'b': return this.take(this.number());
      case '[': return Array.from({ length: this.number() }, () => this.value());
      case '{': return Object.fromEntries(Array.from({ length: this.number() }, () => [`${this.words()}`, this.value()]));
      case 'J': return JSON.parse(this.words());
      default: {
        let nested = [];
        for (let depth = this.number(); depth > 1; depth -= 1) nested = [nested];
        return nested;
      }
    }
  }
}

/** Returns a value in each of the types that the kit writes in the same way. */
function every(value) {
  if (typeof value === 'bigint') return [value, Number(value)];
  if (typeof value === 'number') return [value, Math.fround(value)];
  if (value instanceof Uint8Array) {
    const { buffer } = Uint8Array.from(value);
    const around = new Uint8Array(value.length + 8);
    around.set(value, 4);
    const shared = new SharedArrayBuffer(value.length);
    new Uint8Array(shared).set(value);
    return [
      value, buffer, shared, new Uint8Array(buffer), new Uint8ClampedArray(buffer), new DataView(buffer),
      new DataView(around.buffer, 4, value.length), around.subarray(4, 4 + value.length),
    ];
  }
  if (Array.isArray(value)) {
    const numbers = value.every((item) => typeof item === 'bigint');
    return numbers ? [value, new Set(value), BigInt64Array.from(value), Int8Array.from(value, Number)] : [value];
  }
  if (value === null) return [value, undefined];
  if (typeof value === 'object') return [value, Object.assign(Object.create(null), value)];
  return [value];
}

function read(bytes, reporter) {
  const one = new Case(bytes);
  while (one.at < bytes.length) {
    const tag = String.fromCharCode(one.take(1)[0]);
    if (tag === 'R') {
      const record = { record: 'row' };
      for (let left = one.number(); left > 0; left -= 1) record[one.words()] = one.value();
      reporter.record(record);
    } else if (tag === 'X') {
      const [why, kind, offset] = [one.words(), one.words(), one.number()];
      throw new Rejection(why, { class: kind || undefined, offset: offset < 0 ? undefined : offset });
    } else if (tag === 'U') {
      throw Rejection.unsupported(one.words());
    }
  }
}

await run({ name: 'replay', version: '1.0.0', read });
