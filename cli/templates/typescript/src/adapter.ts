// The tracegauge adapter for @NAME@. You only have to implement `read`. tracegauge.mjs implements
// the protocol.

import { Rejection, run, type Reporter } from '../tracegauge.mjs';

/** Reads one trace. `bytes` is a Buffer, and `reporter.format` is the name of its format. */
function read(bytes: Buffer, reporter: Reporter): void {
  // Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
  // records and members. Integers beyond 2^53 must be bigint:
  //
  //     try {
  //       for (const event of parse(bytes)) {
  //         reporter.record({ record: 'event', name: event.name });
  //       }
  //     } catch (error) {
  //       if (error instanceof ParseError) throw new Rejection(error);
  //       throw error;
  //     }
  //
  // Return if your reader accepts the trace. Any error except a Rejection is a crash.
  void [bytes, reporter];
  throw new Rejection('this adapter does not call a reader yet: call yours in src/adapter.ts');
}

await run({ name: '@NAME@', version: '0.1.0', read });
