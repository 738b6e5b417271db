/** Builds partition tables and the data of partitions. Written from the documents, without the code under test. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface BuiltPartition {
  readonly name: string;
  readonly type: number;
  readonly subtype: number;
  readonly offset: number;
  readonly size: number;
  readonly flags?: number;
}

export const factoryLayout: readonly BuiltPartition[] = [
  { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x6000 },
  { name: 'phy_init', type: 1, subtype: 1, offset: 0xf000, size: 0x1000 },
  { name: 'factory', type: 0, subtype: 0, offset: 0x10000, size: 0x100000 },
];

export const otaLayout: readonly BuiltPartition[] = [
  { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
  { name: 'otadata', type: 1, subtype: 0, offset: 0xe000, size: 0x2000 },
  { name: 'app0', type: 0, subtype: 0x10, offset: 0x10000, size: 0x140000 },
  { name: 'app1', type: 0, subtype: 0x11, offset: 0x150000, size: 0x140000 },
  { name: 'spiffs', type: 1, subtype: 0x82, offset: 0x290000, size: 0x160000 },
];

/** Builds a table with its MD5, padded to 0xC00 bytes. */
export function buildTable(partitions: readonly BuiltPartition[], { withMd5 = true } = {}): Uint8Array {
  const entries = Buffer.concat(partitions.map(tableEntry));
  const mark = Buffer.alloc(16, 0xff);
  mark.fill(0xeb, 0, 2);
  const md5 = createHash('md5').update(entries).digest();
  const table = Buffer.concat([entries, ...(withMd5 ? [mark, md5] : [])]);
  return Uint8Array.from(Buffer.concat([table, Buffer.alloc(0xc00 - table.length, 0xff)]));
}

function tableEntry({ name, type, subtype, offset, size, flags = 0 }: BuiltPartition): Buffer {
  const entry = Buffer.alloc(32);
  entry.set([0xaa, 0x50, type, subtype]);
  entry.writeUInt32LE(offset, 4);
  entry.writeUInt32LE(size, 8);
  Buffer.from(name).copy(entry, 12, 0, 16);
  entry.writeUInt32LE(flags, 28);
  return entry;
}

/** Builds OTA data of two sectors. A null leaves its entry erased. */
export function buildOtaData(first: number | null, second: number | null = null, state = 0xffff_ffff): Uint8Array {
  const data = Buffer.alloc(0x2000, 0xff);
  [first, second].forEach((sequence, index) => {
    if (sequence !== null) {
      const at = 0x1000 * index;
      data.writeUInt32LE(sequence, at);
      data.writeUInt32LE(state, at + 24);
      data.writeUInt32LE(crc32(data.subarray(at, at + 4), 0xffff_ffff), at + 28);
    }
  });
  return Uint8Array.from(data);
}

/** Builds NVS with one active page and no entries. */
export function buildNvs(size = 0x6000): Uint8Array {
  const data = Buffer.alloc(size, 0xff);
  data.writeUInt32LE(0xffff_fffe, 0);
  data.writeUInt32LE(0, 4);
  data[8] = 0xfe;
  data.writeUInt32LE(crc32(data.subarray(4, 28), 0xffff_ffff), 28);
  return Uint8Array.from(data);
}

/** Builds a partition of keys as `nvs_partition_gen.py generate-key` writes it. */
export function buildNvsKeys(): Uint8Array {
  const data = Buffer.alloc(0x1000, 0xff);
  for (let at = 0; at < 64; at++) {
    data[at] = (at * 37 + 11) & 0xff;
  }
  data.writeUInt32LE(crc32(data.subarray(0, 64), 0xffff_ffff), 64);
  return Uint8Array.from(data);
}

export function buildLittleFs(size = 0x4000): Uint8Array {
  const data = Buffer.alloc(size, 0xff);
  data.write('littlefs', 8);
  return Uint8Array.from(data);
}
