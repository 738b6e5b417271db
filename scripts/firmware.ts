/**
 * `npm run firmware`: builds the lab's RAM program for each chip and writes the committed files. It finds or installs
 * the compilers.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { root } from './build/web.ts';
import { buildProbe, type ProbeChip, type Program, probeChips } from './probe/build-probe.ts';
import { provideProbeCompilers } from './probe/probe-compilers.ts';
import { committedFiles, committedRelease, nextRelease, probeReleasePath, releaseText } from './probe/probe-files.ts';

const { skipped } = await provideProbeCompilers();
if (skipped > 0) {
  process.exit(1);
}
const programs = { esp32: buildProbe('esp32'), esp32c3: buildProbe('esp32c3') } satisfies Record<ProbeChip, Program>;
const release = nextRelease(committedRelease(), {
  esp32: programs.esp32.sha256,
  esp32c3: programs.esp32c3.sha256,
});
for (const chip of probeChips) {
  const program = programs[chip];
  const sizes = program.segments.map(({ address, bytes }) => `${bytes.length} bytes at 0x${address.toString(16)}`);
  console.log(`${chip}: ${sizes.join(', ')}, SHA-256 ${program.sha256}, ${program.compiler}`);
  for (const { path, bytes } of committedFiles(chip, program, release.version)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    console.log(`  ${relative(root, path)}`);
  }
}
writeFileSync(probeReleasePath, releaseText(release));
console.log(`release ${release.version}`);
