import { describe, expect, it } from 'vitest';
import { buildImage as buildFileSystem } from '../../file-systems/index.ts';
import {
  buildLittleFs,
  buildNvs,
  buildNvsKeys,
  buildOtaData,
  buildTable,
  factoryLayout,
  otaLayout,
} from '../testing/esp-data.ts';
import {
  buildApp,
  buildBootloader,
  buildImage,
  buildMerged,
  chipIds,
  esp8266Address,
  filler,
} from '../testing/esp-images.ts';
import { imagePartOf, partTitle } from './image-part.ts';
import { innerPartsOf } from './inner-parts.ts';

const s3 = { chipId: chipIds.esp32s3 };

/** Version word and 64 bytes, as appended by `espsecure sign_data --version 1`. */
const signedForV1 = (image: Uint8Array) => Uint8Array.from([...image, 0, 0, 0, 0, ...new Array<number>(64).fill(0x5a)]);
/** Random bytes and digest, as prepended by `espsecure digest_secure_bootloader`. */
const digest = Uint8Array.from({ length: 192 }, (_, index) => (index * 73 + 5) & 0xff);

/** Returns the marks of a FAT16 boot sector. */
function fat(at: number): Uint8Array {
  const bytes = new Uint8Array(0x3000);
  bytes.set([0x46, 0x41, 0x54], at + 54);
  bytes.set([0x55, 0xaa], at + 510);
  return bytes;
}

describe('part of a flash', () => {
  it.each([
    ['App blink 1.2.3 for ESP32-S3, ESP-IDF v5.1.2', buildApp(s3)],
    ['Bootloader for ESP32-S3, ESP-IDF v5.1', buildBootloader({ ...s3, idfVersion: 'v5.1' })],
    ['Bootloader for ESP32-S3', buildBootloader({ ...s3, idfVersion: null })],
    [
      'Bootloader for a chip with id 4096 (not in the published list of 2026-07-23)',
      buildBootloader({ chipId: 0x1000, idfVersion: null }),
    ],
    ['Bootloader for ESP32-S31', buildBootloader({ chipId: 0x20, idfVersion: null })],
    ['App blink 1.2.3 for ESP32-S3, ESP-IDF v5.1.2, signed', signedForV1(buildApp(s3))],
    ['Bootloader for ESP32, ESP-IDF v5.1.2, signed', signedForV1(buildBootloader())],
    ['Bootloader for ESP32, ESP-IDF v5.1.2', buildMerged([[0x1000, buildBootloader()]])],
    [
      'Bootloader for ESP32, ESP-IDF v5.1.2, with its digest for Secure Boot V1',
      buildMerged([
        [0, digest],
        [0x1000, buildBootloader()],
      ]),
    ],
    ['Unknown data, perhaps an encrypted image', filler(5_000).fill(0xe9, 0, 1)],
    ['Partition table, 5 partitions', buildTable(otaLayout)],
    ['OTA data: which app starts', buildOtaData(1)],
    ['NVS: stored settings', buildNvs()],
    ['File system, LittleFS', buildLittleFs()],
    ['File system, FAT', fat(0)],
    ['File system, FAT', fat(0x1000)],
    ['File system, SPIFFS', buildFileSystem('spiffs', 0x10000, [])],
    ['File system, SPIFFS', buildFileSystem('spiffs', 0x40000, [{ path: '/a.txt', bytes: filler(9_000) }])],
    ['Unknown data', Uint8Array.from({ length: 0x10000 }, (_, index) => index & 0xff)],
    ['Damaged image', buildApp().subarray(0, 100)],
    ['Damaged partition table', buildTable(otaLayout).fill(0, 70, 80)],
    ['Unknown data', filler(5_000)],
    ['Empty file or erased flash', new Uint8Array(4_096).fill(0xff)],
    ['Empty file or erased flash', new Uint8Array()],
  ])('is recognised by its contents: %s', (title, bytes) => {
    expect(partTitle(imagePartOf(bytes))).toBe(title);
  });

  it('is boot code and app in one for an ESP8266 with Arduino', () => {
    const program = buildImage({ chipId: null, segments: [{ address: esp8266Address, data: filler(100) }] });
    const part = imagePartOf(
      buildMerged([
        [0, program],
        [0x1000, program],
      ]),
    );
    expect(part).toMatchObject({ kind: 'app', behindEboot: true });
    expect(imagePartOf(program)).toMatchObject({ kind: 'bootloader' });
  });
});

