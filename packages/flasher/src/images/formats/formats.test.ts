import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildElf, buildIntelHex, buildUf2, hexRecord, type Stretch } from '../testing/formats.ts';
import { readElf } from './elf.ts';
import { readIntelHex } from './intel-hex.ts';
import { readMemoryFile, vectorTableOf } from './memory-file.ts';
import { mergeSegments } from './memory-segments.ts';
import { readUf2 } from './uf2.ts';

/** Returns stretches in the order of addresses that never touch. */
function stretchesBelow(limit: number) {
  const step = Math.floor(limit / 4);
  return fc
    .array(fc.record({ gap: fc.nat(step - 400), bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((some) => some.map(({ gap, bytes }, index): Stretch => ({ address: index * step + gap, bytes })));
}

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.line === null ? error.code : `${error.code} in line ${error.line}`;
    }
    throw error;
  }
}

const hex = (...lines: string[]) => asciiBytes(lines.join('\r\n'));
const end = hexRecord(1, 0, []);

describe('Intel HEX', () => {
  it('is read as it was written, in any width, mode and kind of line', () => {
    const options = fc.record({
      width: fc.integer({ min: 1, max: 255 }),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
    });
    fc.assert(
      fc.property(stretchesBelow(2 ** 32), options, (stretches, chosen) => {
        expect(readIntelHex(buildIntelHex(stretches, chosen)).segments).toEqual(stretches);
      }),
    );
    fc.assert(
      fc.property(stretchesBelow(2 ** 20), options, (stretches, chosen) => {
        expect(readIntelHex(buildIntelHex(stretches, { ...chosen, mode: 'segment' })).segments).toEqual(stretches);
      }),
    );
  });

  it('is the same in any order of its lines', () => {
    const lines = [[0, 1, 2], [3, 4], [5], [6, 7, 8, 9]].map((data, index) =>
      hexRecord(0, [0, 3, 5, 6][index] ?? 0, data),
    );
    const whole = [{ address: 0, bytes: Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) }];
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 4 }), (shuffled) => {
        expect(readIntelHex(hex(...shuffled, end)).segments).toEqual(whole);
      }),
    );
  });

  it('gives the start of execution, linear or segmented', () => {
    const data = hexRecord(0, 0, [1]);
    expect(readIntelHex(hex(data, hexRecord(5, 0, [0x08, 0, 1, 0x35]), end)).entry).toBe(0x08000135);
    expect(readIntelHex(hex(data, hexRecord(3, 0, [0x12, 0x34, 0x00, 0x10]), end)).entry).toBe(0x12350);
    expect(readIntelHex(hex(data, end)).entry).toBeNull();
  });

  it('wraps within a segment, as in its specification', () => {
    const segments = readIntelHex(hex(hexRecord(2, 0, [0x10, 0]), hexRecord(0, 0xfffe, [1, 2, 3]), end)).segments;
    expect(segments).toEqual([
      { address: 0x10000, bytes: Uint8Array.of(3) },
      { address: 0x1fffe, bytes: Uint8Array.of(1, 2) },
    ]);
  });

  it.each([
    ['not-intel-hex in line 2', [hexRecord(0, 0, [1]), 'hello', end]],
    ['not-intel-hex in line 1', [':00000001GG']],
    ['hex-record in line 1', [':0000']],
    ['hex-record in line 1', [':020000040800']],
    ['hex-record in line 1', [hexRecord(4, 0, [1])]],
    ['hex-checksum in line 3', ['', hexRecord(0, 0, [1]), ':0100000001FF', end]],
    ['hex-record-type in line 1', [hexRecord(6, 0, [])]],
    [
      'hex-universal',
      [hexRecord(4, 0, [0, 0]), hexRecord(0x0a, 0, [0x99, 0x00, 0xc0, 0xde]), hexRecord(0, 0, [1]), end],
    ],
    ['hex-record-type in line 1', [hexRecord(0x0c, 0, [])]],
    ['hex-after-end in line 2', [end, hexRecord(0, 0, [1])]],
    ['hex-no-end', [hexRecord(0, 0, [1])]],
    ['nothing-to-load', [end]],
    ['address-twice', [hexRecord(0, 0, [1, 2]), hexRecord(0, 1, [3]), end]],
    ['address-range in line 2', [hexRecord(4, 0, [0xff, 0xff]), hexRecord(0, 0xffff, [1, 2]), end]],
  ])('reports its faults with the line: %s', (code, lines) => {
    expect(codeOf(() => readIntelHex(hex(...lines)))).toBe(code);
  });

  it('detects every changed digit', () => {
    const file = buildIntelHex([{ address: 0x08000000, bytes: filler(40) }]);
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.constantFrom(...'0123456789ABCDEFG:\n'), (at, character) => {
        const damaged = Uint8Array.from(file);
        damaged[at] = character.charCodeAt(0);
        fc.pre(damaged[at] !== file[at] && file[at] !== 10);
        expect(codeOf(() => readIntelHex(damaged))).not.toBe('none');
      }),
    );
  });
});

