import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { expandFiles } from '../../esp/build-output/expand-files.ts';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildSRecords, type Stretch, sRecordLine } from '../testing/formats.ts';
import { readMemoryFile } from './memory-file.ts';
import { readSRecords } from './s-record.ts';

/** Returns stretches in the order of addresses that never touch. */
function stretchesBelow(limit: number) {
  const step = Math.floor(limit / 4);
  const stretch = fc.record({ gap: fc.nat(step - 400), bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) });
  return fc
    .array(stretch, { minLength: 1, maxLength: 4 })
    .map((some) => some.map(({ gap, bytes }, index): Stretch => ({ address: index * step + gap, bytes })));
}

function codeOf(lines: readonly string[]): string {
  try {
    readSRecords(asciiBytes(lines.join('\r\n')));
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.line === null ? error.code : `${error.code} in line ${error.line}`;
    }
    throw error;
  }
}

const data = sRecordLine(1, 0, [1]);
const end = sRecordLine(9, 0, []);

describe('S-records', () => {
  it.each([
    ['S19', 2, 0xffff],
    ['S28', 3, 0xff_ffff],
    ['S37', 4, 0xffff_ffff],
  ] as const)('are read as they were written: %s, in any width and kind of line', (_, addressSize, limit) => {
    const options = fc.record({
      width: fc.integer({ min: 1, max: 250 }),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      counted: fc.boolean(),
    });
    fc.assert(
      fc.property(stretchesBelow(limit), options, (stretches, chosen) => {
        expect(readSRecords(buildSRecords(stretches, { ...chosen, addressSize })).segments).toEqual(stretches);
      }),
    );
  });

  it('have a header and the address where execution begins', () => {
    const header = sRecordLine(0, 0, [...asciiBytes('blink.srec')]);
    const file = asciiBytes([header, data, sRecordLine(7, 0x08000135, [])].join('\n'));
    expect(readSRecords(file)).toMatchObject({ header: 'blink.srec', entry: 0x08000135 });
    expect(readSRecords(asciiBytes([data, end].join('\n')))).toMatchObject({ header: '', entry: null });
  });

  it('are checked by sums that are right for a record worked out by hand', () => {
    // 05 + 12 + 34 + AB + CD = 1C3 in hexadecimal; its complement is 3C.
    expect(readSRecords(asciiBytes('S1051234ABCD3C\nS9030000FC\n')).segments).toEqual([
      { address: 0x1234, bytes: Uint8Array.of(0xab, 0xcd) },
    ]);
  });

  it('may end with the number of their records alone', () => {
    const count = sRecordLine(5, 1, []);
    expect(readSRecords(asciiBytes([data, count].join('\n'))).segments).toHaveLength(1);
    expect(codeOf([data, count, sRecordLine(1, 1, [2])])).toBe('srec-no-end');
  });

  it.each([
    ['not-s-record in line 2', [data, 'hello', end]],
    ['not-s-record in line 1', ['S10500001Z00E9', end]],
    ['srec-type in line 1', ['S4030000FC']],
    ['srec-length in line 1', ['S1']],
    ['srec-length in line 1', ['S1050000ABCD']],
    ['srec-length in line 2', [data, sRecordLine(9, 0, [1])]],
    ['srec-checksum in line 3', ['', data, 'S104000001FF', end]],
    ['srec-count in line 3', [data, data, sRecordLine(5, 3, []), end]],
    ['srec-after-end in line 3', [data, end, data]],
    ['srec-no-end', [data]],
    ['nothing-to-load', [sRecordLine(0, 0, [65]), end]],
    ['address-twice', [data, sRecordLine(1, 0, [2]), end]],
    ['address-range in line 1', [sRecordLine(3, 0xffff_ffff, [1, 2]), end]],
  ])('name their fault and its line: %s', (code, lines) => {
    expect(codeOf(lines)).toBe(code);
  });

  it('notice every digit that changed but that of the type, which is in no sum', () => {
    const file = buildSRecords([{ address: 0x08000000, bytes: filler(40) }], { addressSize: 4, counted: true });
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.constantFrom(...'0123456789ABCDEFGS\n'), (at, character) => {
        const damaged = Uint8Array.from(file);
        damaged[at] = character.charCodeAt(0);
        fc.pre(damaged[at] !== file[at] && file[at] !== 10 && file[at - 1] !== 'S'.charCodeAt(0));
        expect(() => readSRecords(damaged)).toThrow(ImageError);
      }),
    );
  });

  it('are a program for the flashers, and refused where they are cut', () => {
    const file = buildSRecords([{ address: 0x08000000, bytes: filler(40) }], { addressSize: 4 });
    expect(readMemoryFile(file, 0)).toMatchObject({
      format: 's-record',
      formatName: 'S-record',
      segments: [{ address: 0x08000000, bytes: filler(40) }],
    });
    expect(() => readMemoryFile(file.subarray(0, 40), 0)).toThrow(expect.objectContaining({ code: 'srec-length' }));
    const low = buildSRecords([{ address: 0x10000, bytes: filler(40) }], { addressSize: 3 });
    expect(expandFiles([{ name: 'app.s28', bytes: low }]).files).toMatchObject([{ name: 'app.s28', address: 0x10000 }]);
    // A text that only begins like a record is kept as text.
    expect(expandFiles([{ name: 'notes.txt', bytes: low }]).files).toMatchObject([{ address: null, bytes: low }]);
  });
});
