/**
 * The product's own firmware: the probe, one project for each chip (`firmware/probe`). Its image replaces the
 * second-stage bootloader. It is an ordinary release, so real boards can be flashed with it.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelName } from '@wirebench/boards';
import { probeReleaseIds } from '@wirebench/contract';
import type { ProductRelease } from './product-release.ts';

/** Output of `npm run firmware`. */
const images = fileURLToPath(new URL('../../../../../firmware/probe/images', import.meta.url));

const chips = {
  esp32: {
    projectId: '01939c00-0000-7000-8000-00000000e320',
    versionId: '01939c00-0000-7000-8000-00000000e321',
    offset: 0x1000,
  },
  esp32c3: {
    projectId: '01939c00-0000-7000-8000-00000000ec30',
    versionId: '01939c00-0000-7000-8000-00000000ec31',
    offset: 0,
  },
} as const;
type ProbeChip = keyof typeof chips;

/** Returns true if the images exist. A server may be installed without them. */
export function hasProbeImages(folder = images): boolean {
  return ['release.json', ...Object.keys(chips).map((chip) => `${chip}.bin`)].every((name) =>
    existsSync(join(folder, name)),
  );
}

/**
 * Returns one release for each chip.
 *
 * @throws Error if the images cannot be read.
 */
export function probeReleases(folder = images): readonly ProductRelease[] {
  const { version } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { version: string };
  return (Object.keys(chips) as ProbeChip[]).map((chip) => {
    const { offset, ...ids } = chips[chip];
    return {
      ...ids,
      shareId: probeReleaseIds[chip],
      isDemo: false,
      name: `Wirebench probe for ${modelName(chip)}`,
      publisher: 'wirebench',
      projectDescription: `Makes an ${modelName(chip)} a bench instrument that answers as soon as it has power. Experimental.`,
      deviceModel: chip,
      version,
      versionDescription: describe(chip),
      files: [{ fileName: `wirebench-probe-${chip}.bin`, offset, bytes: readFileSync(join(folder, `${chip}.bin`)) }],
      baudRate: 115_200,
    };
  });
}

/** Returns Markdown. */
function describe(chip: ProbeChip): string {
  const place = `0x${chips[chip].offset.toString(16)}`;
  return [
    `The bench's own program for the ${modelName(chip)}, started from flash. The bench finds it without resetting the board, and need not load it into RAM first.`,
    '',
    '**Experimental:** it was tried on simulated chips only, on no real board yet.',
    '',
    `- **What it replaces.** The file goes to ${place}, where the bootloader is. The program that the board has now stays in flash and no longer starts.`,
    '- **How to go back.** Flash a complete build of your own program, with its bootloader. A backup of the whole flash, made before, brings everything back as it was.',
    '- **What it says.** At a start it greets in binary at 115,200 baud, so a terminal shows a few characters and then nothing. That is normal.',
    '- **What it leaves alone.** Everything else in flash, the fuses, and all pins until you use them on the bench.',
    '',
    'The bench works without it: it can use any board through its boot ROM, with nothing flashed.',
  ].join('\n');
}
