import { describe, expect, it } from 'vitest';
import { buildApp, chipIds } from '../testing/esp-images.ts';
import { makeEcdsaKey, makeRsaKey, signed } from '../testing/signed-images.ts';
import { readEspImage } from './esp-image.ts';
import { readSignatures } from './signature-blocks.ts';

const app = buildApp({ chipId: chipIds.esp32s3, size: 9_000 });
const [rsa, ecdsa] = [makeRsaKey(), makeEcdsaKey()];
const read = (bytes: Uint8Array) => readSignatures(bytes, readEspImage(bytes));

describe('signatures of Secure Boot V2', () => {
  it('are verified with the key that the block holds', async () => {
    expect(await read(signed(app, rsa, ecdsa))).toEqual([
      { scheme: 'RSA-3072', keyDigest: rsa.digest, state: 'valid' },
      { scheme: 'ECDSA P-256', keyDigest: ecdsa.digest, state: 'valid' },
    ]);
  });

  it.each([
    ['RSA', rsa],
    ['ECDSA', ecdsa],
  ])('by %s are invalid for an image that changed afterwards', async (_, key) => {
    const bytes = signed(app, key);
    bytes[300] = (bytes[300] ?? 0) ^ 1;
    expect(await read(bytes)).toMatchObject([{ keyDigest: key.digest, state: 'invalid' }]);
  });

  it.each([
    ['RSA', rsa, 812],
    ['ECDSA', ecdsa, 101],
  ])('by %s are invalid with another signature and a correct checksum', async (_, key, at) => {
    const other = signed(buildApp({ chipId: chipIds.esp32s3, size: 9_000, project: 'other' }), key);
    const bytes = signed(app, key);
    const sector = bytes.length - 4_096;
    const size = key.kind === 'rsa' ? 384 : 64;
    bytes.set(other.subarray(sector + at, sector + at + size), sector + at);
    const view = new DataView(bytes.buffer, sector);
    const { crc32 } = await import('node:zlib');
    view.setUint32(1_196, crc32(bytes.subarray(sector, sector + 1_196)), true);
    expect(await read(bytes)).toMatchObject([{ state: 'invalid' }]);
  });

  it('are empty for an unsigned image and a damaged block', async () => {
    expect(await read(app)).toEqual([]);
    const bytes = signed(app, rsa);
    bytes[bytes.length - 4_000] = (bytes[bytes.length - 4_000] ?? 0) ^ 1;
    expect(await read(bytes)).toEqual([]);
  });
});
