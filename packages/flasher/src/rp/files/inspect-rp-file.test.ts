import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { asciiField } from '../../core/bytes.ts';
import { orNull } from '../../images/image-error.ts';
import { sha256Hex } from '../../images/sha256.ts';
import { buildUf2Blocks } from '../../images/testing/formats.ts';
import { forecastRp2040Drive } from './drive-forecast.ts';
import { inspectRpFile, type RpFileInfo } from './inspect-rp-file.ts';
import { readRpFirmware } from './read-rp-firmware.ts';
import { judgeStart } from './start-verdict.ts';
import { bytesOfFile, type ListedFile, listedFiles } from './testing/rp-files.ts';

const inspect = (name: string) => inspectRpFile(name, bytesOfFile(name));

/** Joins the lines of each value: picotool wraps them at 80 columns. */
const shownBy = ({ picotool }: ListedFile) =>
  (picotool?.sections ?? []).map(({ title, fields }) => [
    title,
    fields.map(([key, ...lines]) => [key, lines.join(' ').trim()]),
  ]);

const sectionsOf = ({ programs }: RpFileInfo) =>
  programs.flatMap(({ sections }) =>
    sections.map(({ title, fields }) => [title, fields.map(({ key, values }) => [key, values.join(' ')])]),
  );

const fieldsOf = ({ programs }: RpFileInfo) =>
  programs.flatMap(({ sections }) => sections.flatMap(({ fields }) => fields));

const familiesOf = ({ programs }: RpFileInfo) =>
  programs.flatMap(({ family }) => (family === null || family.startsWith('0x') ? [] : [family]));

/** A UF2 file that is named .bin is read by its contents here; picotool reads it by its name. */
const byContents = 'plain-uf2-named.bin';
const judged = listedFiles.filter(({ name, picotool }) => picotool?.exit !== undefined && name !== byContents);
const unjudged = listedFiles.filter((file) => !judged.includes(file));

const blinker = [
  'name: blinker',
  'version: 1.4.2-rc1',
  'web site: https://example.org/blinker',
  'description: Blinks and counts',
  'features: UART stdin / stdout USB stdin / stdout',
  'binary start: 0x10000000',
  'sdk version: 2.2.0',
  'pico_board: pico',
  'boot2_name: boot2_w25q080',
  'build date: Nov 28 2026',
  'build attributes: Release',
];
const secureArm = ['target chip: RP2350', 'image type: ARM Secure'];
const start = 'binary start: 0x10000000';
const imageBlock = (address: string, next: string) => [
  `address: ${address}`,
  `next block address: ${next}`,
  'block type: image def',
  ...secureArm,
  'extra security: not enabled',
];
const table = [
  'partition table: non-singleton',
  "un-partitioned space: S(rw) NSBOOT(rw) NS(rw), uf2 { 'absolute', 'rp2350-arm-s' }",
  'version: 1.0',
];

/** Facts about files for which there is no answer of picotool. */
const own: Readonly<Record<string, { readonly fields: readonly string[]; readonly notes: readonly string[] }>> = {
  'image-item-zero.bin': { fields: ['name: item-zero', start], notes: [] },
  'image-loop-open.bin': {
    fields: [
      'name: loop-open',
      start,
      ...secureArm,
      ...imageBlock('0x10000140', '0x10000f00'),
      ...imageBlock('0x10000f00', '0x10000f00'),
    ],
    notes: ['Its metadata blocks do not lead back to the first one. An RP2350 does not start it.'],
  },
  'image-loop-outside.bin': {
    fields: ['name: loop-outside', start, ...secureArm, ...imageBlock('0x10000140', '0x10700140')],
    notes: ['Its metadata leads to 0x10700140, where there is no block. An RP2350 does not start it.'],
  },
  'info-list-loop.bin': { fields: ['name: loop', start], notes: [] },
  'info-sub-list.bin': { fields: ['name: outer', 'description: from the inner list', start], notes: [] },
  'plain-flash.hex': { fields: blinker, notes: [] },
  'plain-uf2-named.bin': { fields: blinker, notes: [] },
  'table-name-too-long.bin': {
    fields: [
      ...table,
      'address: 0x10000000',
      'next block address: 0x10000000',
      'block type: partition table',
      ...table,
    ],
    notes: ['Its partition table does not hold as many partitions as it states: 0, not 1.'],
  },
  'uf2-empty.uf2': { fields: [], notes: ['This is not a UF2 file.'] },
};

