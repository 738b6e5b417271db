import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiField, bytesText, indexOfBytes, sizeText } from './bytes.ts';

describe('bytes', () => {
  it('are found at the place where a plain search finds them', () => {
    const few = fc.uint8Array({ max: 2, maxLength: 60 });
    fc.assert(
      fc.property(few, fc.uint8Array({ max: 2, minLength: 1, maxLength: 4 }), fc.nat(20), (bytes, pattern, from) => {
        expect(indexOfBytes(bytes, pattern, from)).toBe(Buffer.from(bytes).indexOf(pattern, from));
      }),
    );
  });

  it('in a field are text up to the first NUL, or null if they are not ASCII', () => {
    const field = (...bytes: number[]) => asciiField(Uint8Array.from(bytes), 1, 4);
    expect([field(9, 65, 66, 0, 200), field(9, 65, 66, 67, 68, 69), field(9, 0, 1), field(9, 255, 255)]).toEqual([
      'AB',
      'ABCD',
      '',
      null,
    ]);
  });

  it('are formatted as sizes', () => {
    expect([1, 512, 1_024, 1_536, 100_000, 1_048_576, 4_194_304, 1_500_000].map(sizeText)).toEqual([
      '1 byte',
      '512 bytes',
      '1 KB',
      '1.5 KB',
      '97.7 KB',
      '1 MB',
      '4 MB',
      '1.4 MB',
    ]);
    expect(bytesText(1_048_576)).toBe('1,048,576 bytes');
  });
});
