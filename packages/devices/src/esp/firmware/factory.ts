/**
 * Flash content of a new board: a bootloader, a partition table and a small application. The images contain no real
 * code, because the simulation and image viewers read only headers, checksums and texts.
 */

import { md5 } from '@noble/hashes/legacy.js';
import { joined } from '../../byte-fields.ts';
import { filler } from '../../filler.ts';
import { partitionTableOffset } from '../boot/partitions.ts';
import type { EspChip } from '../chips/chip.ts';
import type { EspFlashPart } from '../options.ts';
import { espApplication, espImage } from './image.ts';

/** Offset of the factory application; also of every application with the usual partition table. */
export const factoryAppOffset = 0x10000;
/** Offset of the NVS partition in every partition table of this folder. */
export const nvsOffset = 0x9000;
const mebibyte = 0x100000;

/** Label, type, subtype, offset and size in bytes. */
export type PartitionEntry = readonly [string, number, number, number, number];

/** Returns the parts that the factory writes into a flash of `flashSize` bytes. */
export function factoryContent(chip: EspChip, flashSize: number): EspFlashPart[] {
  const text = `I (312) main: ${chip.name} with its factory firmware.\r\n`;
  const about = { text, project: `${chip.name}-factory`, version: '1.0.0' };
  if (chip.generation === 'esp8266') {
    const segments = espApplication(chip, { ...about, size: 1_024 });
    return [{ offset: chip.bootloaderOffset, data: espImage(chip, flashSize, segments) }];
  }
  return [
    { offset: chip.bootloaderOffset, data: bootloaderImage(chip, flashSize) },
    { offset: partitionTableOffset, data: partitionTable(flashSize) },
    { offset: factoryAppOffset, data: espImage(chip, flashSize, espApplication(chip, about)) },
  ];
}

/**
 * Returns a bootloader image.
 * @param chip Chip of the image.
 * @param flashSize Size in its header, in bytes.
 * @param begin First bytes of its data.
 */
export function bootloaderImage(
  chip: EspChip,
  flashSize: number,
  begin: Uint8Array = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  return espImage(chip, flashSize, [
    { address: chip.layout.data, data: joined(begin, filler(6_656).subarray(begin.length)) },
    { address: chip.layout.code, data: filler(9_216) },
  ]);
}

/**
 * Returns the partition table of a new board.
 * @param flashSize Size of the flash in bytes.
 */
export function partitionTable(flashSize: number): Uint8Array<ArrayBuffer> {
  return tableOf([
    ['nvs', 1, 2, nvsOffset, 0x6000],
    ['phy_init', 1, 1, 0xf000, 0x1000],
    ['factory', 0, 0, factoryAppOffset, Math.min(mebibyte, flashSize - factoryAppOffset)],
  ]);
}

/** Returns a partition table (ESP-IDF, "Partition Tables"): 32 bytes for each entry, followed by their MD5. */
export function tableOf(entries: readonly PartitionEntry[]): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(0xc00).fill(0xff);
  const view = new DataView(table.buffer);
  for (const [index, [label, type, subtype, offset, size]] of entries.entries()) {
    const at = index * 32;
    table.fill(0, at, at + 32);
    view.setUint16(at, 0x50aa, true);
    table.set([type, subtype], at + 2);
    view.setUint32(at + 4, offset, true);
    view.setUint32(at + 8, size, true);
    table.set(new TextEncoder().encode(label), at + 12);
  }
  const end = entries.length * 32;
  view.setUint16(end, 0xebeb, true);
  table.set(md5(table.subarray(0, end)), end + 16);
  return table;
}
