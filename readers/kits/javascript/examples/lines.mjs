// A minimal adapter for a "format" of UTF-8 lines. The kit's tests run it.
// A line `unsupported` or `throw` triggers the kit's handling of these cases.

import { Rejection, run } from '../../../../cli/templates/javascript/tracegauge.mjs';

function text(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Rejection(error.message, { class: 'malformed', offset: 0 });
  }
}

await run({
  name: 'lines',
  version: '1.0.0',
  read(bytes, reporter) {
    for (const line of text(bytes).split('\n')) {
      if (line === 'unsupported') throw Rejection.unsupported('lines that say so');
      if (line === 'throw') throw new TypeError('asked to');
      reporter.record({ record: 'line', format: reporter.format, text: line });
    }
  },
});
