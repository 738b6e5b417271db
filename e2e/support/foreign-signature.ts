/**
 * Signs firmware for Secure Boot V2 with a key that no simulated board knows (ESP-IDF, "Secure Boot V2", section
 * "Signature Block Format", ECDSA P-256).
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';

export function signedByAnotherKey(image: Uint8Array): Uint8Array {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const content = Buffer.alloc(Math.ceil(image.length / 4_096) * 4_096, 0xff);
  content.set(image);
  const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  // All numbers are little-endian.
  const reversed = (bytes: Buffer) => Buffer.from(bytes).reverse();
  const block = Buffer.alloc(1_216);
  block.set([0xe7, 3]);
  block.set(createHash('sha256').update(content).digest(), 4);
  block[36] = 2;
  block.set(reversed(Buffer.from(x, 'base64url')), 37);
  block.set(reversed(Buffer.from(y, 'base64url')), 69);
  block.set(reversed(signature.subarray(0, 32)), 101);
  block.set(reversed(signature.subarray(32)), 133);
  block.writeUInt32LE(crc32(block.subarray(0, 1_196)), 1_196);
  const sector = Buffer.alloc(4_096, 0xff);
  sector.set(block);
  return Buffer.concat([content, sector]);
}
