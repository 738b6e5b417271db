/**
 * `npm run firmware`: builds the RAM program of the lab for each chip, and writes what is committed of it. It finds or installs the
 * compilers.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { root } from './build/web.ts';
import { buildProbe, probeChips } from './probe/build-probe.ts';
import { provideProbeCompilers } from './probe/probe-compilers.ts';
import { committedFiles } from './probe/probe-files.ts';

if (provideProbeCompilers().skipped > 0) {
  process.exit(1);
}
for (const chip of probeChips) {
  const program = buildProbe(chip);
  const sizes = program.segments.map(({ address, bytes }) => `${bytes.length} bytes at 0x${address.toString(16)}`);
  console.log(`${chip}: ${sizes.join(', ')}, SHA-256 ${program.sha256}, ${program.compiler}`);
  for (const { path, bytes } of committedFiles(chip, program)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    console.log(`  ${relative(root, path)}`);
  }
}
