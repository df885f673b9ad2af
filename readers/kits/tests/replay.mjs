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
      case 's': return this.words();
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
