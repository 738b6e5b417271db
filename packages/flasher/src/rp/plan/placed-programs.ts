/**
 * The programs of a plan's files: those that are written, the partition table that places them, and where they keep their
 * own files.
 */
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import {
  flashStart,
  goesIntoPartition,
  type RpBoardFacts,
  type RpFlashUser,
  type RpPartitions,
  type RpProgram,
} from '../files/index.ts';
import { ProgramMemory } from '../files/program-memory.ts';
import { searchWindow } from '../files/rom-scan.ts';
import { rpFamily } from '../files/rp-families.ts';
import { addressableFlash } from '../picoboot/flash-memory.ts';
import type { RpPlanBoard, RpPlanFile } from './rp-plan-types.ts';

type BoardInfo = RpPlanBoard['info'];

/** Returns the programs of a file. A .bin goes to the address that a person sees beside it. */
export const placedPrograms = ({ format, programs }: RpPlanFile['firmware']): readonly RpProgram[] =>
  format === 'bin' ? programs.map((one) => ({ ...one, familyId: null })) : programs;

/** Returns the programs that are written: those for the board's chip, of those for two processors the one for its own. */
export function takenOf(programs: readonly RpProgram[], { chip, cpu }: BoardInfo): readonly RpProgram[] {
  const fits = programs.filter(({ chips }) => chips.length === 0 || chips.includes(chip));
  const own = fits.filter((program) => program.cpu === null || program.cpu === (cpu ?? 'arm'));
  return own.length > 0 ? own : fits.length > 0 ? fits : programs;
}

/** Returns true for a program that no partition takes: it goes to the addresses of its file. */
const isAbsolute = ({ familyId }: RpProgram): boolean => familyId === null || familyId === rpFamily.absolute;

/** Partition table of the board before the write; `none` as well if it is erased with everything else. */
const tableBefore = ({ partitions = null, chip, link }: BoardInfo, eraseAll: boolean): BoardTable =>
  eraseAll && chip === 'RP2350' && link === 'usb' ? 'none' : partitions;

type BoardTable = RpBoardFacts['partitionTable'];

/** Result of placing the programs of a plan. */
export interface Placement {
  /** Partitions after the write; null without any, and if they were not read. */
  readonly partitions: RpPartitions | null;
  /** Returns the facts with which a program is placed. What goes to addresses is judged by the table before the write. */
  readonly factsFor: (program: RpProgram) => RpBoardFacts;
  /**
   * File system that the files state; null if none does, and for a program that is moved into a partition: the addresses
   * that it states are not those of the flash. CircuitPython states only its least size: it takes all.
   */
  readonly storage: RpFlashUser | null;
  /** True: a program keeps files at a place that counts from the start of its partition. */
  readonly isInPartition: boolean;
}

export function placementOf(files: readonly RpPlanFile[], info: BoardInfo, eraseAll: boolean): Placement {
  const { chip, flashSize, cpu, users } = info;
  const facts = { chip, flashSize, cpu, users };
  const table = tableAfter(files, info, eraseAll);
  const before = { ...facts, partitionTable: tableBefore(info, eraseAll) };
  const after = { ...facts, partitionTable: table };
  const factsFor = (program: RpProgram) => (isAbsolute(program) ? before : after);
  const stated = files.flatMap(({ firmware, storages = [] }) => {
    const programs = placedPrograms(firmware);
    const taken = takenOf(programs, info);
    return programs.flatMap((program, index) => {
      const storage = storages[index] ?? null;
      return storage === null || !taken.includes(program)
        ? []
        : [{ storage, isInPartition: goesIntoPartition(program, factsFor(program)) }];
    });
  });
  const storage = stated.find((one) => !one.isInPartition)?.storage ?? null;
  return {
    partitions: table === 'none' ? null : table,
    factsFor,
    storage:
      storage?.system === 'circuitpython' && flashSize !== null
        ? { ...storage, size: Math.max(storage.size, flashSize - storage.offset) }
        : storage,
    isInPartition: stated.some((one) => one.isInPartition),
  };
}

/**
 * Returns the table by which programs are placed: the one that a file of the plan brings, or that of the board. `none` also if a
 * program is written over the table.
 */
function tableAfter(files: readonly RpPlanFile[], info: BoardInfo, eraseAll: boolean): BoardTable {
  const before = tableBefore(info, eraseAll);
  if (info.chip !== 'RP2350' || info.link !== 'usb') {
    return before;
  }
  const taken = files.flatMap(({ firmware }) => takenOf(placedPrograms(firmware), info));
  const segments = taken.filter(isAbsolute).flatMap(({ flash }): readonly MemorySegment[] => flash);
  const memory = new ProgramMemory(segments.toSorted((one, other) => one.address - other.address));
  const flash = { base: flashStart, size: info.flashSize ?? addressableFlash };
  const { hasLoop, table } = searchWindow(memory, flash, { cpu: info.cpu ?? 'arm', takesTables: true });
  if (!hasLoop) {
    return before;
  }
  const brought = table === null || table.fault !== null ? null : table.contents.partitionTable;
  return brought === null
    ? 'none'
    : { partitions: brought.partitions, unpartitioned: brought.unpartitioned, isNew: true };
}
