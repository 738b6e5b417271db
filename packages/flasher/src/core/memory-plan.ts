/**
 * Plans and writes of families whose bootloader writes to addresses: regions of files, overlaps, the guard of a release,
 * data that shares an erase unit with a region, the map, and carrying out. Each family adds its own checks.
 */
import { isDemoFirmware } from '../images/demo-mark.ts';
import type { WriteEvent, WriteStage } from './board.ts';
import { addressText } from './bytes.ts';
import type { FindingDetail } from './findings.ts';
import { commonFailureText, FlashError } from './flash-failure.ts';
import type { FlashPlan, MapArea, NamedRange, PlannedRegion } from './flash-plan.ts';
import { endOf, overlapOf, rangeOf, without } from './ranges.ts';
import type { FlashRange, FlashRegion } from './region.ts';
import { type UnrestoredFlash, writeWithUnrestored } from './unrestored.ts';

/** A file, or one memory of it. */
export interface MemoryPart {
  readonly name: string;
  readonly segments: readonly { readonly address: number; readonly bytes: Uint8Array }[];
}

/** Returns the regions in the order of addresses, without empty ones. */
export function regionsOf(parts: readonly MemoryPart[]): PlannedRegion[] {
  return parts
    .flatMap(({ name, segments }) => segments.map(({ address, bytes }) => ({ file: name, offset: address, bytes })))
    .filter(({ bytes }) => bytes.length > 0)
    .toSorted((one, other) => one.offset - other.offset);
}

/** A range of a file's bytes. */
export interface Stretch extends FlashRange {
  readonly file: string;
}

export const stretchOf = ({ file, ...region }: PlannedRegion): Stretch => ({ file, ...rangeOf(region) });

/** Findings of a family, which has this code among its own. */
interface RefusesWith<Code extends string> {
  refuse(code: Code, detail: FindingDetail): void;
}

/** @param stretches In the order of addresses. */
export function checkOverlaps(stretches: readonly Stretch[], findings: RefusesWith<'overlap'>): void {
  let furthest: Stretch | undefined;
  for (const stretch of stretches) {
    if (furthest !== undefined && overlapOf(furthest, stretch) !== null) {
      const files = [...new Set([furthest.file, stretch.file])];
      findings.refuse('overlap', { files, at: addressText(stretch.offset) });
    }
    if (furthest === undefined || endOf(stretch) > endOf(furthest)) {
      furthest = stretch;
    }
  }
}

interface GuardedWrite {
  readonly parts: readonly MemoryPart[];
  /** Requirements of the release. Null accepts any model. */
  readonly guard: { readonly model: string | null; readonly isDemo: boolean };
  /** The board: model as in releases, null if unknown, and its name for people. */
  readonly board: { readonly model: string | null; readonly name: string; readonly isDemo: boolean };
  /** Returns the vendor's spelling of a model. */
  readonly modelName: (model: string) => string;
}

/** Refuses demo firmware on real boards, and boards of another model than the release is for. */
export function checkGuard(
  { parts, guard, board, modelName }: GuardedWrite,
  findings: RefusesWith<'demo-firmware' | 'guard-model'>,
): void {
  const demo = parts.filter(({ segments }) => guard.isDemo || segments.some(({ bytes }) => isDemoFirmware(bytes)));
  if (!board.isDemo && demo.length > 0) {
    findings.refuse('demo-firmware', { files: demo.map(({ name }) => name) });
  }
  if (guard.model !== null && board.model !== null && guard.model !== board.model) {
    findings.refuse('guard-model', { wanted: modelName(guard.model), found: board.name });
  }
}

/**
 * Returns the data that is erased with the regions, and has to be read before and written back.
 *
 * @param erased Ranges that are erased for the regions.
 * @param nameOf Names the place of a range, within the range that is erased.
 */
export function restoredIn(
  erased: readonly FlashRange[],
  regions: readonly FlashRange[],
  nameOf: (range: FlashRange, within: FlashRange) => string,
): NamedRange[] {
  return erased.flatMap((within) =>
    without(within, regions).map((range) => ({ ...range, name: nameOf(range, within) })),
  );
}

