/**
 * Types of firmware for RP2040 and RP2350, as read from a file. Plain values, so that they can be posted to a worker.
 */

import { type FlashRange, sectorSize } from '../../core/region.ts';
import type { MemoryFormatKind } from '../../images/formats/formats.ts';
import type { OtherPart } from '../../images/formats/image-format.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';

export type RpChip = 'RP2040' | 'RP2350';

export type RpCpu = 'arm' | 'riscv';

/** Start of flash in the memory map of both chips (RP2040 datasheet 2.2, RP2350 datasheet 2.2: `XIP_BASE`). */
export const flashStart = 0x1000_0000;

/** Size of the first flash chip's range in bytes. Programs start from it alone (RP2350 datasheet 5.1.7). */
export const bootableFlash = 0x100_0000;

/** End of the RAM of an RP2350 (RP2350 datasheet 2.2.3). */
export const ramEnd = 0x2008_2000;

/** Program or data for one family of a UF2 file, or the whole of a file in another format. */
export interface RpProgram {
  /** UF2 family ID (pico-sdk, `boot/uf2.h`). Other formats: that of the image definition inside; null without one. */
  readonly familyId: number | null;
  /** Name of the family in picotool's words, such as `rp2350-arm-s`; `0x12345678` for an unknown one; null without one. */
  readonly family: string | null;
  /** Chips that it is for. Both for the families `absolute` and `data`; none if nothing in the file says it. */
  readonly chips: readonly RpChip[];
  /** Architecture that the family or the image definition names; null if none does. */
  readonly cpu: RpCpu | null;
  /** Chip and processor that the program itself names, whatever the family says; null if it names none. */
  readonly image: { readonly chip: RpChip; readonly cpu: RpCpu } | null;
  /** All data outside of RAM, in the order of addresses, with gaps between them. Flash begins at `flashStart`. */
  readonly flash: readonly MemorySegment[];
  /** Data for RAM or the memory of the XIP cache. Not empty only for a program that runs from there. */
  readonly ram: readonly MemorySegment[];
  /** Address at which a program in RAM starts; null for a program in flash. */
  readonly entry: number | null;
}

/** Contents of a file. */
export interface RpFirmware {
  readonly format: MemoryFormatKind | 'bin';
  /** Name for people, such as `Intel HEX`. */
  readonly formatName: string;
  /** In the order of the file; not empty. */
  readonly programs: readonly RpProgram[];
  /**
   * Address of the block for erratum RP2350-E10; null without one. The drive needs the block in the file. It is not
   * among the programs, because PICOBOOT does not need it.
   */
  readonly e10: number | null;
  /** Parts that neither chip takes: programs for other chips, contained files. */
  readonly others: readonly OtherPart[];
}

/** Partition of an RP2350 (RP2350 datasheet 5.9.4). Sizes and offsets in bytes. */
export interface RpPartition {
  readonly index: number;
  /** Empty without a name, or for an empty one. */
  readonly name: string;
  readonly hasName: boolean;
  /** From the start of flash. */
  readonly offset: number;
  /** Negative if the partition ends before it begins. */
  readonly size: number;
  /** 16 hexadecimal digits; null without an ID. */
  readonly id: string | null;
  /** `a`: it stands alone or is the A slot. `b`: it is the B slot of partition `of`. */
  readonly slot: { readonly kind: 'a' } | { readonly kind: 'b'; readonly of: number };
  /** Partition that owns this one; null without an owner. */
  readonly owner: number | null;
  readonly permissions: RpPermissions;
  /** False: its two words grant different permissions. The boot ROM grants what both grant. */
  readonly hasSamePermissions: boolean;
  /** UF2 family IDs that the drive writes into it. */
  readonly families: readonly number[];
  /** Processors that look for a program in it. */
  readonly bootable: readonly RpCpu[];
}

