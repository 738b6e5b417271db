/**
 * Signatures of Secure Boot V2 (ESP-IDF, "Secure Boot V2", section "Signature Block Format"). Up to three blocks of
 * 1,216 bytes follow the image in a sector of their own. Each holds a public key, whose digest a chip compares with
 * its eFuses, and a signature of everything before the sector.
 */
import { hexOf, isSame, viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';
import { sha256 } from '../../images/sha256.ts';
import type { EspImage } from './esp-image.ts';

const SECTOR = 4_096;
const BLOCK_SIZE = 1_216;
const MAX_BLOCKS = 3;
const MAGIC = 0xe7;
/** Second byte of a block. */
const version = { rsa: 2, ecdsa: 3 } as const;
/** The CRC-32 of the bytes before it. */
const CRC_AT = 1_196;
const DIGEST_AT = 4;
/** RSA-3072: modulus, exponent, two numbers for the accelerator, signature; little endian. */
const rsa = { key: [36, 812], modulus: [36, 420], exponent: 420, signature: [812, 1_196] } as const;
/** ECDSA: number of the curve, then the point and both numbers of the signature; little endian. */
const curves = [
  { id: 1, name: 'P-192', at: 36, number: 24, room: 64, hash: 'SHA-256' },
  { id: 2, name: 'P-256', at: 36, number: 32, room: 64, hash: 'SHA-256' },
  { id: 3, name: 'P-384', at: 52, number: 48, room: 96, hash: 'SHA-384' },
] as const;
type Curve = (typeof curves)[number];
/** Third byte of an ECDSA block with the longer hash. */
const SHA_384 = 1;

export interface ImageSignature {
  readonly scheme: 'RSA-3072' | `ECDSA ${Curve['name']}`;
  /** SHA-256 of the public key as the block holds it, 64 lower-case hexadecimal digits. */
  readonly keyDigest: string;
  /**
   * `invalid`: the image has changed since, or the signature was not made with this key. `unchecked`: this browser
   * cannot verify signatures of this curve.
   */
  readonly state: 'valid' | 'invalid' | 'unchecked';
}

/**
 * Reads and verifies the signatures of an image.
 *
 * @param bytes The image from its first byte on, with what follows it.
 * @returns Intact blocks in their order; empty for an image without a signature of Secure Boot V2.
 */
export async function readSignatures(bytes: Uint8Array, { size }: Pick<EspImage, 'size'>): Promise<ImageSignature[]> {
  const start = Math.ceil(size / SECTOR) * SECTOR;
  const content = bytes.subarray(0, start);
  const signatures: ImageSignature[] = [];
  for (let index = 0; index < MAX_BLOCKS; index++) {
    const block = bytes.subarray(start + index * BLOCK_SIZE, start + (index + 1) * BLOCK_SIZE);
    if (!isIntact(block)) {
      break;
    }
    const signature = block[1] === version.rsa ? await readRsa(block, content) : await readEcdsa(block, content);
    if (signature !== null) {
      signatures.push(signature);
    }
  }
  return signatures;
}

function isIntact(block: Uint8Array): boolean {
  return (
    block.length === BLOCK_SIZE &&
    block[0] === MAGIC &&
    (block[1] === version.rsa || block[1] === version.ecdsa) &&
    viewOf(block).getUint32(CRC_AT, true) === crc32(block.subarray(0, CRC_AT))
  );
}

async function readRsa(block: Uint8Array, content: Uint8Array): Promise<ImageSignature> {
  const part = ([from, to]: readonly [number, number]) => block.slice(from, to);
  const exponent = block.slice(rsa.exponent, rsa.exponent + 4).reverse();
  const key = {
    kty: 'RSA',
    alg: 'PS256',
    n: base64Url(part(rsa.modulus).reverse()),
    e: base64Url(exponent.subarray(exponent.findIndex((byte) => byte !== 0))),
  };
  const isOwnContent = isSame(await sha256(content), block.subarray(DIGEST_AT, DIGEST_AT + 32));
  const verify = async () => {
    const imported = await crypto.subtle.importKey('jwk', key, { name: 'RSA-PSS', hash: 'SHA-256' }, false, ['verify']);
    const by = { name: 'RSA-PSS', saltLength: 32 };
    return crypto.subtle.verify(by, imported, part(rsa.signature).reverse(), Uint8Array.from(content));
  };
  return {
    scheme: 'RSA-3072',
    keyDigest: hexOf(await sha256(part(rsa.key))),
    state: isOwnContent && (await verify().catch(() => false)) ? 'valid' : 'invalid',
  };
}

async function readEcdsa(block: Uint8Array, content: Uint8Array): Promise<ImageSignature | null> {
  const isLong = block[2] === SHA_384;
  const curve = curves.find(({ id, at, hash }) => block[at] === id && (hash === 'SHA-384') === isLong);
  if (curve === undefined) {
    return null;
  }
  const keyAt = curve.at + 1;
  const keyEnd = keyAt + curve.room;
  const numberAt = (at: number) => block.slice(at, at + curve.number).reverse();
  const digest = new Uint8Array(await crypto.subtle.digest(curve.hash, Uint8Array.from(content)));
  const isOwnContent = isSame(digest, block.subarray(DIGEST_AT, DIGEST_AT + digest.length));
  const verify = async () => {
    const [x, y] = [keyAt, keyAt + curve.number].map((at) => base64Url(numberAt(at)));
    const by = { name: 'ECDSA', namedCurve: curve.name, hash: curve.hash };
    const key = { kty: 'EC', crv: curve.name, x: x ?? '', y: y ?? '' };
    const imported = await crypto.subtle.importKey('jwk', key, by, false, ['verify']);
    const signature = Uint8Array.from([...numberAt(keyEnd), ...numberAt(keyEnd + curve.number)]);
    return crypto.subtle.verify(by, imported, signature, Uint8Array.from(content));
  };
  return {
    scheme: `ECDSA ${curve.name}`,
    keyDigest: hexOf(await sha256(block.slice(curve.at, keyEnd))),
    state: !isOwnContent ? 'invalid' : await stateOf(curve, verify),
  };
}

async function stateOf({ name }: Curve, verify: () => Promise<boolean>): Promise<ImageSignature['state']> {
  // Web Crypto has no P-192 (W3C Web Cryptography API, section "ECDSA").
  return name === 'P-192' ? 'unchecked' : (await verify().catch(() => false)) ? 'valid' : 'invalid';
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