describe('facts about a file for RP2040 or RP2350', () => {
  it.each(judged)('equal those of picotool for $name ($what)', async (file) => {
    const info = await inspect(file.name);
    expect(sectionsOf(info)).toEqual(shownBy(file));
    if (file.picotool?.error !== 'overlap') {
      expect(familiesOf(info)).toEqual(file.picotool?.families);
    }
  });

  it.each(listedFiles.filter(({ hash, signature }) => hash ?? signature))(
    'have the right verdict about hash and signature for $name',
    async ({ name, hash, signature }) => {
      const fields = fieldsOf(await inspect(name));
      const verdict = (key: string) => {
        const value = fields.find((field) => field.key === key)?.values[0];
        return value === undefined ? undefined : value === 'verified' ? 'right' : 'wrong';
      };
      expect([verdict('hash'), verdict('signature')]).toEqual([hash, signature]);
    },
  );

  it.each(unjudged)('are found where picotool fails or reads another format: $name', async ({ name }) => {
    const info = await inspect(name);
    const notes = [...info.programs.flatMap((program) => program.notes), info.fault?.what ?? ''];
    expect(fieldsOf(info).map(({ key, values }) => `${key}: ${values.join(' ')}`)).toEqual(own[name]?.fields);
    expect(notes.filter((note) => note !== '')).toEqual(own[name]?.notes);
  });

  it('are the same for a program as UF2, ELF, Intel HEX and raw binary', async () => {
    const names = ['uf2-reversed.uf2', 'elf-flash.elf', 'plain-flash.hex', 'plain-no-boot2.bin'];
    const [first, ...others] = await Promise.all(names.map(async (name) => sectionsOf(await inspect(name))));
    for (const other of others) {
      expect(other).toEqual(first);
    }
  });

  it('move with a raw binary that is not for the start of flash', async () => {
    const info = await inspectRpFile('image.bin', bytesOfFile('image-entry.bin'), 0x1002_0000);
    expect(info.programs).toMatchObject([{ chip: null, sections: [] }]);
  });
});

describe('test data', () => {
  it('is as it was generated', async () => {
    for (const { name, sha256 } of listedFiles) {
      expect([name, await sha256Hex(bytesOfFile(name))]).toEqual([name, sha256]);
    }
    expect(listedFiles).toHaveLength(90);
  });
});

/** Changes bytes at random, and cuts a quarter of the files. */
function damaged(bytes: Uint8Array, times: number, numbers: ReturnType<typeof random>): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let count = 0; count < times && copy.length > 0; count++) {
    copy[numbers.below(copy.length)] = numbers.below(256);
  }
  return copy.subarray(0, numbers.below(4) === 0 ? numbers.below(copy.length + 1) : copy.length);
}

/** Changes words near the metadata and the binary info to addresses, small numbers and markers. */
function misled(bytes: Uint8Array, numbers: ReturnType<typeof random>): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  const words = [0, 1, 0xffff_ffff, 0xffff_ded3, 0xab12_3579, 0x1000_0000, 0x1000_0140, 0x2000_0000, 0x7fff_ffff];
  for (let count = 0; count < 12 && copy.length >= 1_024; count++) {
    view.setUint32(4 * numbers.below(256), words[numbers.below(words.length)] ?? 0, true);
  }
  return copy;
}

describe('a damaged file', () => {
  const rounds = isLong ? 120 : 4;
  const timeout = isLong ? 600_000 : 90_000;

  it(
    'is inspected, read, judged and forecast without an error, and its texts are safe for a screen',
    async () => {
      const numbers = random('damaged files');
      for (const { name } of listedFiles) {
        for (let count = 0; count < rounds; count++) {
          const whole = bytesOfFile(name);
          const bytes = count % 2 === 0 ? damaged(whole, 1 + numbers.below(40), numbers) : misled(whole, numbers);
          const info = await inspectRpFile(name, bytes);
          const texts = fieldsOf(info).flatMap(({ key, values }) => [key, ...values]);
          expect(texts.filter((text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
          forecastRp2040Drive(bytes, 0x20_0000);
          const firmware = orNull(() => readRpFirmware(name, bytes));
          for (const { flash, ram } of firmware?.programs ?? []) {
            await judgeStart([...flash, ...ram], { chip: 'RP2350' });
            await judgeStart([...flash, ...ram], { chip: 'RP2040' });
          }
        }
      }
    },
    timeout,
  );

  it('has no more families looked into than any file has', async () => {
    const blocks = Array.from({ length: 40 }, (_, index) => ({
      address: 0x1000_0000,
      bytes: new Uint8Array(256),
      number: 0,
      total: 1,
      family: index + 1,
    }));
    const { programs } = await inspectRpFile('many.uf2', buildUf2Blocks(blocks));
    expect(programs).toHaveLength(17);
    expect(programs.at(-1)?.notes).toEqual(['24 further families of the file are not shown.']);
  });

  it('has the facts of its other blocks if one has an impossible address', async () => {
    const bytes = bytesOfFile('uf2-missing.uf2');
    new DataView(bytes.buffer).setUint32(512 * 14 + 12, 0xffff_ff80, true);
    const { programs } = await inspectRpFile('a.uf2', bytes);
    expect(programs[0]?.notes).toEqual(['It has data at an address beyond 32 bits.']);
    expect(programs[0]?.sections[0]?.fields[0]).toEqual({ key: 'name', values: ['blinker'] });
  });

  it('shows texts with control characters, marks of direction and line ends as plain text', async () => {
    const bytes = bytesOfFile('info-string-long.bin');
    const at = bytes.findIndex((_, index) => asciiField(bytes, index, 4) === 'NNNN');
    bytes.set(new TextEncoder().encode('a\x1b[2J\u202eb\tc\r\nd\u0000'), at);
    const [name] = fieldsOf(await inspectRpFile('info.bin', bytes));
    expect(name).toEqual({ key: 'name', values: ['a\ufffd[2J\ufffdb c', 'd'] });
  });
});
