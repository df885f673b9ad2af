// Lays the reader out in ./build: a contained reader sees no files but its own. Of the
// package one file is needed; it loads traces without any of its dependencies.

import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const installed = path.join(here, 'node_modules/tracing-framework');
const { version } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8'));

fs.mkdirSync(path.join(here, 'build'), { recursive: true });
for (const [from, to] of [
  [path.join(installed, 'build-out/wtf_node_js_compiled.js'), 'wtf.cjs'],
  [path.join(here, '../kits/javascript/tracegauge.mjs'), 'tracegauge.mjs'],
  [path.join(here, 'adapter.mjs'), 'adapter.mjs'],
]) {
  fs.copyFileSync(from, path.join(here, 'build', to));
  fs.chmodSync(path.join(here, 'build', to), 0o644); // what was read-only must be replaceable
}
fs.writeFileSync(
  path.join(here, 'build/about.mjs'),
  `export const version = ${JSON.stringify(version)};\n`,
);