describe('UF2', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
        fc.nat(0x10000).map((page) => page * 256),
        fc.constantFrom(null, 0xada52840, 0x12345678),
        fc.constantFrom(256, 476, 64),
        (bytes, address, family, payload) => {
          const [program, ...others] = readUf2(buildUf2({ address, bytes }, family, payload));
          expect(others).toEqual([]);
          expect(program).toEqual({
            familyId: family,
            family: family === 0xada52840 ? 'nRF52840' : null,
            segments: [{ address, bytes }],
          });
        },
      ),
    );
  });

  it('has a program for each of two families', () => {
    const [one, other] = [
      buildUf2({ address: 0, bytes: filler(300) }, 0xe48bff56),
      buildUf2({ address: 0x100, bytes: filler(40) }),
    ];
    expect(
      readUf2(Uint8Array.from([...one, ...other])).map(({ family, segments }) => [family, segments.length]),
    ).toEqual([
      ['RP2040', 1],
      ['nRF52840', 1],
    ]);
  });

  it.each([
    ['uf2-incomplete', (file: Uint8Array) => file.subarray(0, 512)],
    ['uf2-cut-short', (file: Uint8Array) => file.subarray(0, 700)],
    ['uf2-damaged', (file: Uint8Array) => file.fill(0, 508, 512)],
    ['uf2-damaged', (file: Uint8Array) => file.fill(0xff, 16, 20)],
    ['uf2-number', (file: Uint8Array) => file.fill(9, 20, 24)],
    ['nothing-to-load', (file: Uint8Array) => file.fill(1, 8, 9).fill(1, 520, 521)],
    ['not-uf2', (file: Uint8Array) => file.fill(0, 0, 1)],
  ])('reports its fault: %s', (code, damage) => {
    const file = buildUf2({ address: 0, bytes: filler(500) });
    expect(codeOf(() => readUf2(damage(file)))).toBe(code);
  });
});

describe('ELF program', () => {
  it('consists of its segments, at their physical addresses', () => {
    fc.assert(
      fc.property(stretchesBelow(2 ** 32), fc.boolean(), (stretches, bigEndian) => {
        const { machine, entry, segments } = readElf(buildElf(stretches, { bigEndian }));
        expect([machine, entry, segments]).toEqual(['arm', stretches[0]?.address, stretches]);
      }),
    );
  });

  it.each([
    ['not-elf', filler(80)],
    ['elf-not-linked', buildElf([{ address: 0, bytes: filler(8) }], { type: 1 })],
    ['elf-damaged', buildElf([{ address: 0, bytes: filler(80) }]).subarray(0, 100)],
    ['nothing-to-load', buildElf([])],
  ])('reports its fault: %s', (code, bytes) => {
    expect(codeOf(() => readElf(bytes))).toBe(code);
  });

  it('is read or refused with a code for any bytes', () => {
    const file = buildElf([{ address: 0x08000000, bytes: filler(80) }]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.integer({ min: 4, max: 100 }), (noise, at) => {
        const bytes = Uint8Array.from(file);
        bytes.set(noise.subarray(0, bytes.length - at), at);
        expect(codeOf(() => readElf(bytes))).toMatch(/^[a-z-]+$/);
      }),
    );
  });
});

describe('program for a chip with its flash in the memory map', () => {
  const bytes = filler(100);

  it('is the same data from each format', () => {
    const stretch = { address: 0x08000000, bytes };
    for (const [format, file] of [
      ['elf', buildElf([stretch])],
      ['intel-hex', buildIntelHex([stretch])],
      ['uf2', buildUf2(stretch)],
      ['bin', bytes],
    ] as const) {
      expect(readMemoryFile(file, 0x08000000)).toMatchObject({ format, segments: [stretch] });
    }
  });

  it('is recognised by its vectors', () => {
    const vectors = new Uint8Array(Uint32Array.of(0x20005000, 0x08000135, 0x08000141, 0x08000141).buffer);
    expect(vectorTableOf(vectors)).toEqual({ stack: 0x20005000, reset: 0x08000134 });
    expect(vectorTableOf(bytes)).toBeNull();
    expect(vectorTableOf(vectors.subarray(0, 12))).toBeNull();
  });
});

describe('pieces of memory', () => {
  it('are joined where they touch, and may overlap only with equal bytes', () => {
    const at = (address: number, ...bytes: number[]) => ({ address, bytes: Uint8Array.from(bytes) });
    expect(mergeSegments([at(4, 5, 6), at(0, 1, 2, 3, 4), at(2, 3), at(9, 1), at(3, 4, 5)])).toEqual([
      at(0, 1, 2, 3, 4, 5, 6),
      at(9, 1),
    ]);
    expect(codeOf(() => mergeSegments([at(0, 1, 2, 3), at(1, 2, 4)]))).toBe('address-twice');
  });
});
