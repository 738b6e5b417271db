/** Answers "Will this image start here?" for the regions of a plan, in the terms of all families. */
import type { WarningFinding } from '../../core/flash-plan.ts';
import { type FlashRegion, sectorSize } from '../../core/region.ts';
import type { PlanFacts } from '../../family-values.ts';
import { readBlockLoop } from '../files/block-loop.ts';
import { flashStart, type RpCpu, type RpPartitions } from '../files/index.ts';
import { ProgramMemory } from '../files/program-memory.ts';
import type { RpPartition } from '../files/rp-firmware.ts';
import { judgeStart } from '../files/start-verdict.ts';
import type { RpInfo } from '../rp-board.ts';

interface BoardTable extends RpPartitions {
  /** Bytes from the start of flash, with the table. */
  readonly head: Uint8Array;
}

type StartAnswer = NonNullable<PlanFacts['start']>;

/**
 * Judges what a write leaves for the boot ROM to start. Null for data that goes elsewhere, because the program on the board is
 * not known.
 *
 * @param regions In the order of addresses.
 * @param table Partition table of the board, which decides unless a region replaces it.
 */
export async function answerStart(
  regions: readonly FlashRegion[],
  { chip, cpu, flashSize, secureBoot }: Pick<RpInfo, 'chip' | 'cpu' | 'flashSize' | 'secureBoot'>,
  table: BoardTable | null = null,
): Promise<StartAnswer | null> {
  const written = regions.map(({ offset, bytes }) => ({ address: offset, bytes }));
  const first = regions[0]?.offset ?? flashStart;
  const isInTable = table !== null && first >= flashStart + sectorSize;
  if (isInTable) {
    const unread = unreadProgram(regions, table, cpu ?? 'arm');
    if (unread !== null) {
      return unread === 'other-data' ? null : { result: 'unknown', why: unread, checks: [] };
    }
  } else if (regions.length === 0 || first !== flashStart) {
    return null;
  }
  const segments = isInTable
    ? [{ address: flashStart, bytes: table.head.subarray(0, first - flashStart) }, ...written]
    : written;
  const { starts, place, text, steps, reason } = await judgeStart(segments, {
    chip,
    flashSize,
    ...(cpu !== null && { cpu }),
    isSecure: secureBoot === true,
  });
  if (isInTable && place?.kind !== 'partition' && reason !== 'table-hash') {
    // Other partitions may have programs. This one does not start.
    const own = reason === 'no-bootable-partition' ? steps.at(-1) : undefined;
    return own === undefined
      ? {
          result: 'unknown',
          why: 'More than the partition table decides at the start of flash, and it was not read.',
          checks: [],
        }
      : { result: 'no', why: own, checks: [] };
  }
  const result = starts === null ? 'unknown' : starts ? 'yes' : 'no';
  return {
    result,
    why: text,
    checks: steps.map((step) => ({ result, text: step.replace(/\.$/, ''), fact: reason })),
  };
}

/**
 * Says which program of the board decides as well, and was not read. Null: what is written decides.
 * `other-data`: no program is written to a partition.
 */
function unreadProgram(
  regions: readonly FlashRegion[],
  { partitions }: BoardTable,
  cpu: RpCpu,
): string | 'other-data' | null {
  const isWritten = ({ offset }: RpPartition) => regions.some((region) => region.offset === flashStart + offset);
  const written = partitions.find(isWritten);
  const memory = new ProgramMemory(regions.map(({ offset, bytes }) => ({ address: offset, bytes })));
  if (written === undefined || readBlockLoop(memory, flashStart + written.offset) === null) {
    return 'other-data';
  }
  const slotOf = ({ slot, index }: RpPartition) => (slot.kind === 'b' ? slot.of : index);
  const others = partitions.filter((one) => slotOf(one) === slotOf(written) && !isWritten(one));
  const [other] = others;
  if (other !== undefined) {
    return `Of partitions ${written.index} and ${other.index}, the one with the newer program starts, and what is in partition ${other.index} was not read.`;
  }
  const before = partitions.find(
    (one) => slotOf(one) < slotOf(written) && one.bootable.includes(cpu) && !isWritten(one),
  );
  return before === undefined
    ? null
    : `The boot ROM looks at partition ${before.index} first, and what is in it was not read.`;
}

/** Warns of a program that does not start, unless the plan is refused anyway. */
export function withStart(
  warnings: readonly WarningFinding<string>[],
  start: StartAnswer | null,
  refusals: readonly unknown[],
): readonly WarningFinding<string>[] {
  return start?.result !== 'no' || refusals.length > 0
    ? warnings
    : [
        ...warnings,
        {
          code: 'does-not-start',
          files: [],
          what: start.why,
          remedy: 'The board stays in BOOTSEL, or nothing answers. Choose the firmware of this board.',
        },
      ];
}