interface MappedMemory extends Pick<FlashPlan<string, string>, 'regions' | 'restore' | 'eraseAll'> {
  /** The whole flash in ranges, in the order of addresses. */
  readonly memory: readonly FlashRange[];
  /** Areas that are never written; none by default. */
  readonly fixed?: readonly NamedRange[];
  /** Areas with contents of a name, which a write may take; none by default. */
  readonly named?: readonly NamedRange[];
}

/** Maps the memory: each area with its fate. Equal neighbours are joined. */
export function memoryMap({ memory, fixed = [], named = [], regions, restore, eraseAll }: MappedMemory): MapArea[] {
  const areas: MapArea[] = [];
  const add = (area: MapArea) => {
    const last = areas.at(-1);
    const isEqual = last?.file === area.file && last.fate === area.fate && last.name === area.name;
    if (isEqual && endOf(last) === area.offset) {
      areas[areas.length - 1] = { ...last, length: last.length + area.length };
    } else {
      areas.push(area);
    }
  };
  for (const range of memory) {
    const inside = (other: FlashRange) => overlapOf(range, other) ?? [];
    const unnamed = { name: null, file: null };
    const known = [
      ...regions.flatMap((region) => {
        const part = overlapOf(range, rangeOf(region));
        return part === null ? [] : [{ ...part, name: null, fate: 'written' as const, file: region.file }];
      }),
      ...fixed.flatMap((area) => {
        const part = overlapOf(range, area);
        return part === null ? [] : [{ ...part, name: area.name, fate: 'kept' as const, file: null }];
      }),
      ...restore.flatMap(inside).map((part) => ({ ...part, ...unnamed, fate: 'restored' as const })),
    ];
    const fate = eraseAll ? ('erased' as const) : ('kept' as const);
    const rest = without(range, known).map((part) => ({ ...part, ...unnamed, fate }));
    const all = [...known, ...rest].flatMap((area) => withNames(area, named));
    all.toSorted((one, other) => one.offset - other.offset).forEach(add);
  }
  return areas;
}

/** Splits an area at the borders of the named ranges that it reaches into. */
function withNames(area: MapArea, named: readonly NamedRange[]): MapArea[] {
  const inside = named.flatMap(({ name, ...range }) => {
    const part = overlapOf(area, range);
    return part === null ? [] : [{ ...area, ...part, name }];
  });
  return [...inside, ...without(area, inside).map((part) => ({ ...area, ...part }))];
}

/** A plan, and the board that it is carried out at. */
export interface MemoryCarryOut<Report> {
  readonly board: {
    /** Erases all that a write may change. */
    erase(ranges: null, options: { readonly signal: AbortSignal }): Promise<void>;
    write(
      regions: readonly FlashRegion[],
      options: Pick<MemoryCarryOut<Report>, 'signal' | 'onEvent'> & Pick<MemoryCarryOut<Report>['plan'], 'eeprom'>,
    ): Promise<Report>;
  };
  readonly plan: Pick<FlashPlan<string, string>, 'refusals' | 'regions' | 'eraseAll'> & {
    /** Contents of EEPROM, which are written after the flash. Missing: the chip has none. */
    readonly eeprom?: readonly FlashRegion[];
  };
  /** Data of this board that shared an erase unit with a failed write and is not written back yet. */
  readonly unrestored: UnrestoredFlash;
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

/**
 * Erases everything if the plan wants that, then writes and verifies. Safe to repeat after a failure.
 *
 * @throws FlashError. `unrestored` then contains data that must not be lost.
 */
export async function carryOutMemory<Report>(parts: MemoryCarryOut<Report>): Promise<Report> {
  const { board, plan, unrestored, signal, onStage, onEvent } = parts;
  if (plan.refusals.length > 0) {
    throw new FlashError('write-failed', commonFailureText['write-failed'], { detail: 'The plan was refused.' });
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.erase(null, { signal });
  }
  onStage('writing');
  return writeWithUnrestored({
    unrestored,
    regions: plan.regions,
    eraseAll: plan.eraseAll,
    write: (regions) => board.write(regions, { signal, onEvent, ...(plan.eeprom && { eeprom: plan.eeprom }) }),
    leftBy: (error) => (error instanceof FlashError ? error.unrestored : []),
  });
}
