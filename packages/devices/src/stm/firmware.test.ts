import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVectorTable, programIn, stmFirmware } from './firmware.ts';

const flash = [{ start: 0x0800_0000, length: 65_536 }];

describe('a program for the simulated parts', () => {
  it('is recognised with its text and rate, for any contents', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'Z', 'ö', '漢', '😀', '\r', '\n', ' ') });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 300, max: 4_000_000 }),
        fc.nat(20_000),
        fc.integer(),
        (said, baudRate, size, seed) => {
          const image = stmFirmware({ text: said, baudRate, size, seed });
          expect(programIn(image)).toEqual({ text: said, baudRate });
          expect(image.length % 4).toBe(0);
          expect(image.length).toBeGreaterThanOrEqual(size);
        },
      ),
    );
  });

  it('has a vector table for where it is linked to', () => {
    expect(isVectorTable(stmFirmware({ text: 'a' }), flash)).toBe(true);
    expect(isVectorTable(stmFirmware({ text: 'a', address: 0x0801_0000 }), flash)).toBe(false);
  });

  it('is not found in erased flash, in zeros, in four bytes, or without Thumb', () => {
    const even = stmFirmware({ text: 'a' });
    even[4] = (even[4] ?? 0) & 0xfe;
    for (const bytes of [new Uint8Array(64).fill(0xff), new Uint8Array(64), new Uint8Array(4), even]) {
      expect(isVectorTable(bytes, flash)).toBe(false);
    }
    expect(programIn(new Uint8Array(64).fill(0xff))).toBeNull();
  });

  it('prints the same text if it is for demo boards, and carries their mark', () => {
    const plain = stmFirmware({ text: 'hello\r\n', size: 1_024 });
    const marked = stmFirmware({ text: 'hello\r\n', size: 1_024, demoOnly: true });
    expect(Buffer.from(plain).includes('wirebench-boot-text:')).toBe(false);
    expect(Buffer.from(marked).includes('wirebench-boot-text:')).toBe(true);
    expect(programIn(marked)).toEqual(programIn(plain));
  });
});
