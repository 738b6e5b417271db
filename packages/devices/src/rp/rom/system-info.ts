/** Answers of GET_INFO (RP2350 datasheet, sections 5.4.8.15, 5.4.8.16 and 5.6.4.11), in words behind their count. */
import { accepts, extentOf, type Partition, type PartitionTable, permission } from '../chip/picobin.ts';
import { status } from './worker.ts';

/** bType of GET_INFO. */
const infoType = { system: 1, partitions: 2, target: 3, uf2: 4 } as const;
/** Words of each part of the system's information, by its flag. */
const systemParts = { chip: 0x01, critical: 0x02, cpu: 0x04, flash: 0x08, random: 0x10, boot: 0x40 } as const;
const tableParts = { table: 0x01, location: 0x10, id: 0x20, families: 0x40, name: 0x80, single: 0x8000 } as const;
/** CS0_SIZE of FLASH_DEVINFO: 16 MiB, for a chip whose OTP says nothing. */
const flashInfo = 0x0c00;
/** Flags and permissions of all flash without a partition table: RP2040's and other families are not accepted. */
const openSpace = 0xfc06_8000;
const wholeSpace = 0xffff_e000;
/** No partition: the unpartitioned space. */
const noPartition = 0xff;

export interface Uf2Status {
  readonly flags: number;
  readonly isRam: boolean;
  readonly isQuiet: boolean;
  readonly family: number;
  readonly count: number;
  readonly total: number;
}

export interface InfoSource {
  readonly chipId: readonly [low: number, high: number];
  readonly random: readonly number[];
  readonly table: PartitionTable | null;
  readonly uf2: Uf2Status;
}

/** A partition that takes a family, or the unpartitioned space. */
export interface Target {
  readonly index: number;
  readonly location: number;
  readonly flags: number;
}

/** @returns The words of the answer, or a status code. */
export function infoWords(args: DataView, room: number, source: InfoSource): readonly number[] | number {
  const flags = args.getUint32(4, true);
  switch (args.getUint8(0)) {
    case infoType.system:
      return counted(systemWords(flags, source), room);
    case infoType.partitions:
      return counted(tableWords(flags, source.table), room);
    case infoType.target: {
      const target = targetOf(source.table, flags);
      return target === null ? [3, 0xffff_ffff, 0, 0] : [3, target.index, target.location, target.flags];
    }
    case infoType.uf2: {
      const { uf2 } = source;
      const state = uf2.flags | (uf2.isRam ? 0x1_0000 : 0) | (uf2.isQuiet ? 0x100_0000 : 0);
      return [4, state >>> 0, uf2.family, uf2.count, uf2.total];
    }
    default:
      return status.invalidArgument;
  }
}

/** Returns the place for a family's blocks; null if it is not accepted. A B partition is never chosen. */
export function targetOf(table: PartitionTable | null, family: number): Target | null {
  const open: Target = { index: noPartition, location: wholeSpace, flags: table?.unpartitioned ?? openSpace };
  const isAbsolute = family === 0xe48b_ff57;
  if (table === null || table.partitions.length === 0 || isAbsolute) {
    return accepts(open.flags, [], family) ? open : null;
  }
  const candidates = table.partitions.flatMap((partition, index) =>
    accepts(partition.flags, partition.families, family) && !isB(partition) && isWritable(partition)
      ? { index, location: partition.location, flags: partition.flags, isOwned: linkType(partition) === 2 }
      : [],
  );
  const bootable = candidates.find(({ flags, isOwned }) => !isOwned && (flags & 0x600) !== 0x600);
  return bootable ?? candidates.find(({ isOwned }) => !isOwned) ?? candidates[0] ?? null;
}

/** True if the boot ROM may read or write these bytes of flash. */
export function isPermitted(
  table: PartitionTable | null,
  offset: number,
  length: number,
  access: 'read' | 'write',
): boolean {
  if (table === null) {
    return true;
  }
  const bit = access === 'write' ? permission.bootWrite : permission.bootRead;
  const end = offset + length;
  const inside = table.partitions.filter(({ location }) => {
    const { from, to } = extentOf(location);
    return offset < to && end > from;
  });
  const [only] = inside;
  if (only === undefined) {
    return (table.unpartitioned & bit) !== 0;
  }
  const { from, to } = extentOf(only.location);
  return inside.length === 1 && offset >= from && end <= to && (only.location & bit) !== 0;
}

function linkType({ flags }: Partition): number {
  return (flags >> 1) & 3;
}

function isB(partition: Partition): boolean {
  return linkType(partition) === 1;
}

function isWritable({ location }: Partition): boolean {
  return (location & permission.bootWrite) !== 0;
}

function counted(words: readonly number[], room: number): readonly number[] | number {
  return words.length > room ? status.bufferTooSmall : [words.length, ...words];
}

function systemWords(flags: number, { chipId, random }: InfoSource): number[] {
  const parts: readonly (readonly [flag: number, words: readonly number[]])[] = [
    // The package (1: QFN-60), then the chip's id.
    [systemParts.chip, [1, ...chipId]],
    [systemParts.critical, [0]],
    [systemParts.cpu, [0]],
    [systemParts.flash, [flashInfo]],
    [systemParts.random, random],
    // Boot type (2: BOOTSEL) and diagnostics, then the parameters of the reboot.
    [systemParts.boot, [0x0002_ff00, 0, 0, 0]],
  ];
  const known = parts.filter(([flag]) => (flags & flag) !== 0);
  return [known.reduce((sum, [flag]) => sum | flag, 0), ...known.flatMap(([, words]) => words)];
}

function tableWords(flags: number, table: PartitionTable | null): number[] {
  const known = Object.values(tableParts).reduce((sum, flag) => sum | flag, 0);
  const partitions = table?.partitions ?? [];
  const words = [flags & known];
  if ((flags & tableParts.table) !== 0) {
    words.push(partitions.length | (table === null ? 0 : 0x100), wholeSpace, table?.unpartitioned ?? openSpace);
  }
  const only = (flags & tableParts.single) === 0 ? null : flags >>> 24;
  for (const [index, { location, flags: own, id, families, name }] of partitions.entries()) {
    if (only !== null && only !== index) {
      continue;
    }
    words.push(
      ...((flags & tableParts.location) === 0 ? [] : [location, own]),
      ...((flags & tableParts.id) === 0 || id === null ? [] : id),
      ...((flags & tableParts.families) === 0 ? [] : families),
      ...((flags & tableParts.name) === 0 || name === null ? [] : nameWords(name)),
    );
  }
  return words;
}

/** A byte with the length, then the letters, filled up to whole words. */
function nameWords(name: string): number[] {
  const bytes = new Uint8Array(Math.ceil((name.length + 1) / 4) * 4);
  bytes[0] = name.length;
  bytes.set(new TextEncoder().encode(name), 1);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true));
}
