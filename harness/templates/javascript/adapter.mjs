// Shows @NAME@ to tracegauge. `read` is all that is yours; tracegauge.mjs speaks the protocol.

import { Rejection, run } from './tracegauge.mjs';

/** Reads one trace: `bytes` is a Buffer, `reporter.format` the name of its format. */
function read(bytes, reporter) {
  // Call your reader here, and report each record that it read by the names that
  // `tracegauge spec docs ID` lists. Integers beyond 2^53 must be BigInt:
  //
  //     for (const event of parse(bytes)) {
  //       reporter.record({ record: 'event', name: event.name });
  //     }
  //
  // Return where it accepts the trace. Where it says no, say so in its own words:
  //
  //     throw new Rejection(error.message);
  throw new Rejection('no reader is called yet: call yours in adapter.mjs');
}

await run({ name: '@NAME@', version: '0.1.0', read });
