import type { DecoderChecksum } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { calculatorOf, contentCheck } from './checksums.ts';

const digits = new TextEncoder().encode('123456789');

const defaults: DecoderChecksum = { kind: 'sum8', order: 'big', form: 'bytes', from: 0 };

const isRight = (change: Partial<DecoderChecksum>, bytes: readonly number[], tail = 0) =>
  contentCheck({ ...defaults, ...change }).isRight(Uint8Array.from(bytes), 0, bytes.length, tail);

describe('checksums', () => {
  // Check values: Greg Cook, Catalogue of parametrised CRC algorithms. Sums: calculated by hand.
  it.each([
    ['sum8', 0xdd],
    ['lrc', 0x23],
    ['xor8', 0x31],
    ['sum16', 0x01dd],
    ['fletcher8', 0xdd15],
    ['crc8', 0xf4],
    ['crc8-maxim', 0xa1],
    ['crc16-modbus', 0x4b37],
    ['crc16-arc', 0xbb3d],
    ['crc16-ccitt-false', 0x29b1],
    ['crc16-xmodem', 0x31c3],
    ['crc16-kermit', 0x2189],
    ['crc16-x25', 0x906e],
    ['crc16-mcrf4xx', 0x6f91],
    ['crc16-usb', 0xb4c8],
    ['crc32', 0xcbf43926],
    ['crc32c', 0xe3069283],
    ['crc32-mpeg2', 0x0376e6e7],
  ] as const)('%s of 123456789 is %i', (kind, value) => {
    expect(calculatorOf(kind)(digits, 0, digits.length)).toBe(value);
    expect(calculatorOf(kind)(Uint8Array.from([1, ...digits, 2]), 1, digits.length + 1)).toBe(value);
  });

  // CRC-24/OPENPGP; CRC-16/BUYPASS; CRC-8/ROHC; CRC-16/RIELLO; CRC-12/UMTS has another width and is refused.
  it.each([
    ['OPENPGP', 24, 0x864cfb, 0xb704ce, false, false, 0, [0x21, 0xcf, 0x02]],
    ['BUYPASS', 16, 0x8005, 0, false, false, 0, [0xfe, 0xe8]],
    ['ROHC', 8, 0x07, 0xff, true, true, 0, [0xd0]],
    ['RIELLO', 16, 0x1021, 0xb2aa, true, true, 0, [0x63, 0xd0]],
    ['BZIP2', 32, 0x04c11db7, 0xffffffff, false, false, 0xffffffff, [0xfc, 0x89, 0x19, 0x18]],
  ] as const)(
    'a CRC by its parameters is that of the catalogue: %s',
    (_, width, polynomial, init, reflectIn, reflectOut, xorOut, value) => {
      const parameters = { kind: 'crc', width, polynomial, init, reflectIn, reflectOut, xorOut } as const;
      expect(isRight(parameters, [...digits, ...value])).toBe(true);
      expect(isRight({ ...parameters, order: 'little' }, [...digits, ...value.toReversed()])).toBe(true);
      expect(isRight(parameters, [...digits, ...Array.from<number>(value).with(0, value[0] ^ 1)])).toBe(false);
    },
  );

  it('stands where the decoder says, and covers what it says', () => {
    expect(isRight({}, [1, 2, 3])).toBe(true);
    expect(isRight({}, [1, 2, 3, 0xff], 1)).toBe(true);
    expect(isRight({ at: 0, from: 1, to: 3 }, [5, 2, 3])).toBe(true);
    expect(isRight({ at: -2, from: 0, to: -2 }, [5, 5, 9])).toBe(true);
    expect(isRight({ kind: 'sum16', order: 'little' }, [0xff, 0x02, 0x01, 0x01])).toBe(true);
    expect(isRight({ kind: 'sum16' }, [0xff, 0x02, 0x01, 0x01])).toBe(true);
    expect(isRight({ from: 5 }, [1, 2, 3])).toBe(false);
    expect(isRight({}, [])).toBe(false);
  });

  it('reads hex digits of either case', () => {
    const text = (line: string) => [...new TextEncoder().encode(line)];
    const hex = { kind: 'xor8', form: 'hex', from: 1, to: -3 } as const;
    expect(isRight(hex, text('$AB*03'))).toBe(true);
    expect(isRight(hex, text('$Aj*2B'))).toBe(true);
    expect(isRight(hex, text('$Aj*2b'))).toBe(true);
    expect(isRight(hex, text('$Aj*2g'))).toBe(false);
  });
});
