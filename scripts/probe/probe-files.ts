/** Committed files of a build: a source file for the client, and an image for flashing. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { type ProbeChip, type Program, probeFolder } from './build-probe.ts';

interface CommittedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Chip number in the header of an image (esptool documentation, "Firmware Image Format"). */
const imageChips = { esp32: 0, esp32c3: 5 } as const satisfies Record<ProbeChip, number>;

/**
 * Load address of an image's description: memory for captured levels, unused before the first capture (`capture` in
 * `chips/*.ld`).
 */
const descriptionAddresses = { esp32: 0x3ffc0000, esp32c3: 0x3fcac000 } as const satisfies Record<ProbeChip, number>;
/** Size and magic word of `esp_app_desc_t` (ESP-IDF, "App Image Format"), which identifies an image. */
const descriptionSize = 256;
const descriptionMagic = 0xabcd5432;

/**
 * Returns the committed files of one chip.
 *
 * @param version Version of the release that the images belong to.
 */
export function committedFiles(chip: ProbeChip, program: Program, version: string): CommittedFile[] {
  const image = imageOf(chip, program, version);
  const hash = createHash('sha256').update(image).digest('hex');
  return [
    { path: join(root, 'packages/lab/src/probe/programs', `${chip}.ts`), bytes: Buffer.from(sourceOf(chip, program)) },
    { path: join(probeFolder, 'images', `${chip}.bin`), bytes: image },
    { path: join(probeFolder, 'images', `${chip}.bin.sha256`), bytes: Buffer.from(`${hash}  ${chip}.bin\n`) },
  ];
}

function sourceOf(chip: ProbeChip, { entry, segments, sha256, compiler }: Program): string {
  const rows = segments.flatMap(({ address, bytes }) => [
    '    {',
    `      address: ${hex(address)},`,
    '      base64:',
    `        '${bytes.toString('base64')}',`,
    '    },',
  ]);
  return [
    '/** Built from `firmware/probe` by `npm run firmware`. Not edited by hand. */',
    "import type { ProbeProgram } from '../probe-program.ts';",
    '',
    `export const ${chip}Program: ProbeProgram = {`,
    `  entry: ${hex(entry)},`,
    '  segments: [',
    ...rows,
    '  ],',
    `  sha256: '${sha256}',`,
    `  compiler: '${compiler}',`,
    '};',
    '',
  ].join('\n');
}

/** Formats a number in the linter's style for eight digits. */
function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/**
 * Builds an image with the program in place of a second-stage bootloader. The ROM loads its segments into RAM and
 * starts it (esptool documentation, "Firmware Image Format"). Its checksum is the last byte of a 16-byte block, and a
 * SHA-256 follows.
 */
export function imageOf(
  chip: ProbeChip,
  { entry, segments }: Pick<Program, 'entry' | 'segments'>,
  version: string,
): Buffer {
  const all = [{ address: descriptionAddresses[chip], bytes: descriptionOf(version) }, ...segments];
  const head = Buffer.alloc(24);
  // Dual I/O, 40 MHz, 4 MB of flash: the ROM needs these to read on, and boards of both chips support them.
  head.set([0xe9, all.length, 2, 0x20]);
  head.writeUInt32LE(entry, 4);
  head[8] = 0xee;
  head.writeUInt16LE(imageChips[chip], 12);
  head.writeUInt16LE(0xffff, 17);
  head[23] = 1;
  const parts = all.flatMap(({ address, bytes }) => {
    const segment = Buffer.alloc(8);
    segment.writeUInt32LE(address);
    segment.writeUInt32LE(bytes.length, 4);
    return [segment, bytes];
  });
  const content = Buffer.concat([head, ...parts]);
  const body = Buffer.concat([content], Math.ceil((content.length + 1) / 16) * 16);
  body[body.length - 1] = all.reduce((sum, { bytes }) => bytes.reduce((xor, byte) => xor ^ byte, sum), 0xef);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

/** Builds a description without date and time, so that the same program gives the same bytes. */
function descriptionOf(version: string): Buffer {
  const bytes = Buffer.alloc(descriptionSize);
  bytes.writeUInt32LE(descriptionMagic);
  bytes.write(version, 16);
  bytes.write('Wirebench probe', 48);
  return bytes;
}

/**
 * The release of the images that the server publishes (`apps/server/src/features/releases/probe-release.ts`): its
 * version and each program's SHA-256. A newer release replaces an older one, so a changed program needs a higher
 * version.
 */
export interface ProbeRelease {
  /** Version of the protocol, a point, and a number that rises with each change of a program. */
  readonly version: string;
  readonly programs: Readonly<Record<ProbeChip, string>>;
}

export const probeReleasePath = join(probeFolder, 'images', 'release.json');

export function committedRelease(): ProbeRelease {
  return JSON.parse(readFileSync(probeReleasePath, 'utf8')) as ProbeRelease;
}

/** Returns the release of these programs; unchanged programs keep their release. */
export function nextRelease(before: ProbeRelease, programs: ProbeRelease['programs']): ProbeRelease {
  const [protocol = '1', count = '0'] = before.version.split('.');
  const isSame = Object.entries(programs).every(([chip, sha256]) => before.programs[chip as ProbeChip] === sha256);
  return isSame ? before : { version: `${protocol}.${Number(count) + 1}`, programs };
}

export function releaseText(release: ProbeRelease): string {
  return `${JSON.stringify(release, null, 2)}\n`;
}
