import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildDfuse, buildElf, buildIntelHex, type Stretch, withDfuSuffix } from '../testing/formats.ts';
import { readDfuSuffix } from './dfu-suffix.ts';
import { readDfuseTargets } from './dfuse.ts';
import { formatOf } from './formats.ts';
import { readMemoryFile } from './memory-file.ts';

const start = 0x0800_0000;
const program = { address: start, bytes: filler(3_000) };
const file = buildDfuse([{ elements: [program] }]);

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.code;
    }
    throw error;
  }
}

/** Changes one word of the file and corrects its checksum. */
function changed(offset: number, value: number): Uint8Array {
  const content = Uint8Array.from(file.subarray(0, -16));
  new DataView(content.buffer).setUint32(offset, value, true);
  return withDfuSuffix(content, { vendor: 0x0483, product: 0xdf11, version: 0x011a });
}

describe('a DfuSe file', () => {
  it('is read as it was written', () => {
    const elements = fc
      .array(
        fc.record({ gap: fc.integer({ min: 1, max: 900 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((some) => some.map(({ gap, bytes }, index): Stretch => ({ address: start + index * 1_500 + gap, bytes })));
    fc.assert(
      fc.property(
        elements,
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(undefined, 'Flash'),
        (all, alternate, name) => {
          const built = buildDfuse([{ alternate, elements: all, ...(name !== undefined && { name }) }]);
          expect(readDfuseTargets(readDfuSuffix(built).content, built.length)).toEqual([
            { alternate, name: name ?? '', elements: all },
          ]);
          expect(readMemoryFile(built, 0)).toMatchObject({
            format: 'dfuse',
            formatName: 'DfuSe',
            segments: all,
            others: [],
          });
        },
      ),
    );
  });

  it('names its USB device', () => {
    expect(readMemoryFile(file, 0).device).toEqual({ vendorId: 0x0483, productId: 0xdf11 });
    const any = buildDfuse([{ elements: [program] }], { vendor: 0xffff, product: 0xffff });
    expect(readMemoryFile(any, 0).device).toBeNull();
  });

  it('has its targets in the memory map, and names those of another memory', () => {
    const options = { address: 0x1fff_c000, bytes: filler(16) };
    const external = { address: 0, bytes: filler(400) };
    const built = buildDfuse([
      { alternate: 2, name: '@SPI Flash : M25P64/0x00000000/64*64Kg', elements: [external] },
      { alternate: 1, name: 'Option Bytes', elements: [options] },
      { alternate: 0, name: 'Internal Flash', elements: [program] },
    ]);
    expect(readMemoryFile(built, 0)).toMatchObject({
      segments: [program, options],
      others: [{ kind: 'memory', name: 'alternate setting 2 (SPI Flash : M25P64)', size: 400 }],
    });
  });

  it('is refused when two targets differ at one address', () => {
    const other = { address: start, bytes: filler(3_000).toReversed() };
    const built = buildDfuse([{ elements: [program] }, { alternate: 1, elements: [other] }]);
    expect(codeOf(() => readMemoryFile(built, 0))).toBe('address-twice');
  });

  it.each([
    ['its version', 5, 2],
    ['its size', 6, 12],
    ['the signature of a target', 11, 0x12345678],
    ['the size of a target', 11 + 266, 3_007],
    ['a target larger than the file', 11 + 266, 0x10000],
    ['the number of elements', 11 + 270, 2],
    ['the size of an element', 11 + 274 + 4, 2_999],
    ['an element larger than the file', 11 + 274 + 4, 0xffff_ffff],
  ])('is refused when it contradicts itself: %s', (_what, offset, value) => {
    expect(codeOf(() => readMemoryFile(changed(offset, value), 0))).toBe('dfu-damaged');
  });

  it('is refused with more targets than it has, fewer, or none', () => {
    for (const targets of [0, 2]) {
      const content = Uint8Array.from(file.subarray(0, -16));
      content[10] = targets;
      expect(codeOf(() => readMemoryFile(withDfuSuffix(content), 0))).toBe('dfu-damaged');
    }
    expect(codeOf(() => readMemoryFile(buildDfuse([]), 0))).toBe('nothing-to-load');
  });

  it('is refused at any cut, and with any changed byte', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: file.length - 1 }), (length) => {
        expect(codeOf(() => readMemoryFile(file.subarray(0, length), 0))).toBe('dfu-cut-short');
      }),
      { numRuns: 50 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 5, max: file.length - 17 }), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const damaged = Uint8Array.from(file);
        damaged[at] = (damaged[at] ?? 0) ^ bits;
        expect(codeOf(() => readMemoryFile(damaged, 0))).toBe('dfu-checksum');
      }),
      { numRuns: 50 },
    );
  });

  it('may count its suffix in its size, as its specification does', () => {
    expect(readMemoryFile(changed(6, file.length), 0).segments).toEqual([program]);
  });
});

describe('a file with the suffix of USB DFU', () => {
  const image = filler(1_000);

  it('is its image without the suffix, with any version in it', () => {
    for (const version of [0x0100, 0x0101, 0x0110, 0x011a]) {
      const built = withDfuSuffix(image, { vendor: 0x1d50, product: 0x6018, version });
      expect(formatOf(built)?.kind).toBe('dfu');
      expect(readMemoryFile(built, start)).toMatchObject({
        format: 'bin',
        formatName: 'DFU image',
        segments: [{ address: start, bytes: image }],
        device: { vendorId: 0x1d50, productId: 0x6018 },
      });
    }
    expect(readDfuSuffix(withDfuSuffix(image, { product: 0xdf11 })).device).toEqual({
      vendorId: null,
      productId: 0xdf11,
    });
  });

  it('has a checksum that another program computed', () => {
    // 01 02 03 04 for device 0483:DF11. CRC calculated with Python: 0xFFFFFFFF & (-zlib.crc32(bytes) - 1).
    const bytes = Uint8Array.from(Buffer.from('01020304010011df8304000155464410abe8f824', 'hex'));
    expect(readDfuSuffix(bytes)).toEqual({
      content: Uint8Array.of(1, 2, 3, 4),
      device: { vendorId: 0x0483, productId: 0xdf11 },
    });
  });

  it('is read as the format at its start', () => {
    expect(readMemoryFile(withDfuSuffix(buildElf([program])), 0)).toMatchObject({ format: 'elf', segments: [program] });
    expect(readMemoryFile(withDfuSuffix(buildIntelHex([program])), 0)).toMatchObject({ format: 'intel-hex' });
  });

  it('is refused when a byte of it changed', () => {
    const damaged = withDfuSuffix(image);
    damaged[3] = (damaged[3] ?? 0) ^ 1;
    expect(codeOf(() => readMemoryFile(damaged, start))).toBe('dfu-checksum');
  });

  it('is raw data if only part of the suffix is there', () => {
    const cut = withDfuSuffix(image).subarray(0, -1);
    expect(readMemoryFile(cut, start).formatName).toBe('Raw binary');
    expect(formatOf(asciiBytes('UFD'))).toBeNull();
    expect(formatOf(new Uint8Array())).toBeNull();
  });
});
