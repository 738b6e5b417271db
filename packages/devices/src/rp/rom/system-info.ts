/** Answers of GET_INFO (RP2350 datasheet, sections 5.4.8.15, 5.4.8.16 and 5.6.4.11), in words behind their count. */
import type { ResidentTable } from './resident-table.ts';
import { status } from './worker.ts';

/** bType of GET_INFO. */
const infoType = { system: 1, partitions: 2, target: 3, uf2: 4 } as const;
/** Words of each part of the system's information, by its flag. */
const systemParts = { chip: 0x01, critical: 0x02, cpu: 0x04, flash: 0x08, random: 0x10, boot: 0x40 } as const;
/** CS0_SIZE of FLASH_DEVINFO: 16 MiB, for a chip whose OTP says nothing. */
const flashInfo = 0x0c00;

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
  readonly table: ResidentTable;
  readonly uf2: Uf2Status;
}

/** @returns The words of the answer, or a status code. */
export function infoWords(args: DataView, room: number, source: InfoSource): readonly number[] | number {
  const flags = args.getUint32(4, true);
  switch (args.getUint8(0)) {
    case infoType.system:
      return counted(systemWords(flags, source), room);
    case infoType.partitions:
      return counted(source.table.info(flags, room), room);
    case infoType.target: {
      const target = source.table.targetOf(flags);
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

function counted(words: readonly number[] | number, room: number): readonly number[] | number {
  if (typeof words === 'number') {
    return words;
  }
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
