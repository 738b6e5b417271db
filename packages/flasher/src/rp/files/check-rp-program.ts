/** Compares a program with a board before a write: chip, processor, flash, partitions, data that others keep there. */
import { addressText, sizeText } from '../../core/bytes.ts';
import { anotherFirmware, type FindingDetail, type FindingText, quoted } from '../../core/findings.ts';
import { inSectors, overlapOf } from '../../core/ranges.ts';
import { rpFamily } from './rp-families.ts';
import {
  flashStart,
  type RpBoardFacts,
  type RpCpu,
  type RpPartition,
  type RpPartitions,
  type RpProgram,
} from './rp-firmware.ts';

export type RpProgramRefusal =
  | 'other-chip'
  | 'other-image'
  | 'outside-flash'
  | 'does-not-fit'
  | 'mixed-memory'
  | 'not-accepted'
  | 'slot-not-chosen'
  | 'outside-partition';

export type RpProgramWarning = 'other-architecture' | 'touches-files' | 'replaces-table' | 'into-partition';

export type RpProgramFinding =
  | { readonly kind: 'refusal'; readonly code: RpProgramRefusal; readonly detail: FindingDetail }
  | { readonly kind: 'warning'; readonly code: RpProgramWarning; readonly detail: FindingDetail };

/** Sentences of the refusals, for the table of a plan. */
export const rpProgramRefusalText = {
  'other-chip': ({ files, wanted, found }) => ({
    what: `${quoted(files)} was built for ${wanted}. This board has ${found}, which would not start it.`,
    remedy: anotherFirmware,
  }),
  'other-image': ({ files, wanted, found }) => ({
    what: `${quoted(files)} says that it is for ${found}, but the program in it was built for ${wanted}. This board would take it and not start.`,
    remedy: 'Build it again, or get the file for your board from whoever made it.',
  }),
  'outside-flash': ({ files, at }) => ({
    what: `${quoted(files)} contains data for ${at}, which is outside the flash.`,
    remedy: 'Correct the address: flash begins at 0x10000000.',
  }),
  'does-not-fit': ({ files, wanted, found }) => ({
    what: `${quoted(files)} ends at ${wanted}, but the flash ends at ${found}.`,
    remedy: 'Choose firmware for this flash size, or a board with more flash.',
  }),
  'mixed-memory': ({ files }) => ({
    what: `${quoted(files)} holds data for RAM and for flash. The boot ROM takes only one of them.`,
    remedy: 'Build it again: contents of RAM belong into flash, and the program copies them when it starts.',
  }),
  'not-accepted': ({ files, wanted, partitions }) =>
    partitions?.length === 0
      ? {
          what: `${quoted(files)} is of the family ${wanted}, which goes into a partition. This board has no partition table.`,
          remedy: 'Choose firmware of another family, or write a partition table that takes this one first.',
        }
      : {
          what: `No partition of this board takes ${quoted(files)}, which is of the family ${wanted}.`,
          remedy: 'Choose firmware of another family, or write another partition table first.',
        },
  'slot-not-chosen': ({ files, partitions }) => ({
    what: `${quoted(files)} belongs into ${partitions?.join(' or ')}. The boot ROM chooses between the two slots, and it has not read the new partition table yet.`,
    remedy: 'Unplug the board. Hold the BOOTSEL button while you plug it in again. Then connect it.',
  }),
  'outside-partition': ({ files, wanted, found, partitions }) => ({
    what: `${quoted(files)} needs ${wanted}, but ${partitions?.[0]} has only ${found}.`,
    remedy: 'Choose smaller firmware, or write a partition table with more room.',
  }),
} satisfies Record<RpProgramRefusal, FindingText>;

