/** The partition table that a bootloader reads. Format: ESP-IDF, "Partition Tables". */
import { md5 } from '@noble/hashes/legacy.js';
import { sameBytes, viewOf } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import type { ReadFlash } from './image.ts';

/** Default place of the table. Builds may move it (`CONFIG_PARTITION_TABLE_OFFSET`). */
export const partitionTableOffset = 0x8000;
const lastTableOffset = 0x20000;
const sectorSize = 0x1000;
const entrySize = 32;
const maxEntries = 95;
const entryMagic = 0x50aa;
const digestMagic = 0xebeb;

export interface Partition {
  readonly label: string;
  readonly type: number;
  readonly subtype: number;
  readonly offset: number;
  readonly size: number;
}

/** Fault of a partition table: the first invalid magic number and its index, or a wrong hash. */
export type TableFault = { readonly index: number; readonly badMagic: number } | 'hash';

type ReadTable = readonly Partition[] | { readonly fault: TableFault };

/**
 * Returns the entries up to the end mark, or the table's fault. A bootloader has the table's offset compiled in; this one
 * takes the usual place, or the first place behind it that has a table.
 */
export function readPartitions(read: ReadFlash): ReadTable {
  const usual = readTableAt(read, partitionTableOffset);
  for (let at = partitionTableOffset + sectorSize; 'fault' in usual && at <= lastTableOffset; at += sectorSize) {
    const moved = readTableAt(read, at);
    if (!('fault' in moved)) {
      return moved;
    }
  }
  return usual;
}

function readTableAt(read: ReadFlash, offset: number): ReadTable {
  const partitions: Partition[] = [];
  const bytes = read(offset, entrySize * maxEntries);
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; at += entrySize) {
    const magic = view.getUint16(at, true);
    if (magic === digestMagic && partitions.length > 0) {
      if (!sameBytes(md5(bytes.subarray(0, at)), bytes.subarray(at + 16, at + 32))) {
        return { fault: 'hash' };
      }
      break;
    }
    if (magic === 0xffff && partitions.length > 0) {
      break;
    }
    if (magic !== entryMagic) {
      return { fault: { index: at / entrySize, badMagic: magic } };
    }
    const label = bytes.subarray(at + 12, at + 28);
    const end = label.indexOf(0);
    partitions.push({
      label: new TextDecoder().decode(end === -1 ? label : label.subarray(0, end)),
      type: view.getUint8(at + 2),
      subtype: view.getUint8(at + 3),
      offset: view.getUint32(at + 4, true),
      size: view.getUint32(at + 8, true),
    });
  }
  return partitions;
}

const appType = 0x00;
const dataType = 0x01;
const factorySubtype = 0x00;
const firstOta = 0x10;
const otaData = 0x00;

/**
 * Returns the application that the bootloader starts: the OTA partition named by otadata, otherwise the factory
 * partition, otherwise the first OTA partition. Null without an application partition.
 */
export function chooseApp(read: ReadFlash, partitions: readonly Partition[]): Partition | null {
  const apps = partitions.filter(({ type }) => type === appType);
  const otas = apps.filter(({ subtype }) => subtype >= firstOta);
  const data = partitions.find(({ type, subtype }) => type === dataType && subtype === otaData);
  const sequence = data === undefined ? null : newestSequence(read, data.offset);
  if (sequence !== null && otas.length > 0) {
    return otas[(sequence - 1) % otas.length] ?? null;
  }
  return apps.find(({ subtype }) => subtype === factorySubtype) ?? otas[0] ?? null;
}

/** Returns the higher sequence number of the two otadata sectors; null if neither has one with its CRC-32. */
function newestSequence(read: ReadFlash, offset: number): number | null {
  const entries = [offset, offset + 0x1000].map((at) => viewOf(read(at, 32)));
  const used = entries.flatMap((entry) => {
    const number = entry.getUint32(0, true);
    const check = crc32(new Uint8Array(entry.buffer, entry.byteOffset, 4), 0xffffffff);
    return number === 0xffffffff || number === 0 || entry.getUint32(28, true) !== check ? [] : [number];
  });
  return used.length === 0 ? null : Math.max(...used);
}
