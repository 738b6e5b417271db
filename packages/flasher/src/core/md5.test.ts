import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from './bytes.ts';
import { md5, md5Bytes } from './md5.ts';

const ascii = (text: string) => new TextEncoder().encode(text);

describe('MD5', () => {
  it.each([
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a', '0cc175b9c0f1b6a831c399e269772661'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
    [
      '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
      '57edf4a22be3c955ac49da2e2107b67a',
    ],
  ])('matches RFC 1321 for %j', (text, hash) => {
    expect(md5(ascii(text))).toBe(hash);
  });

  it('matches another implementation for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(md5(bytes)).toBe(createHash('md5').update(bytes).digest('hex'));
      }),
    );
  });

  it('hashes a view at an offset of its memory', () => {
    const memory = Uint8Array.of(9, 9, 9, ...ascii('abc'), 9);
    expect(hexOf(md5Bytes(memory.subarray(3, 6)))).toBe('900150983cd24fb0d6963f7d28e17f72');
  });
});