/** `r`, `w`, `rw`, or empty, for secure code, the bootloader (BOOTSEL) and non-secure code. */
export interface RpPermissions {
  readonly secure: string;
  readonly bootloader: string;
  readonly nonSecure: string;
}

export interface RpPartitionTable {
  readonly singleton: boolean;
  /** Number of partitions that the table states. */
  readonly stated: number;
  readonly partitions: readonly RpPartition[];
  readonly unpartitioned: { readonly permissions: RpPermissions; readonly families: readonly number[] };
  /** `major.minor`; null if the block does not state one. */
  readonly version: string | null;
}

/** Partitions of a board, by the table that its boot ROM finds in flash at the next start. */
export interface RpPartitions extends Pick<RpPartitionTable, 'partitions' | 'unpartitioned'> {
  /** True: the table was written since the boot ROM started, which goes by another one, or by none, until then. */
  readonly isNew?: boolean;
  /** Partitions that the boot ROM has chosen between an A and a B slot. Missing for other families. */
  readonly targets?: readonly { readonly familyId: number; readonly index: number }[];
}

/** Interpreter that keeps its files in a file system of the flash. */
export type RpSystem = 'micropython' | 'circuitpython';

/** File system or other data in flash that a write would destroy. */
export interface RpFlashUser {
  /** In words: `the files of MicroPython`. */
  readonly name: string;
  /** From the start of flash, in bytes. */
  readonly offset: number;
  readonly size: number;
  /** Kind of the file system. Missing: not known. */
  readonly kind?: 'littlefs' | 'fat';
  /** Interpreter that it belongs to. Missing: not known. */
  readonly system?: RpSystem;
}

/**
 * Returns the sector in which CircuitPython keeps the settings of a program (`microcontroller.nvm`), between its firmware and its
 * drive on both chips (`ports/raspberrypi/mpconfigport.h`). Binary info states the drive alone. Null for other systems.
 */
export const settingsRange = ({ system, offset }: RpFlashUser): FlashRange | null =>
  system === 'circuitpython' && offset >= sectorSize
    ? { offset: flashStart + offset - sectorSize, length: sectorSize }
    : null;

/** Properties of a board that are compared with a file before a write. */
export interface RpBoardFacts {
  readonly chip: RpChip;
  /** In bytes; null if it is not known. */
  readonly flashSize: number | null;
  /** Processor that runs by default; null if it is not known. */
  readonly cpu: RpCpu | null;
  /** `none`: the board has no partition table. Null: not read, and never on an RP2040. */
  readonly partitionTable: RpPartitions | 'none' | null;
  readonly users: readonly RpFlashUser[];
}

/** One line of a section: picotool's word, then its value. A list has one value per line. */
export interface RpField {
  readonly key: string;
  readonly values: readonly string[];
}

/** Section in the words and the order of `picotool info -a`. */
export interface RpInfoSection {
  readonly title: string;
  readonly fields: readonly RpField[];
}

/** Range of flash, in bytes from the start of flash. */
export interface RpRange {
  readonly offset: number;
  readonly length: number;
}

/** Data of a file that is not in flash after a copy to the drive. */
export interface RpDriveLoss extends RpRange {
  /** `erased`: written, then erased again. `mixed`: written over old contents that were not erased. */
  readonly why: 'erased' | 'mixed';
}

/** Outcome of a copy of a UF2 file to the drive of a board in BOOTSEL. */
export interface RpDriveForecast {
  /** True: the board restarts after the copy, which is the only sign of success that the drive gives. */
  readonly restarts: boolean;
  /**
   * Address that the board jumps to for a program in RAM, with bit 0 set as for all Arm code; null for a program in
   * flash, and without a restart.
   */
  readonly startsAt: number | null;
  /** Sectors that are erased, in the order of addresses. */
  readonly erases: readonly RpRange[];
  /** In the order of addresses; empty if the drive keeps everything that it takes. */
  readonly losses: readonly RpDriveLoss[];
  /** Sentences about the outcome, with reasons. */
  readonly text: readonly string[];
}
