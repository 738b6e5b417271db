import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIntelHex } from './intel-hex.ts';
import { mergeSegments } from './memory-segments.ts';
import { writeIntelHex } from './write-intel-hex.ts';

describe('written Intel HEX', () => {
  it('has lines of 16 bytes with their checksums, and an end', () => {
    expect(writeIntelHex([{ address: 0x0100, bytes: Uint8Array.of(0x21, 0x46, 0x01) }])).toBe(
      ':0301000021460194\n:00000001FF\n',
    );
    expect(writeIntelHex([])).toBe(':00000001FF\n');
  });

  it('begins a record of the address where 64 KiB end', () => {
    const lines = writeIntelHex([{ address: 0xfff8, bytes: new Uint8Array(16) }]).split('\n');
    expect(lines.map((line) => line.slice(0, 9))).toEqual([':08FFF800', ':02000004', ':08000000', ':00000001', '']);
  });

  it('is read back as the same data', () => {
    const segment = fc.record({
      address: fc.integer({ min: 0, max: 0x4_0000 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 100 }),
    });
    fc.assert(
      fc.property(segment, segment, (one, other) => {
        const apart = { ...other, address: other.address + 0x5_0000 };
        const text = new TextEncoder().encode(writeIntelHex([one, apart]));
        expect(readIntelHex(text).segments).toEqual(mergeSegments([one, apart]));
      }),
    );
  });
});
