// Shows @NAME@ to tracegauge. `read` is all that is yours; tracegauge.mjs speaks the protocol.

import { Rejection, run, type Reporter } from '../tracegauge.mjs';

/** Reads one trace: `bytes` is a Buffer, `reporter.format` the name of its format. */
function read(bytes: Buffer, reporter: Reporter): void {
  // Call your reader here, and report each record that it read by the names that
  // `tracegauge spec docs ID` lists. Integers beyond 2^53 must be bigint:
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
  // Return where it accepts the trace. Anything but a Rejection that is thrown is a crash.
  void [bytes, reporter];
  throw new Rejection('no reader is called yet: call yours in src/adapter.ts');
}

await run({ name: '@NAME@', version: '0.1.0', read });
