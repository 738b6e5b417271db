import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../bytes.ts';
import { buildNvs, buildOtaData, buildTable, factoryLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { buildElf, buildIntelHex, buildUf2 } from '../testing/formats.ts';
import { describeImage } from './describe-image.ts';

const stretch = { address: 0x08000000, bytes: filler(100) };
const merged = buildMerged([
  [0x1000, buildBootloader()],
  [0x8000, buildTable(factoryLayout)],
  [0x10000, buildApp()],
]);

function random(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = 1;
  for (let index = 0; index < size; index++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

function mcuboot(): Uint8Array {
  const bytes = new Uint8Array(600);
  bytes.set([0x3d, 0xb8, 0xf3, 0x96, 0, 0, 0, 0, 0, 2, 0, 0, 0x40]);
  bytes.set([1, 2, 3, 0, 4, 0, 0, 0], 20);
  return bytes;
}

describe('what a file is', () => {
  it.each([
    ['esp-app', 'App blink 1.2.3 for ESP32, ESP-IDF v5.1.2', buildApp()],
    ['esp-bootloader', 'Bootloader for ESP32, ESP-IDF v5.1.2', buildBootloader()],
    ['esp-merged', 'Merged image for ESP32', merged],
    ['partition-table', 'Partition table, 3 partitions', buildTable(factoryLayout)],
    ['ota-data', 'OTA data: which app starts', buildOtaData(1)],
    ['nvs', 'NVS: stored settings', buildNvs()],
    ['empty', 'Empty file or erased flash', new Uint8Array()],
    ['zip', 'Zip archive, 2 files', zipSync({ 'app.bin': buildApp(), 'readme.txt': strToU8('x') })],
    ['elf', 'ELF program for Arm', buildElf([stretch])],
    ['uf2', 'UF2 file for nRF52840', buildUf2(stretch)],
    ['intel-hex', 'Intel HEX file', buildIntelHex([stretch])],
    ['mcuboot', 'Image for MCUboot, version 1.2.3+4', mcuboot()],
    [
      'cortex-m',
      'Program for an Arm Cortex-M, such as STM32 or nRF',
      new Uint8Array(Uint32Array.of(0x20005000, 0x08000135, 0x08000141, 0x08000141).buffer),
    ],
    ['text', 'Text', asciiBytes('hello\r\n')],
    ['unknown', 'Encrypted or compressed data', random(20_000)],
    ['unknown', 'Compressed file (gzip)', Uint8Array.of(0x1f, 0x8b, 8, 0, 0)],
    ['unknown', 'Unknown data', filler(20_000)],
  ])('is told by its contents: %s, %s', async (kind, title, bytes) => {
    expect(await describeImage('x', bytes)).toMatchObject({ kind, title, faults: [], size: bytes.length });
  });

  it.each([
    ['esp-app', 'image-checksum', buildApp().fill(0, 300, 320)],
    ['esp-app', 'image-cut-short', buildApp().subarray(0, 300)],
    ['partition-table', 'table-md5', buildTable(factoryLayout).fill(0, 4, 6)],
    ['zip', 'not-zip', zipSync({ a: strToU8('x') }).subarray(0, 40)],
    ['elf', 'elf-damaged', buildElf([stretch]).subarray(0, 100)],
    ['intel-hex', 'hex-record', buildIntelHex([stretch]).subarray(0, 40)],
    ['uf2', 'uf2-damaged', buildUf2(stretch).fill(0, 508)],
  ])('is still told when it is damaged: %s, %s', async (kind, code, bytes) => {
    const report = await describeImage('x', bytes);
    expect(report.kind).toBe(kind);
    expect(report.faults.map((fault) => fault.code)).toContain(code);
  });

  it('has the facts of an app, and what the chip loads', async () => {
    const report = await describeImage('app.bin', buildApp({ chipId: chipIds.esp32c6, minimumRevision: 1 }));
    expect(report.facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      'Project: blink',
      'Version: 1.2.3',
      'ESP-IDF: v5.1.2',
      'Built: Nov 20 2026 12:00:00',
      'Chip: ESP32-C6',
      'Chip revisions: v0.1 and newer',
      'Flash mode: DIO',
      'Flash frequency: 80 MHz or 40 MHz',
      'Flash size: 4 MiB',
      'Entry point: 0x40080400',
      'SHA-256 appended: Yes',
    ]);
    expect(report.segments).toHaveLength(1);
    expect(report.sha256).toMatch(/^[\da-f]{64}$/);
  });

  it('names the parts of a merged image and the partitions', async () => {
    const report = await describeImage('all.bin', merged);
    expect(report.parts.map(({ name, address }) => [name, address])).toEqual([
      ['bootloader', 0x1000],
      ['partition table', 0x8000],
      ['factory', 0x10000],
    ]);
    expect(report.partitions.map(({ name }) => name)).toEqual(['nvs', 'phy_init', 'factory']);
    expect(report.facts).toContainEqual({ label: 'factory', value: 'App blink 1.2.3 for ESP32, ESP-IDF v5.1.2' });
  });

  it('says what a person should know first', async () => {
    const notesOf = async (bytes: Uint8Array) => (await describeImage('x', bytes)).notes;
    expect(await notesOf(asciiBytes('wirebench-boot-text:Hello'))).toEqual([
      'It is for the demo device only: on a real chip it would do nothing.',
      'Text files are not flashed.',
    ]);
    expect(await notesOf(Uint8Array.from([...buildApp(), ...filler(2_048)]))).toEqual([
      '2 KiB of other data follows the image.',
    ]);
    expect(await notesOf(buildElf([stretch], { machine: 94 }))).toEqual([
      expect.stringContaining('.bin file of the same build'),
    ]);
  });

  it('is said of any bytes', async () => {
    const starts = [
      buildApp({ size: 8 }),
      buildTable(factoryLayout),
      buildElf([stretch]),
      buildUf2(stretch),
      buildIntelHex([stretch]),
      mcuboot(),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(120),
        async (start, noise, at) => {
          const bytes = Uint8Array.from(start);
          bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
          expect((await describeImage('x', bytes)).title).not.toBe('');
          expect((await describeImage('x', noise)).title).not.toBe('');
        },
      ),
    );
  });
});
