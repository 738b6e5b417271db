import { createHash } from 'node:crypto';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../testing/hex.ts';
import { crc32 } from './crc32.ts';

const text = (value: string) => new TextEncoder().encode(value);

describe('digests', () => {
  // Check value of CRC-32/ISO-HDLC in the "Catalogue of parametrised CRC algorithms".
  it('are those of the test suites of RFC 1321 and FIPS 180-4, and of the catalogue of CRCs', () => {
    expect(crc32(text('123456789'))).toBe(0xcbf43926);
    expect(hexOf(md5(text('')))).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(hexOf(md5(text('message digest')))).toBe('f96b697d7cb7938d525a2f31aaf161d0');
    expect(hexOf(sha256(text('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('agree with those of Node for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(hexOf(md5(bytes))).toBe(createHash('md5').update(bytes).digest('hex'));
        expect(hexOf(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('go on with a CRC-32 where it ended', () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(crc32(other, crc32(one))).toBe(crc32(Uint8Array.from([...one, ...other])));
      }),
    );
  });
});
