import * as fc from 'fast-check';
import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../core/bytes.ts';
import { planEsp } from '../esp/plan/plan-esp.ts';
import { buildTable, factoryLayout } from '../esp/testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../esp/testing/esp-images.ts';
import { noise } from '../testing/program.ts';
import { checkRelease, type ReleaseDevice } from './check-release.ts';
import { firmwareHeadSize, readFirmware, readFirmwareHead } from './read-firmware.ts';

const esp32: ReleaseDevice = { deviceFamily: 'esp', deviceModel: 'esp32' };
const stm32: ReleaseDevice = { deviceFamily: 'stm', deviceModel: 'stm32f' };
const FLASH_START = 0x0800_0000;

type Given = readonly [name: string, offset: number, bytes: Uint8Array];

async function check(files: readonly Given[], device = esp32) {
  const read = files.map(async ([name, offset, bytes]) => ({
    name,
    offset,
    size: bytes.length,
    reading: await readFirmware(bytes),
  }));
  return checkRelease(await Promise.all(read), device);
}

async function codes(files: readonly Given[], device = esp32) {
  const { refusals, damage } = await check(files, device);
  return [...refusals, ...damage].map(({ code }) => code);
}

const layoutOnly = (files: readonly (readonly [name: string, offset: number, size: number])[], device = esp32) =>
  checkRelease(
    files.map(([name, offset, size]) => ({ name, offset, size, reading: null })),
    device,
  );

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>';

/** Changes one byte of the image's data, so that its checksum is wrong. */
function damaged(image: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(image);
  copy[400] = (copy[400] ?? 0) ^ 1;
  return copy;
}

/** Returns a program for an STM32, for the start of its flash. */
function program(length = 1_024): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x42);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2000_5000, true);
  for (const at of [4, 8, 12]) {
    view.setUint32(at, FLASH_START + 0x101, true);
  }
  return bytes;
}

const complete: readonly Given[] = [
  ['bootloader.bin', 0x1000, buildBootloader()],
  ['partition-table.bin', 0x8000, buildTable(factoryLayout)],
  ['app.bin', 0x10000, buildApp()],
];

