/**
 * The files of the demo release: everything that an empty ESP32 needs to start. A real chip would loop forever. The
 * application's output is in its read-only data, where a simulated ESP32 finds and prints it.
 */
import { createHash } from 'node:crypto';
import { appDescription, buildEspImage, DRAM_ADDRESS, DROM_ADDRESS, IRAM_ADDRESS } from './esp-image.ts';
import type { ProductFile } from './product-release.ts';

/** Offset of the application with the usual partition table. */
const APP_OFFSET = 0x10000;

/** Returns the files ordered by address. Their bytes are always the same. */
export function demoFiles(): readonly ProductFile[] {
  return [
    { fileName: 'bootloader.bin', offset: 0x1000, bytes: demoBootloader() },
    { fileName: 'partition-table.bin', offset: 0x8000, bytes: demoPartitionTable() },
    { fileName: 'wirebench-demo.bin', offset: APP_OFFSET, bytes: demoImage() },
  ];
}

/** Precedes the boot text, which ends with a NUL. It also tells flashers that a file is for demo devices only. */
export const BOOT_TEXT_MARK = 'wirebench-boot-text:';

/** Lines that a serial monitor shows. */
export const demoBootText = [
  'I (142) demo: Wirebench demo 1.0.0',
  'I (146) demo: You have flashed this from a release link.',
  '',
].join('\r\n');

/** `j .`: a jump to itself (Xtensa Instruction Set Architecture, "J", offset -4). */
const LOOP_FOREVER = Uint8Array.of(0x06, 0xff, 0xff);

export function demoImage(): Uint8Array {
  const description = appDescription({
    version: '1.0.0',
    projectName: 'wirebench-demo',
    idfVersion: 'none',
    time: '12:00:00',
    date: 'Nov 20 2026',
  });
  const readOnly = Buffer.concat([description, Buffer.from(`${BOOT_TEXT_MARK}${demoBootText}\0`)]);
  return buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [
      { address: DROM_ADDRESS, data: readOnly },
      { address: IRAM_ADDRESS, data: LOOP_FOREVER },
    ],
  });
}

/** Builds the bootloader: `esp_bootloader_desc_t` (ESP-IDF, `esp_bootloader_desc.h`), the mark, and an endless loop. */
function demoBootloader(): Uint8Array {
  const description = Buffer.alloc(80);
  description[0] = 80;
  description.writeUInt32LE(1, 4);
  description.write('none', 8);
  description.write('Nov 20 2026 12:00:00', 40);
  return buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [
      { address: DRAM_ADDRESS, data: Buffer.concat([description, Buffer.from(`${BOOT_TEXT_MARK}\0`)]) },
      { address: IRAM_ADDRESS, data: LOOP_FOREVER },
    ],
  });
}

/**
 * Builds the partition table (ESP-IDF, "Partition Tables"): entries of 32 bytes, their MD5, and erased flash up to
 * the end. It is the table of the demo boards, so that the release keeps their settings and files.
 */
function demoPartitionTable(): Uint8Array {
  const entries = [
    ['nvs', 1, 0x02, 0x9000, 0x4000],
    ['otadata', 1, 0x00, 0xd000, 0x2000],
    ['phy_init', 1, 0x01, 0xf000, 0x1000],
    ['ota_0', 0, 0x10, APP_OFFSET, 0x100000],
    ['storage', 1, 0x83, 0x110000, 0x20000],
    ['coredump', 1, 0x03, 0x130000, 0x10000],
    ['ota_1', 0, 0x11, 0x140000, 0x100000],
  ] as const;
  const rows = entries.map(([label, type, subtype, offset, size]) => {
    const row = Buffer.alloc(32);
    row.writeUInt16LE(0x50aa);
    row.set([type, subtype], 2);
    row.writeUInt32LE(offset, 4);
    row.writeUInt32LE(size, 8);
    row.write(label, 12);
    return row;
  });
  const hash = Buffer.alloc(32, 0xff);
  hash.writeUInt16LE(0xebeb);
  createHash('md5').update(Buffer.concat(rows)).digest().copy(hash, 16);
  const table = Buffer.alloc(0xc00, 0xff);
  Buffer.concat([...rows, hash]).copy(table);
  return table;
}
