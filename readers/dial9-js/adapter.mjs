// tracegauge reader: the decode.js of dial9-trace-format, by TraceDecoder.nextFrame.
// Runs from ./build, where build.mjs lays it beside the decoder and the kit.
//
// How it says no: decodeHeader returns false; nextFrame throws a plain Error. An error
// of the engine itself (RangeError, TypeError) is none of its words and is left to fly.
//
// Where the bytes end inside a frame nextFrame returns null, as it does at the end; its
// comment calls that stopping gracefully. 0.2.0 has nothing to tell the two apart, so it
// accepts. From 0.5 the streaming mode has: needMoreBytes after the last null. That
// mode is switched on here where there is one, and changes nothing else.

import decode from './decode.cjs';
import { name, version } from './about.mjs';
import { Rejection, run } from './tracegauge.mjs';

const { FieldType, TraceDecoder } = decode;

// What the decoder hands out in a form of its own, back to what it stands for.
const forms = {
  [FieldType.Varint]: BigInt,
  [FieldType.StackFrames]: (frames) => frames.map(BigInt),
  [FieldType.PooledStackFrames]: (frames) => (Array.isArray(frames) ? frames.map(BigInt) : null),
  [FieldType.Bytes]: (bytes) => Uint8Array.from(bytes),
  [FieldType.StringMap]: Object.entries,
  // Its own notation for an id that it does not know.
  [FieldType.PooledString]: (text) => (/^<unresolved pool#\d+>$/.test(text) ? null : text),
};

function form(field, value) {
  // The high bit marks a field that may be absent; only 0.5 takes it.
  const convert = forms[field.fieldType & 0x7f];
  return value === null || !convert ? value : convert(value);
}

// The decoder has one value a name, that of the last field so called; a value that it
// lost is left out here too.
function pairs(fields, values) {
  const owner = new Map(fields.map((field) => [field.name, field]));
  return fields
    .filter((field) => owner.get(field.name) === field && Object.hasOwn(values, field.name))
    .map((field) => [field.name, form(field, values[field.name])]);
}

function nextFrame(decoder) {
  try {
    return decoder.nextFrame();
  } catch (error) {
    throw error.constructor === Error ? new Rejection(error.message) : error;
  }
}

function read(bytes, reporter) {
  const decoder = new TraceDecoder(bytes);
  if (!decoder.decodeHeader()) throw new Rejection('decodeHeader returned false');
  decoder.enableStreaming?.();
  for (let frame; (frame = nextFrame(decoder)) !== null; ) {
    if (frame.type !== 'event') continue;
    const { fields } = decoder.schemas.get(frame.typeId);
    const timestamp = frame.timestamp_ns === undefined ? undefined : BigInt(frame.timestamp_ns);
    reporter.record({
      record: 'event',
      name: frame.name,
      timestamp,
      fields: pairs(fields, frame.values),
    });
  }
  if (decoder.needMoreBytes) throw new Rejection('needMoreBytes', { class: 'incomplete' });
}

await run({ name, version, read });