describe('a release for an Espressif chip', () => {
  it('passes without a warning if it is complete', async () => {
    expect(await check(complete)).toEqual({ refusals: [], damage: [], warnings: [] });
  });

  it.each<[string, readonly Given[], string]>([
    ['at an offset that is no sector', [['app.bin', 10_000, buildApp()]], 'offset-not-aligned'],
    ['without bytes', [['app.bin', 0x10000, new Uint8Array()]], 'file-empty'],
    ['over another', [...complete, ['more.bin', 0x10000, filler(64)]], 'overlap'],
    ['beyond every flash', [['data.bin', 128 * 1_048_576, filler(64)]], 'beyond-flash'],
    ['for another chip than the project', [['app.bin', 0x10000, buildApp({ chipId: chipIds.esp32s3 })]], 'wrong-chip'],
    [
      'of two builds',
      [
        ['bootloader.bin', 0x1000, buildBootloader()],
        ['app.bin', 0x10000, buildApp({ chipId: chipIds.esp32s3 })],
      ],
      'chips-differ',
    ],
    ['that is damaged', [['app.bin', 0x10000, damaged(buildApp())]], 'image-damaged'],
    ['that ends too early', [['app.bin', 0x10000, buildApp().subarray(0, 500)]], 'image-damaged'],
    [
      'too large for its partition',
      [...complete.slice(0, 2), ['app.bin', 0x10000, buildApp({ size: 2 * 1_048_576 })]],
      'larger-than-partition',
    ],
  ])('is refused with a file %s', async (_fault, files, code) => {
    expect(await codes(files)).toContain(code);
  });

  it('is refused for the same reasons as the plan of a flash', async () => {
    const files: readonly Given[] = [...complete, ['more.bin', 0x8100, damaged(buildApp())]];
    const plan = await planEsp({
      files: files.map(([name, offset, bytes]) => ({ name, offset, bytes })),
      board: null,
    });
    const { refusals, damage } = await check(files);
    expect([...refusals, ...damage].map(({ code, what }) => [code, what]).toSorted()).toEqual(
      plan.refusals.map(({ code, what }) => [code, what]).toSorted(),
    );
    expect(plan.refusals.length).toBeGreaterThan(2);
  });

  it.each<[string, number, Uint8Array]>([
    ['a web page at the app', 0x10000, asciiBytes(page)],
    ['JSON at the bootloader', 0x1000, asciiBytes('{"message":"Not Found"}')],
    ['text at the partition table', 0x8000, asciiBytes('nvs, data, nvs, 0x9000, 0x6000,\n')],
    ['a zip at the app', 0x10000, zipSync({ 'app.bin': filler(200) })],
    ['a program for an STM32 at the app', 0x10000, program()],
  ])('is refused with %s, even if damage is accepted', async (_, offset, bytes) => {
    const { refusals, damage } = await check([['app.bin', offset, bytes]]);
    expect([refusals.map(({ code }) => code), damage]).toEqual([['not-firmware'], []]);
  });

  it('names the kind of a file and its usual origin', async () => {
    const [refusal] = (await check([['app.bin', 0x10000, asciiBytes(page)]])).refusals;
    expect(refusal?.what).toBe('"app.bin" is a web page, not firmware.');
    expect(refusal?.remedy).toContain('needed a sign-in');
  });

  it.each<[string, number, Uint8Array, string]>([
    ['text in place of data', 0x110000, asciiBytes('-----BEGIN CERTIFICATE-----\n'.repeat(4)), 'not-firmware'],
    ['a compressed file in place of data', 0x110000, gzipSync(filler(400)), 'not-firmware'],
    ['erased flash in place of the app', 0x10000, new Uint8Array(9_000).fill(0xff), 'not-firmware'],
    ['what begins like an image and is none', 0x10000, Uint8Array.of(0xe9, ...noise(299)), 'not-an-image'],
  ])('leaves %s to be confirmed', async (_, offset, bytes, code) => {
    const { refusals, damage } = await check([['data.bin', offset, bytes]]);
    expect([refusals, damage.map((finding) => finding.code)]).toEqual([[], [code]]);
  });

  it.each<[string, number, string]>([
    ['esp32', 0x1000, 'not-a-bootloader'],
    ['esp32s3', 0x0, 'not-a-bootloader'],
    ['esp32', 0x8000, 'not-a-table'],
    ['esp32', 0x10000, 'not-an-app'],
  ])('warns of unknown data for an %s at 0x%x', async (deviceModel, offset, code) => {
    const { refusals, damage, warnings } = await check([['data.bin', offset, noise(300)]], {
      deviceFamily: 'esp',
      deviceModel,
    });
    expect([refusals, damage, warnings.map((finding) => finding.code)]).toEqual([[], [], [code]]);
  });

  it('may be for a chip that no project can name', async () => {
    expect(await codes([['app.bin', 0x10000, buildApp({ chipId: chipIds.esp32p4 })]])).toEqual([]);
  });

  it('leaves damage to be confirmed, and nothing else', async () => {
    const { refusals, damage } = await check([['app.bin', 0x10001, damaged(buildApp())]]);
    expect(refusals.map(({ code }) => code)).toEqual(['offset-not-aligned']);
    expect(damage.map(({ code, files }) => [code, files])).toEqual([
      ['image-damaged', ['app.bin']],
      ['image-damaged', ['app.bin']],
    ]);
  });

  it('names the chip of the files and of the project', async () => {
    const { refusals } = await check([['app.bin', 0x10000, buildApp({ chipId: chipIds.esp32s3 })]]);
    expect(refusals.map(({ what, remedy }) => `${what} ${remedy}`)).toEqual([
      '"app.bin" was built for ESP32-S3, but this project is for ESP32. Choose the files of the ESP32 build, or add this version to a project for ESP32-S3.',
    ]);
  });
});