describe('merged image', () => {
  const nvs = buildNvs();
  const files = [
    [0x1000, buildBootloader()],
    [0x8000, buildTable(factoryLayout)],
    [0x9000, nvs],
    [0x10000, buildApp()],
  ] as const;

  it.each([
    ['from the start of the flash', 0],
    ['from the bootloader', 0x1000],
  ])('%s is split by its partition table', (_, start) => {
    const part = imagePartOf(buildMerged(files, start));
    expect(part).toMatchObject({ kind: 'merged', chip: 'esp32', offset: start, tableOffset: 0x8000 });
    const found = part.kind === 'merged' ? part.parts.map(({ name, offset }) => [name, offset]) : [];
    expect(found).toEqual([
      ['bootloader', 0x1000],
      ['partition table', 0x8000],
      ['nvs', 0x9000],
      ['factory', 0x10000],
    ]);
  });

  it('is also split behind the digest of Secure Boot V1', () => {
    const part = imagePartOf(buildMerged([[0, digest], ...files]));
    expect(part).toMatchObject({ kind: 'merged', offset: 0, tableOffset: 0x8000 });
  });

  it('begins at 0 for a chip that starts there', () => {
    const part = imagePartOf(
      buildMerged([
        [0, buildBootloader(s3)],
        [0x8000, buildTable(factoryLayout)],
        [0x10000, buildApp(s3)],
      ]),
    );
    expect(part).toMatchObject({ kind: 'merged', chip: 'esp32s3', offset: 0 });
  });

  it('is found with a table higher up too', () => {
    const layout = factoryLayout.map((partition) => ({ ...partition, offset: partition.offset + 0x8000 }));
    const part = imagePartOf(
      buildMerged([
        [0, buildBootloader({ ...s3, size: 0x9000 })],
        [0x10000, buildTable(layout)],
      ]),
    );
    expect(part).toMatchObject({ kind: 'merged', tableOffset: 0x10000 });
  });

  it('is refused with a misplaced bootloader or a damaged table', () => {
    expect(
      imagePartOf(
        buildMerged([
          [0x1000, buildBootloader(s3)],
          [0x8000, buildTable(factoryLayout)],
        ]),
      ).kind,
    ).toBe('unknown');
    const damaged = buildTable(factoryLayout).fill(1, 4, 8);
    expect(
      imagePartOf(
        buildMerged([
          [0, buildBootloader(s3)],
          [0x8000, damaged],
        ]),
      ).kind,
    ).toBe('bootloader');
  });
});

describe('keys of NVS', () => {
  it('are recognised by the checksum of nvs_partition_gen.py, alone and in a merged image', () => {
    const keys = buildNvsKeys();
    expect(imagePartOf(keys)).toEqual({ kind: 'nvs-keys' });
    expect(innerPartsOf(buildMerged([[0x1000, keys]]))).toMatchObject([{ at: 0x1000, part: { kind: 'nvs-keys' } }]);
    keys[3] = (keys[3] ?? 0) ^ 1;
    expect(imagePartOf(keys).kind).toBe('unknown');
    expect(imagePartOf(new Uint8Array(0x1000).fill(0, 0, 64).fill(0xff, 64)).kind).toBe('unknown');
  });
});

describe('OTA data', () => {
  it('is recognised by an intact entry, whatever its state is', () => {
    const damaged = buildOtaData(7, 2);
    damaged[28] = 0;
    for (const bytes of [damaged, buildOtaData(null, 2), buildOtaData(2, null, 4)]) {
      expect(imagePartOf(bytes).kind).toBe('ota-data');
    }
    expect(imagePartOf(buildOtaData(0)).kind).toBe('unknown');
  });

  it('is what Arduino ships as boot_app0.bin', () => {
    const bytes = buildOtaData(1);
    expect([...bytes.subarray(28, 32)]).toEqual([0x9a, 0x98, 0x43, 0x47]);
  });
});
