import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import { publicKeyOf, secretOf, sign, verify } from './p256.ts';
import { demoKey, signingKey } from './signing-key.ts';

const text = (value: string) => new TextEncoder().encode(value);
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const hash = { name: 'ECDSA', hash: 'SHA-256' } as const;

async function imported(publicKey: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', Uint8Array.from([4, ...publicKey]), curve, true, ['verify']);
}

describe('P-256', () => {
  // RFC 6979, section A.2.5.
  const secret = 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n;
  const key =
    '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6' +
    '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299';

  it('gives the key and the signatures of RFC 6979', () => {
    expect(hexOf(publicKeyOf(secret))).toBe(key);
    expect(hexOf(sign(secret, text('sample')))).toBe(
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716' +
        'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    );
    expect(hexOf(sign(secret, text('test')))).toBe(
      'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367' +
        '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    );
  });

  it('takes what Web Crypto signs', async () => {
    const pair = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)).subarray(1);
    const signature = new Uint8Array(await crypto.subtle.sign(hash, pair.privateKey, text('a message')));
    expect(verify(publicKey, text('a message'), signature)).toBe(true);
    expect(verify(publicKey, text('another message'), signature)).toBe(false);
  });

  it('signs so that Web Crypto takes it', async () => {
    const messages = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.string(), messages, async (sentence, message) => {
        const { publicKey, sign: signed } = signingKey(sentence);
        const signature = Uint8Array.from(signed(message));
        expect(await crypto.subtle.verify(hash, await imported(publicKey), signature, Uint8Array.from(message))).toBe(
          true,
        );
      }),
      { numRuns: 10 },
    );
  });

  it('takes no signature with one bit turned, under another key or of another length', () => {
    const signature = demoKey.sign(text('firmware'));
    fc.assert(
      fc.property(fc.nat(511), (bit) => {
        const turned = signature.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(verify(demoKey.publicKey, text('firmware'), turned)).toBe(false);
      }),
      { numRuns: 10 },
    );
    expect(verify(signingKey('another').publicKey, text('firmware'), signature)).toBe(false);
    expect(verify(demoKey.publicKey, text('firmware'), signature.subarray(1))).toBe(false);
    expect(verify(demoKey.publicKey, text('firmware'), new Uint8Array(64))).toBe(false);
    expect(verify(bytesOf('01'.repeat(64)), text('firmware'), signature)).toBe(false);
  });

  it('makes the same key of the same sentence', () => {
    expect(secretOf('a sentence')).toBe(secretOf('a sentence'));
    expect(secretOf('a sentence')).not.toBe(secretOf('another'));
  });
});
