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
import { findImageFaults, hasImageHeader, readEspImage } from './esp-image.ts';

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

/** Returns the first fault of bytes that are not an image. */
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
  it('is read as it was built, without faults', async () => {
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

  it('has the short header on an ESP8266', async () => {
    const bytes = buildImage({ chipId: null, segments: [{ address: esp8266Address, data: new Uint8Array(40) }] });
    const image = readEspImage(bytes);
    expect(image).toMatchObject({ chip: 'esp8266', chipId: null, revisions: null, hasHash: false, size: 64 });
    expect(await findImageFaults(bytes, image)).toEqual([]);
  });

  it('names an unknown chip by its number', () => {
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
  ])('requires chip revisions by %s', (_, built, expected) => {
    expect(readEspImage(buildApp(built)).revisions).toEqual(expected);
  });

  it('detects every single flipped bit behind its header', async () => {
    const image = buildBootloader({ size: 64 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 32, max: image.length - 1 }), fc.nat(7), async (index, bit) => {
        const damaged = Uint8Array.from(image);
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        expect(await faultOf(damaged)).toMatch(/^image-(checksum|hash|cut-short)$/);
      }),
    );
  });

  it('is reported as cut short at any length', async () => {
    const image = buildApp();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 8, max: image.length - 1 }), async (length) => {
        expect(await faultOf(image.subarray(0, length))).toBe('image-cut-short');
      }),
    );
  });

  it.each([0, 17, 255])('is refused with %i segments', (count) => {
    const image = buildApp();
    image[1] = count;
    expect(() => readEspImage(image)).toThrow(expect.objectContaining({ code: 'image-segments' }));
  });

  it('is either whole or a coded fault, for any bytes', async () => {
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

  it('counts as signed by the sector behind it', () => {
    const image = buildApp();
    const signed = new Uint8Array(0x2000).fill(0xff);
    signed.set(image);
    signed.set([0xe7, 0x02], 0x1000);
    expect(readEspImage(signed).isSigned).toBe(true);
    expect(readEspImage(image).isSigned).toBe(false);
  });

  /** Appended by `espsecure sign_data --version 1`: a version of zero and 64 bytes. */
  const v1 = (image: Uint8Array, ...rest: readonly number[]) =>
    Uint8Array.from([...image, 0, 0, 0, 0, ...Array.from({ length: 64 }, (_, at) => (at * 37 + 11) & 0xff), ...rest]);

  it('counts as signed for Secure Boot V1 by the data behind it', () => {
    const padding = new Array<number>(2_000).fill(0xff);
    for (const image of [buildApp(), buildBootloader(), buildApp({ withHash: false })]) {
      expect(readEspImage(v1(image)).isSigned).toBe(true);
      expect(readEspImage(v1(image, ...padding)).isSigned).toBe(true);
      expect(readEspImage(v1(image, ...new Array<number>(12).fill(0))).isSigned).toBe(true);
    }
  });

  it.each([0xff, 0])('counts as signed for Secure Boot V1 behind padding of %i to 64 KiB', (fill) => {
    const padded = (image: Uint8Array, end: number) => {
      const bytes = new Uint8Array(end).fill(fill);
      bytes.set(image);
      return bytes;
    };
    for (const image of [buildApp(), buildBootloader(), buildApp({ withHash: false })]) {
      // The signature begins at 64 KiB, or it ends there with its own padding (esptool, `secure_pad`).
      expect(readEspImage(v1(padded(image, 65_536))).isSigned).toBe(true);
      expect(readEspImage(v1(padded(image, 65_536 - 80), ...new Array<number>(12).fill(0xff))).isSigned).toBe(true);
      expect(readEspImage(padded(image, 65_536)).isSigned).toBe(false);
    }
  });

  it('counts as signed for Secure Boot V2 behind padding to 64 KiB', () => {
    const bytes = new Uint8Array(65_536 + 4_096).fill(0xff);
    bytes.set(buildApp());
    expect(readEspImage(bytes).isSigned).toBe(false);
    bytes[65_536] = 0xe7;
    expect(readEspImage(bytes).isSigned).toBe(true);
  });

  it.each<[string, Uint8Array]>([
    ['nothing but its hash', buildApp()],
    ['zeros', Uint8Array.from([...buildApp(), ...new Array<number>(200).fill(0)])],
    ['erased flash', Uint8Array.from([...buildApp(), ...new Array<number>(200).fill(0xff)])],
    [
      'a zero word and erased flash',
      Uint8Array.from([...buildApp(), 0, 0, 0, 0, ...new Array<number>(200).fill(0xff)]),
    ],
    ['half a signature', v1(buildApp()).subarray(0, -20)],
    [
      'a version that is not zero',
      Uint8Array.from(v1(buildApp()), (byte, at) => (at === buildApp().length ? 1 : byte)),
    ],
    ['data that go on', v1(buildApp(), 1, 2, 3, 4, 5, 6)],
    [
      'padding and a file of another kind',
      v1(Uint8Array.from([...buildApp(), ...new Array<number>(8_192).fill(0xff)]), ...new Array<number>(200).fill(7)),
    ],
  ])('is not signed with %s behind it', (_, bytes) => {
    expect(readEspImage(bytes).isSigned).toBe(false);
  });

  it('is signed by the first of several blocks of Secure Boot V2', () => {
    const signed = new Uint8Array(0x2000).fill(0xff);
    signed.set(buildApp());
    for (const block of [0, 1, 2]) {
      signed.set([0xe7, 0x02], 0x1000 + 1_216 * block);
    }
    expect(readEspImage(signed).isSigned).toBe(true);
  });

  it('is distinguished from other data by its header', () => {
    const app = buildApp();
    expect(hasImageHeader(app)).toBe(true);
    expect(hasImageHeader(app.subarray(0, 16))).toBe(true);
    expect(hasImageHeader(buildImage({ chipId: null, segments: [{ address: esp8266Address, data: app }] }))).toBe(true);
    expect(hasImageHeader(Uint8Array.from(app, (byte, at) => (at === 1 ? 0 : byte)))).toBe(true);
    for (const fill of [0, 0xe9, 0xff, 0x42]) {
      expect(hasImageHeader(new Uint8Array(300).fill(fill).fill(0xe9, 0, 1))).toBe(false);
    }
    expect(hasImageHeader(buildBootloader().fill(0x5a, 0, 1))).toBe(false);
  });

  it('is an app or a bootloader by its description, otherwise by its place', () => {
    const roles = [
      buildApp(),
      buildBootloader(),
      buildBootloader({ idfVersion: null }),
      buildImage({ chipId: chipIds.esp32s3, segments: [{ address: 0x42000020, data: new Uint8Array(20) }] }),
    ].map((bytes) => roleOf(bytes, readEspImage(bytes)));
    expect(roles).toEqual(['app', 'bootloader', 'in-memory', 'app']);
  });
});
