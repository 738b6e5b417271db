/** What is committed of a build: a source file for the client, and an image that can be flashed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { type ProbeChip, type Program, probeFolder } from './build-probe.ts';

interface CommittedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Chip's number in the header of an image (esptool documentation, "Firmware Image Format"). */
const imageChips = { esp32: 0, esp32c3: 5 } as const satisfies Record<ProbeChip, number>;

/**
 * Where the description of an image goes: into memory for captured levels, which nothing else uses before the first capture (`capture` in
 * `chips/*.ld`).
 */
const descriptionAddresses = { esp32: 0x3ffc0000, esp32c3: 0x3fcac000 } as const satisfies Record<ProbeChip, number>;
/** "App Image Format" (ESP-IDF, `esp_app_desc_t`): by it programs and people tell what an image is. */
const descriptionSize = 256;
const descriptionMagic = 0xabcd5432;

/** @param version of the release that the images belong to */
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

/** As the linter writes numbers of eight digits. */
function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/**
 * The program in place of a second-stage bootloader: the ROM loads its segments into RAM and starts it (esptool documentation, "Firmware
 * Image Format"). Its checksum is the last byte of a block of 16, and a SHA-256 follows.
 */
export function imageOf(
  chip: ProbeChip,
  { entry, segments }: Pick<Program, 'entry' | 'segments'>,
  version: string,
): Buffer {
  const all = [{ address: descriptionAddresses[chip], bytes: descriptionOf(version) }, ...segments];
  const head = Buffer.alloc(24);
  // Dual I/O, 40 MHz, flash of 4 MB: what the ROM needs to read on, and boards of both chips have.
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

/** Without date and time: the same program gives the same bytes. */
function descriptionOf(version: string): Buffer {
  const bytes = Buffer.alloc(descriptionSize);
  bytes.writeUInt32LE(descriptionMagic);
  bytes.write(version, 16);
  bytes.write('Wirebench probe', 48);
  return bytes;
}

/**
 * The release that the server publishes of the images (`apps/server/src/features/releases/probe-release.ts`): its version, and by chip the
 * SHA-256 of the program that the version stands for. A newer one takes the place of an older one, so another program has a higher version.
 */
export interface ProbeRelease {
  /** That of the protocol, a point, and a number that rises with each change of a program. */
  readonly version: string;
  readonly programs: Readonly<Record<ProbeChip, string>>;
}

export const probeReleasePath = join(probeFolder, 'images', 'release.json');

export function committedRelease(): ProbeRelease {
  return JSON.parse(readFileSync(probeReleasePath, 'utf8')) as ProbeRelease;
}

/** The release of these programs: the same again when they are the same. */
export function nextRelease(before: ProbeRelease, programs: ProbeRelease['programs']): ProbeRelease {
  const [protocol = '1', count = '0'] = before.version.split('.');
  const isSame = Object.entries(programs).every(([chip, sha256]) => before.programs[chip as ProbeChip] === sha256);
  return isSame ? before : { version: `${protocol}.${Number(count) + 1}`, programs };
}

export function releaseText(release: ProbeRelease): string {
  return `${JSON.stringify(release, null, 2)}\n`;
}
