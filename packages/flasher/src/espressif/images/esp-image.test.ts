import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImageError } from '../../images/image-error.ts';
import {
  buildApp,
  buildBootloader,
  buildImage,
  chipIds,
  esp8266Address,
  memoryAddress,
} from '../testing/esp-images.ts';
import { roleOf } from './description.ts';
import { findImageFaults, readEspImage } from './esp-image.ts';

const anyImage = fc.record({
  chipId: fc.constantFrom(...Object.values(chipIds)),
  segments: fc.array(
    fc.record({
      address: fc.constantFrom(memoryAddress, 0x3ffb0000, 0x3f400020),
      data: fc.uint8Array({ maxLength: 60 }),
    }),
    { minLength: 1, maxLength: 16 },
  ),
  mode: fc.nat(3),
  sizeAndFrequency: fc.nat(255),
  entry: fc.nat(0xffff_ffff),
  withHash: fc.boolean(),
});

/** Everything that the code may say about bytes that are no image. */
async function faultOf(bytes: Uint8Array): Promise<string> {
  try {
    return (await findImageFaults(bytes, readEspImage(bytes)))[0] ?? 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.code;
    }
    throw error;
  }
}

describe('image of an Espressif chip', () => {
  it('is read as it was built, and found whole', async () => {
    await fc.assert(
      fc.asyncProperty(anyImage, async (built) => {
        const bytes = buildImage(built);
        const image = readEspImage(bytes);
        expect(image).toMatchObject({
          chipId: built.chipId,
          entry: built.entry,
          hasHash: built.withHash,
          size: bytes.length,
          isSigned: false,
          flash: { mode: built.mode, size: built.sizeAndFrequency >> 4, frequency: built.sizeAndFrequency & 15 },
        });
        expect(image.segments.map(({ address, size }) => [address, size])).toEqual(
          built.segments.map(({ address, data }) => [address, data.length]),
        );
        expect(await findImageFaults(bytes, image)).toEqual([]);
      }),
    );
  });

  it('of an ESP8266 has the short header', async () => {
    const bytes = buildImage({ chipId: null, segments: [{ address: esp8266Address, data: new Uint8Array(40) }] });
    const image = readEspImage(bytes);
    expect(image).toMatchObject({ chip: 'esp8266', chipId: null, revisions: null, hasHash: false, size: 64 });
    expect(await findImageFaults(bytes, image)).toEqual([]);
  });

  it('tells a chip that is not known by its number', () => {
    const image = readEspImage(buildApp({ chipId: 0x7777 }));
    expect(image).toMatchObject({ chip: null, chipId: 0x7777 });
  });

  it.each([
    [
      'the new fields',
      { minimumRevision: 101, maximumRevision: 199 },
      { minimum: 101, maximum: 199, legacyMinimum: 0 },
    ],
    ['the old field alone', { legacyRevision: 3 }, { minimum: 0, maximum: null, legacyMinimum: 3 }],
    [
      'the old field of a build that has no new ones',
      { legacyRevision: 3, maximumRevision: 0 },
      { minimum: 0, maximum: null, legacyMinimum: 3 },
    ],
    [
      'both, where the new ones win',
      { minimumRevision: 3, legacyRevision: 1 },
      { minimum: 3, maximum: null, legacyMinimum: 0 },
    ],
  ])('asks for chip revisions by %s', (_, built, expected) => {
    expect(readEspImage(buildApp(built)).revisions).toEqual(expected);
  });

  it('notices every single bit that fell over behind its header', async () => {
    const image = buildBootloader({ size: 64 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 32, max: image.length - 1 }), fc.nat(7), async (index, bit) => {
        const damaged = Uint8Array.from(image);
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        expect(await faultOf(damaged)).toMatch(/^image-(checksum|hash|cut-short)$/);
      }),
    );
  });

  it('that was cut off anywhere is called cut short', async () => {
    const image = buildApp();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 8, max: image.length - 1 }), async (length) => {
        expect(await faultOf(image.subarray(0, length))).toBe('image-cut-short');
      }),
    );
  });

  it.each([0, 17, 255])('with %i segments is none', (count) => {
    const image = buildApp();
    image[1] = count;
    expect(() => readEspImage(image)).toThrow(expect.objectContaining({ code: 'image-segments' }));
  });

  it('is never anything but whole or a coded fault, whatever the bytes', async () => {
    const image = buildApp({ size: 64 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.nat(image.length), async (noise, at) => {
        const bytes = Uint8Array.from(image);
        bytes.set(noise.subarray(0, image.length - at), at);
        expect(await faultOf(bytes)).toMatch(/^(none|not-esp-image|image-[a-z-]+)$/);
        expect(await faultOf(Uint8Array.of(0xe9, ...noise))).toMatch(/^(none|not-esp-image|image-[a-z-]+)$/);
      }),
    );
  });

  it('is seen to be signed by the sector behind it', () => {
    const image = buildApp();
    const signed = new Uint8Array(0x2000).fill(0xff);
    signed.set(image);
    signed.set([0xe7, 0x02], 0x1000);
    expect(readEspImage(signed).isSigned).toBe(true);
    expect(readEspImage(image).isSigned).toBe(false);
  });

  it('is an app or a bootloader by its description, and without one by where it goes', () => {
    const roles = [
      buildApp(),
      buildBootloader(),
      buildBootloader({ idfVersion: null }),
      buildImage({ chipId: chipIds.esp32s3, segments: [{ address: 0x42000020, data: new Uint8Array(20) }] }),
    ].map((bytes) => roleOf(bytes, readEspImage(bytes)));
    expect(roles).toEqual(['app', 'bootloader', 'in-memory', 'app']);
  });
});
