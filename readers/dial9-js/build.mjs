// Assembles a reader in ./build: node build.mjs NAME CRATE_ADAPTER
//
// The decoder is third-party code and not part of this repository. It is copied from the crate on
// which the Rust adapter CRATE_ADAPTER depends, wherever cargo has stored it. The kit is copied
// too, because a contained reader can access only its own files.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [name, crateAdapter] = process.argv.slice(2);
const manifest = path.resolve(crateAdapter, 'Cargo.toml');
const metadata = JSON.parse(
  execFileSync('cargo', ['metadata', '--locked', '--format-version=1', '--manifest-path', manifest], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const crate = metadata.packages.find((found) => found.name === 'dial9-trace-format');

fs.mkdirSync('build', { recursive: true });
const here = import.meta.dirname;
for (const [from, to] of [
  [path.join(path.dirname(crate.manifest_path), 'js/decode.js'), 'decode.cjs'],
  [path.join(here, '../../cli/templates/javascript/tracegauge.mjs'), 'tracegauge.mjs'],
  [path.join(here, 'adapter.mjs'), 'adapter.mjs'],
]) {
  fs.copyFileSync(from, path.join('build', to));
  fs.chmodSync(path.join('build', to), 0o644); // The source may be read-only, but the copy must be replaceable.
}
fs.writeFileSync(
  'build/about.mjs',
  `export const name = ${JSON.stringify(name)};\nexport const version = ${JSON.stringify(crate.version)};\n`,
);