export const rpProgramWarningText = {
  'other-architecture': ({ files, wanted, found }) => ({
    what: `${quoted(files)} says that it is for ${found}, but the program in it is for ${wanted}.`,
    remedy: 'The board may have to change its processor for it. If it does not start, build it again.',
  }),
  'touches-files': ({ files, found, at, lost }) => ({
    what: `${quoted(files)} goes over ${found}, at ${at}.`,
    remedy: 'Save the files first, and put them back afterwards.',
    plain: `${lost ?? 'Files that the old program stored'} are lost.`,
  }),
  'replaces-table': ({ files }) => ({
    what: `${quoted(files)} goes over the partition table of the board.`,
    remedy: 'What is in the partitions stays in flash, but nothing finds it until a table names it again.',
  }),
  'into-partition': ({ files, wanted, at, partitions }) => ({
    what: `${quoted(files)} goes into ${partitions?.[0]}, at ${at}: it takes the family ${wanted}.`,
    remedy: 'The board shows a partition to its program at 0x10000000, so nothing has to be built again.',
  }),
} satisfies Record<RpProgramWarning, FindingText>;

const cpuText: Readonly<Record<RpCpu, string>> = { arm: 'Arm', riscv: 'RISC-V' };

/** @param name Name of the file. */
export function checkRpProgram(name: string, program: RpProgram, board: RpBoardFacts): RpProgramFinding[] {
  const { chips, cpu, image, flash, ram } = program;
  const findings: RpProgramFinding[] = [];
  const files = [name];
  const refuse = (code: RpProgramRefusal, detail: FindingDetail = {}) => {
    findings.push({ kind: 'refusal', code, detail: { files, ...detail } });
  };
  const warn = (code: RpProgramWarning, detail: FindingDetail = {}) => {
    findings.push({ kind: 'warning', code, detail: { files, ...detail } });
  };
  if (chips.length > 0 && !chips.includes(board.chip)) {
    refuse('other-chip', { wanted: chips.join(' or '), found: board.chip });
  } else if (image !== null && image.chip !== board.chip) {
    refuse(chips.length === 0 ? 'other-chip' : 'other-image', { wanted: image.chip, found: board.chip });
  } else if (image !== null && cpu !== null && image.cpu !== cpu) {
    warn('other-architecture', { wanted: cpuText[image.cpu], found: cpuText[cpu] });
  }
  if (flash.length > 0 && ram.length > 0) {
    refuse('mixed-memory');
  }
  const end = flashStart + (board.flashSize ?? largestFlash[board.chip]);
  const outside = flash.find(({ address }) => address < flashStart || address >= flashStart + largestFlash[board.chip]);
  const last = flash.reduce((most, { address, bytes }) => Math.max(most, address + bytes.length), 0);
  if (outside !== undefined) {
    refuse('outside-flash', { at: addressText(outside.address) });
  } else if (last > end) {
    refuse('does-not-fit', { wanted: addressText(last), found: addressText(end) });
  }
  checkPlace(program, board, { refuse, warn });
  return findings;
}

/** Flash that the chips address, in bytes (RP2040 datasheet 2.6.3, RP2350 datasheet 4.4). */
const largestFlash: Readonly<Record<RpBoardFacts['chip'], number>> = { RP2040: 0x100_0000, RP2350: 0x200_0000 };

interface Reporter {
  readonly refuse: (code: RpProgramRefusal, detail?: FindingDetail) => void;
  readonly warn: (code: RpProgramWarning, detail?: FindingDetail) => void;
}

/** Returns the partition of a board for a program; see `partitionFor`. */
function targetOf({ familyId }: RpProgram, { partitionTable, cpu }: RpBoardFacts) {
  return partitionTable === null ? 'anywhere' : partitionFor(familyId, partitionTable, cpu ?? 'arm');
}

export function goesIntoPartition(program: RpProgram, board: RpBoardFacts): boolean {
  const target = targetOf(program, board);
  return target !== null && target !== 'anywhere';
}

/** Returns the bytes by which the addresses of a program move with the partition into which it is written. */
export function shiftOf(program: RpProgram, board: RpBoardFacts): number {
  const target = targetOf(program, board);
  return target === null || target === 'anywhere' ? 0 : target.offset;
}