describe('a release for an STM32', () => {
  it('passes with a program at the start of flash', async () => {
    expect(await check([['app.bin', FLASH_START, program()]], stm32)).toEqual({
      refusals: [],
      damage: [],
      warnings: [],
    });
  });

  it.each<[string, readonly Given[], string]>([
    ['below its flash', [['app.bin', 0x10000, program()]], 'outside-flash'],
    ['beyond its flash', [['app.bin', FLASH_START + 2 * 1_048_576 - 4, program()]], 'beyond-flash'],
    [
      'over another',
      [
        ['app.bin', FLASH_START, program()],
        ['data.bin', FLASH_START + 512, filler(64)],
      ],
      'overlap',
    ],
    ['without bytes', [['app.bin', FLASH_START, new Uint8Array()]], 'file-empty'],
    ['that is no program', [['app.bin', FLASH_START, filler(64)]], 'not-an-image'],
    ['that is a web page', [['app.bin', FLASH_START, asciiBytes(page)]], 'not-firmware'],
    ['for an Espressif chip', [['app.bin', FLASH_START, buildApp()]], 'not-firmware'],
    ['that is Intel HEX', [['app.bin', FLASH_START, asciiBytes(':0400000001020304F2\n:00000001FF\n')]], 'not-firmware'],
    [
      'of text in place of data',
      [['data.bin', FLASH_START + 0x10000, asciiBytes('ssid=home\npassword=x\n')]],
      'not-firmware',
    ],
  ])('is refused with a file %s', async (_fault, files, code) => {
    expect(await codes(files, stm32)).toEqual([code]);
  });
});

describe('overlap of files', () => {
  it.each([
    ['esp', esp32, 0],
    ['stm', stm32, FLASH_START],
  ] as const)('is found exactly when two files share a byte, in any order (%s)', (_family, device, start) => {
    const region = fc.record({ at: fc.nat(60), size: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(region, { maxLength: 6 }), (regions) => {
        const taken = new Set<number>();
        let shared = false;
        for (const { at, size } of regions) {
          for (let address = at; address < at + size; address++) {
            shared ||= taken.has(address);
            taken.add(address);
          }
        }
        const files = regions.map(({ at, size }, index) => [`${index}`, start + at, size] as const);
        for (const order of [files, files.toReversed()]) {
          const { refusals } = layoutOnly(order, device);
          expect(refusals.some(({ code }) => code === 'overlap')).toBe(shared);
        }
      }),
    );
  });
});

describe('the beginning of a file', () => {
  it('suffices for everything but a large image', async () => {
    const head = (bytes: Uint8Array) => readFirmwareHead(bytes.subarray(0, firmwareHeadSize), bytes.length);
    const app = buildApp({ size: 100_000 });
    const merged = buildMerged([...complete].map(([, offset, bytes]) => [offset, bytes] as const));
    expect(await head(app)).toBeNull();
    expect(await head(merged)).toBeNull();
    for (const bytes of [buildApp(), filler(1_000_000), program(100_000), asciiBytes(page.padEnd(500_000))]) {
      const all = await readFirmware(bytes);
      const read = await head(bytes);
      expect(read?.part.kind).toBe(all.part.kind);
      expect(read?.damage).toEqual(all.damage);
      expect(read?.vectors).toEqual(all.vectors);
      expect(read?.contents).toBe(all.contents);
    }
  });

  it('does not suffice if all its bytes are equal: the rest may be a program', async () => {
    const blank = new Uint8Array(500_000).fill(0xff);
    expect(await readFirmwareHead(blank.subarray(0, firmwareHeadSize), blank.length)).toBeNull();
    expect(await readFirmwareHead(blank, blank.length)).toMatchObject({ contents: 'erased' });
  });

  it('does not suffice for a bootloader behind its digest of Secure Boot V1', async () => {
    const file = new Uint8Array(0x1000 + 50_000).fill(0xff);
    file.set(filler(192).fill(0x5a, 0, 8), 0);
    file.set(buildBootloader({ size: 40_000 }), 0x1000);
    expect(await readFirmwareHead(file.subarray(0, firmwareHeadSize), file.length)).toBeNull();
  });
});
