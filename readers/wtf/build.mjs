// Assembles the reader in ./build, because a contained reader can access only its own files. Only
// one file of the package is needed. It loads traces without any of the package's dependencies.

import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const installed = path.join(here, 'node_modules/tracing-framework');
const { version } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8'));

fs.mkdirSync(path.join(here, 'build'), { recursive: true });
for (const [from, to] of [
  [path.join(installed, 'build-out/wtf_node_js_compiled.js'), 'wtf.cjs'],
  [path.join(here, '../../cli/templates/javascript/tracegauge.mjs'), 'tracegauge.mjs'],
  [path.join(here, 'adapter.mjs'), 'adapter.mjs'],
]) {
  fs.copyFileSync(from, path.join(here, 'build', to));
  fs.chmodSync(path.join(here, 'build', to), 0o644); // The source may be read-only, but the copy must be replaceable.
}
fs.writeFileSync(
  path.join(here, 'build/about.mjs'),
  `export const version = ${JSON.stringify(version)};\n`,
);