/** Checks partitions and data of others. Addresses of a program move with the partition into which it is written. */
function checkPlace(program: RpProgram, board: RpBoardFacts, { refuse, warn }: Reporter): void {
  const { family, flash } = program;
  if (flash.length === 0) {
    return;
  }
  const target = targetOf(program, board);
  if (target === null) {
    refuse('not-accepted', {
      wanted: family ?? 'no chip',
      ...(board.partitionTable === 'none' && { partitions: [] }),
    });
    return;
  }
  const table = board.partitionTable === 'none' ? null : board.partitionTable;
  const other = target === 'anywhere' ? null : otherSlotOf(target, table);
  if (target !== 'anywhere' && other !== null && table?.isNew === true) {
    refuse('slot-not-chosen', { partitions: [target, other].map(partitionText) });
    return;
  }
  const ranges = flash.map(({ address, bytes }) => ({ offset: address - flashStart, length: bytes.length }));
  const shift = target === 'anywhere' ? 0 : target.offset;
  if (target !== 'anywhere') {
    const needed = ranges.reduce((most, { offset, length }) => Math.max(most, offset + length), 0);
    if (needed > target.size) {
      const room = sizeText(Math.max(0, target.size));
      refuse('outside-partition', { wanted: sizeText(needed), found: room, partitions: [partitionText(target)] });
    } else {
      const at = addressText(flashStart + target.offset);
      warn('into-partition', { wanted: family ?? 'no chip', at, partitions: [partitionText(target)] });
    }
  } else if (table !== null && ranges.some(({ offset }) => offset < tableEnd)) {
    warn('replaces-table');
  }
  for (const { name, offset, size } of board.users) {
    const user = { offset, length: size };
    const isTouched = ranges.some(
      (range) => overlapOf(inSectors({ ...range, offset: range.offset + shift }), user) !== null,
    );
    if (isTouched) {
      const lost = `Files that the old program stored, ${sizeText(size)},`;
      warn('touches-files', { found: `${name}, ${sizeText(size)}`, at: addressText(flashStart + offset), lost });
    }
  }
}

/** Returns the B slot of a partition; null if it stands alone. */
const otherSlotOf = ({ index }: RpPartition, table: RpPartitions | null): RpPartition | null =>
  table?.partitions.find(({ slot }) => slot.kind === 'b' && slot.of === index) ?? null;

/** A partition table is in the first or the second sector of flash. */
export const tableEnd = 0x2000;

const partitionText = ({ index, name }: RpPartition) =>
  name === '' ? `partition ${index}` : `partition ${index} ("${name}")`;

/** Families that the boot ROM of an RP2350 takes without a partition table (RP2350 datasheet 5.5.3). */
export const plainFamilies: readonly number[] = [rpFamily.absolute, rpFamily.data, rpFamily.armSecure, rpFamily.riscv];

/**
 * Finds the partition into which the boot ROM of an RP2350 writes a UF2 file, in its own order: bootable by the running
 * processor, bootable by the other one, without an owner, any (published source of the boot ROM, `varm_nsboot.c`). Which of an
 * A and a B slot is written depends on the programs in them: A, unless the boot ROM has reported its choice.
 *
 * @param table `none` for a board without one.
 * @returns `anywhere` for a family that goes to addresses of the whole flash; null for one that no partition takes.
 */
export function partitionFor(
  familyId: number | null,
  table: RpPartitions | 'none',
  cpu: RpCpu,
): RpPartition | 'anywhere' | null {
  if (familyId === null) {
    return 'anywhere';
  }
  if (table === 'none') {
    return plainFamilies.includes(familyId) ? 'anywhere' : null;
  }
  const { partitions, unpartitioned, targets = [] } = table;
  if (familyId === rpFamily.absolute || partitions.length === 0) {
    return unpartitioned.families.includes(familyId) ? 'anywhere' : null;
  }
  const chosen = targets.find((target) => target.familyId === familyId);
  if (chosen !== undefined) {
    return partitions.find(({ index }) => index === chosen.index) ?? null;
  }
  const taking = partitions.filter(
    ({ slot, families, permissions }) =>
      slot.kind === 'a' && families.includes(familyId) && permissions.bootloader.includes('w'),
  );
  const unowned = taking.filter(({ owner }) => owner === null);
  const otherCpu: RpCpu = cpu === 'arm' ? 'riscv' : 'arm';
  return (
    unowned.find(({ bootable }) => bootable.includes(cpu)) ??
    unowned.find(({ bootable }) => bootable.includes(otherCpu)) ??
    unowned[0] ??
    taking[0] ??
    null
  );
}
