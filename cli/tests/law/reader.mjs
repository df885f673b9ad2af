// A reader that returns the answers in the folder that TRACEGAUGE_ANSWERS names. It recognizes a
// case by the bytes of its trace.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

export class Rejection extends Error {}

const hash = (bytes) => createHash('sha1').update(bytes).digest('hex');
const names = new Map();
for (const list of readdirSync('cases').filter((name) => name.endsWith('.txt'))) {
  for (const line of readFileSync(`cases/${list}`, 'utf8').trim().split('\n')) {
    const path = line.split('\t')[1];
    names.set(hash(readFileSync(`cases/${path}`)), path);
  }
}

export function read(bytes) {
  const name = `${names.get(hash(bytes))}.json`;
  const changed = `${process.env.TRACEGAUGE_ANSWERS}/changed/${name}`;
  const right = `${process.env.TRACEGAUGE_ANSWERS}/right/${name}`;
  const answer = JSON.parse(readFileSync(existsSync(changed) ? changed : right, 'utf8'));
  if (answer.said === 'reject') throw new Rejection('no');
  if (answer.said !== 'accept') throw new TypeError(answer.said);
  const rows = answer.records ?? [];
  rows.reverse();
  const records = [];
  while (rows.length > 0) records.push(value(rows));
  return records;
}

/** Returns the value of the last rows, and removes them. */
function value(rows) {
  const [label, kind, content] = rows.pop();
  switch (kind) {
    case 'record':
      return { ...(label && { record: label }), ...members(rows, content) };
    case 'object':
    case 'json-object':
      return members(rows, content);
    case 'list':
    case 'json-list':
      return Array.from({ length: content }, () => value(rows));
    case 'pairs':
      return Array.from({ length: content }, () => [value(rows), value(rows)]);
    case 'bool':
    case 'text':
    case 'guid':
    case 'json-bool':
    case 'json-text':
      return content;
    case 'int':
      return BigInt(content);
    case 'f32':
    case 'f64':
    case 'json-number':
      return Number(content);
    case 'bytes':
    case 'ill-formed':
      return { hex: content };
    case 'enum':
      return content[0];
    case 'flags':
      return [...content[2], ...(content[1] === '0' ? [] : [BigInt(content[1])])];
    case 'missing':
      return { missing: content };
    default:
      return null;
  }
}

function members(rows, count) {
  const found = {};
  for (let index = 0; index < count; index += 1) {
    const [label] = rows.at(-1);
    found[label] = value(rows);
  }
  return found;
}
