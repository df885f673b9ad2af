// The tracegauge adapter for @NAME@. You only have to implement `read`. tracegauge.mjs implements
// the protocol.

import { Rejection, run } from './tracegauge.mjs';

/** Reads one trace. `bytes` is a Buffer, and `reporter.format` is the name of its format. */
function read(bytes, reporter) {
  // Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
  // records and members. Integers beyond 2^53 must be BigInt:
  //
  //     for (const event of parse(bytes)) {
  //       reporter.record({ record: 'event', name: event.name });
  //     }
  //
  // Return if your reader accepts the trace. If it rejects the trace, pass on its message:
  //
  //     throw new Rejection(error.message);
  throw new Rejection('this adapter does not call a reader yet: call yours in adapter.mjs');
}

await run({ name: '@NAME@', version: '0.1.0', read });
