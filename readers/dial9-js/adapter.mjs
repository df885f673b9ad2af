// tracegauge reader for the decode.js of dial9-trace-format, based on TraceDecoder.nextFrame.
// It runs in ./build, where build.mjs copies it together with the decoder and the kit.
//
// Rejections: decodeHeader returns false, or nextFrame throws a plain Error. Errors of the
// JavaScript engine, such as RangeError and TypeError, are not rejections and are not caught.
//
// If the bytes end inside a frame, nextFrame returns null, as it does at the end. The decoder's
// comment calls this stopping gracefully. In 0.2.0, nothing distinguishes the two cases, so the
// adapter accepts the trace.
// enables this mode if it exists, which has no other effect.

import decode from './decode.cjs';
import { name, version } from './about.mjs';
import { Rejection, run } from './tracegauge.mjs';

const { FieldType, TraceDecoder } = decode;

// Conversions from the decoder's own representation of values.
const forms = {
  [FieldType.Varint]: BigInt,
  [FieldType.StackFrames]: (frames) => frames.map(BigInt),
  [FieldType.PooledStackFrames]: (frames) => (Array.isArray(frames) ? frames.map(BigInt) : null),
  [FieldType.Bytes]: (bytes) => Uint8Array.from(bytes),
  [FieldType.StringMap]: Object.entries,
  // The notation that the decoder uses for an unknown id.
  [FieldType.PooledString]: (text) => (/^<unresolved pool#\d+>$/.test(text) ? null : text),
};

function form(field, value) {
  // The high bit marks an optional field. Only 0.5 supports it.
  const convert = forms[field.fieldType & 0x7f];
  return value === null || !convert ? value : convert(value);
}

// The decoder keeps one value per name, which is that of the last field with this name. Values that
// it drops are omitted here too.
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
