/**
 * Signs images for Secure Boot V2 with keys of a test. Written from ESP-IDF, "Secure Boot V2", section "Signature Block
 * Format", without the code under test.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface SigningKey {
  readonly privateKey: KeyObject;
  /** Bytes of a signature block that identify the key; their SHA-256 is in the eFuses. */
  readonly publicPart: Buffer;
  readonly kind: 'rsa' | 'p256';
  /** SHA-256 of `publicPart` as hexadecimal. */
  readonly digest: string;
}

export function makeRsaKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
  const n = BigInt(`0x${modulus.toString('hex')}`);
  // R² mod n and −1/n mod 2³², which the chip's accelerator needs.
  const squared = (1n << 6144n) % n;
  let inverse = 1n;
  for (let step = 0; step < 6; step++) {
    inverse = (inverse * (2n - n * inverse)) & 0xffff_ffffn;
  }
  const exponent = Buffer.alloc(4);
  exponent.writeUInt32LE(65_537);
  const factor = Buffer.alloc(4);
  factor.writeUInt32LE(Number((0x1_0000_0000n - inverse) & 0xffff_ffffn));
  const publicPart = Buffer.concat([
    Buffer.from(modulus).reverse(),
    exponent,
    Buffer.from(squared.toString(16).padStart(768, '0'), 'hex').reverse(),
    factor,
  ]);
  return { privateKey, publicPart, kind: 'rsa', digest: sha256(publicPart).toString('hex') };
}

export function makeEcdsaKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const number = (text: string) => Buffer.from(text, 'base64url').reverse();
  const publicPart = Buffer.concat([Buffer.of(2), number(x), number(y)]);
  return { privateKey, publicPart, kind: 'p256', digest: sha256(publicPart).toString('hex') };
}

/** Pads the image to a sector, and appends a sector with one block for each key. */
export function signed(image: Uint8Array, ...keys: readonly SigningKey[]): Uint8Array {
  const content = Buffer.alloc(Math.ceil(image.length / 4_096) * 4_096, 0xff);
  content.set(image);
  const sector = Buffer.alloc(4_096, 0xff);
  keys.forEach((key, index) => {
    sector.set(blockOf(content, key), index * 1_216);
  });
  return Uint8Array.from(Buffer.concat([content, sector]));
}

function blockOf(content: Buffer, { privateKey, publicPart, kind }: SigningKey): Buffer {
  const block = Buffer.alloc(1_216);
  block.set([0xe7, kind === 'rsa' ? 2 : 3]);
  block.set(sha256(content), 4);
  block.set(publicPart, 36);
  if (kind === 'rsa') {
    // 6 and 32: RSASSA-PSS with the salt as long as the hash (node:crypto, `RSA_PKCS1_PSS_PADDING`).
    block.set(sign('sha256', content, { key: privateKey, padding: 6, saltLength: 32 }).reverse(), 812);
  } else {
    const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    block.set(signature.subarray(0, 32).reverse(), 101);
    block.set(signature.subarray(32).reverse(), 133);
  }
  block.writeUInt32LE(crc32(block.subarray(0, 1_196)), 1_196);
  return block;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
