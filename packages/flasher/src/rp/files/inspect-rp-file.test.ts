import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../images/sha256.ts';
import { inspectRpFile, type RpFileInfo } from './inspect-rp-file.ts';
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

describe('a damaged file', () => {
  const mutated = (bytes: Uint8Array, times: number, numbers: ReturnType<typeof random>) => {
    const copy = Uint8Array.from(bytes);
    for (let count = 0; count < times && copy.length > 0; count++) {
      copy[numbers.below(copy.length)] = numbers.below(256);
    }
    return copy.subarray(0, numbers.below(4) === 0 ? numbers.below(copy.length + 1) : copy.length);
  };

  it('is inspected without an error, and its texts have no control characters', async () => {
    const numbers = random('damaged files');
    for (const { name } of listedFiles) {
      for (let count = 0; count < 4; count++) {
        const info = await inspectRpFile(name, mutated(bytesOfFile(name), 1 + numbers.below(40), numbers));
        const texts = fieldsOf(info).flatMap(({ key, values }) => [key, ...values]);
        expect(texts.filter((text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
      }
    }
  });
});
