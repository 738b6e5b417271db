/** The partition table that a bootloader reads. Format: ESP-IDF, "Partition Tables". */
import { md5 } from '@noble/hashes/legacy.js';
import { sameBytes, viewOf } from '../../byte-fields.ts';
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
