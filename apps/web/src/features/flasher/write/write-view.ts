/** Derives from the state of a flash what the main card shows in each phase: texts, progress and boxes. */
import { familyTraits } from '@wirebench/boards';
import {
  type BoardChange,
  changedRegions,
  type FlashRange,
  type RegionOutcome,
  type WritePhase,
} from '@wirebench/flasher/core';
import type { ComparedRegion, PlanFacts } from '../../../protocol/flash-protocol.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { MapArea, MapRegion } from '../../../workbench/map-segments.ts';
import { placeText } from '../files/offset-text.ts';
import type { ListedFile } from '../files/write-list.ts';
import type { AddressRule } from '../page-family.ts';
import type { FlashState } from '../state/flash-state.ts';

const phaseText = {
  comparing: 'Comparing with the board',
  writing: 'Writing',
  verifying: 'Verifying',
} satisfies Record<WritePhase, string>;

/**
 * Names the current work: `Writing app.bin at 0x10000`.
 * @param rule Rule by which the address is named. Missing: addresses are those of flash.
 */
export function nowText(flash: FlashState, rule?: AddressRule): string {
  const { stage, progress } = flash;
  if (stage === 'saving') {
    return 'Reading the data to keep';
  }
  if (stage === 'erasing') {
    return 'Erasing';
  }
  if (progress === null) {
    return 'Starting';
  }
  const next =
    progress.phase === 'comparing' ? undefined : regionsDone(flash).find(({ done, length }) => done < length);
  return next === undefined
    ? phaseText[progress.phase]
    : `${phaseText[progress.phase]} ${next.file}${rule?.hidden ? '' : ` at ${rule === undefined ? addressText(next.offset) : placeText(next.offset, rule)}`}`;
}

interface RegionDone extends ComparedRegion {
  /** In bytes. */
  readonly done: number;
  readonly outcome: RegionOutcome | null;
}

/**
 * Returns the progress of each region. The board takes regions in order, so bytes under way belong to the first
 * regions that are not settled.
 */
function regionsDone({ phase, plan, regions, progress }: FlashState): RegionDone[] {
  const settled = new Map(regions.map((region) => [region.offset, region.outcome]));
  const settledBytes = regions.reduce((sum, { length }) => sum + length, 0);
  const moving = phase === 'writing' && progress !== null && progress.phase !== 'comparing';
  let underWay = moving ? Math.max(0, progress.done - settledBytes) : 0;
  return (plan?.regions ?? []).map((region) => {
    const outcome = settled.get(region.offset) ?? null;
    const done = outcome === null ? Math.min(region.length, underWay) : region.length;
    underWay -= outcome === null ? done : 0;
    return { ...region, done, outcome };
  });
}

export interface FileProgress {
  /** Fraction of its bytes that is written or was already there, 0 to 1. */
  readonly done: number;
  readonly state: 'waiting' | 'writing' | 'verified' | 'unverified' | 'same';
}

/** Returns the progress of one file, from the results of its regions. Null while no plan contains the file. */
export function fileProgress(name: string, flash: FlashState): FileProgress | null {
  const own = regionsDone(flash).filter(({ file }) => file === name);
  if (own.length === 0) {
    return null;
  }
  const total = own.reduce((sum, { length }) => sum + length, 0);
  const done = own.reduce((sum, region) => sum + region.done, 0) / total;
  const outcomes = own.map(({ outcome }) => outcome);
  if (outcomes.includes(null)) {
    return { done, state: flash.phase === 'writing' && done > 0 ? 'writing' : 'waiting' };
  }
  const state = outcomes.every((outcome) => outcome === 'same')
    ? 'same'
    : outcomes.includes('unverified')
      ? 'unverified'
      : 'verified';
  return { done: 1, state };
}

/**
 * Returns the files as boxes of the memory map. Results of an interrupted write stay visible until the rest is
 * written.
 * @param unfit Ids of the files that were built for another chip.
 */
export function mapRegions(list: readonly ListedFile[], flash: FlashState, unfit: readonly number[] = []): MapRegion[] {
  const atWork = flash.phase === 'writing' || flash.phase === 'restarting' || flash.report !== null;
  const stopped = (flash.phase === 'failed' || flash.phase === 'cancelled') && flash.regions.length > 0;
  return list.flatMap((file): MapRegion[] => {
    const boxes = file.ranges
      .flatMap((range) => withoutSpared(range, flash))
      .map(({ offset, length }) => ({ label: file.name, start: offset, end: offset + length }));
    if (unfit.includes(file.id)) {
      return boxes.map((box) => ({ ...box, state: 'unfit', done: 0 }));
    }
    const progress = atWork || stopped ? fileProgress(file.name, flash) : null;
    if (progress === null) {
      return boxes.map((box) => ({ ...box, ...beforeWrite(box, file.name, flash) }));
    }
    return boxes.map((box) => ({ ...box, state: mapState[progress.state], done: progress.done }));
  });
}

/** Returns the parts of a file's range that the plan does not spare: stored settings stay in the gap of a merged image. */
function withoutSpared(range: FlashRange, { plan }: FlashState): FlashRange[] {
  const spared = (plan?.map ?? []).filter(({ fate }) => fate === 'kept' || fate === 'restored');
  const left = spared.reduce<FlashRange[]>(
    (parts, { offset, length }) =>
      parts.flatMap((part) => {
        const [end, areaEnd] = [part.offset + part.length, offset + length];
        return [
          { offset: part.offset, length: Math.min(end, offset) - part.offset },
          { offset: Math.max(part.offset, areaEnd), length: end - Math.max(part.offset, areaEnd) },
        ].filter((one) => one.length > 0);
      }),
    [range],
  );
  return left.length === 0 ? [range] : left;
}

/** State of each outcome on the map. */
const outcomeState = {
  verified: 'verified',
  same: 'unchanged',
  unverified: 'written',
} as const satisfies Record<RegionOutcome, MapRegion['state']>;

/**
 * Returns what the planned changes write as boxes, such as pages of NVS or a restored backup: from the plan if there is
 * one, else from the changes. Sectors that only are erased are areas of the map.
 *
 * @param files Names of the files, whose regions have boxes of their own.
 */
export function changedBoxes(
  flash: FlashState,
  files: readonly string[],
  changes: readonly BoardChange[],
): MapRegion[] {
  const { plan, phase, report } = flash;
  const boxes: MapRegion[] = [];
  const add = (box: MapRegion) => {
    const last = boxes.at(-1);
    if (last?.end === box.start && last.label === box.label && last.state === box.state) {
      const [size, more] = [last.end - last.start, box.end - box.start];
      const done = (last.done * size + box.done * more) / (size + more);
      boxes[boxes.length - 1] = { ...last, end: box.end, done };
    } else {
      boxes.push(box);
    }
  };
  if (plan === null) {
    for (const { name, regions } of changes.map((change) => ({ name: change.name, regions: changedRegions(change) }))) {
      for (const { offset, length } of regions.filter(({ bytes }) => bytes !== null)) {
        add({ label: name, start: offset, end: offset + length, state: 'planned', done: 0 });
      }
    }
    return boxes;
  }
  const atWork = phase === 'writing' || phase === 'restarting' || report !== null;
  const isErased = (at: number) =>
    plan.map.some(({ offset, length, fate }) => fate === 'erased' && offset <= at && at < offset + length);
  for (const { file, offset, length, same, done, outcome } of regionsDone(flash)) {
    if (files.includes(file) || (isErased(offset) && same !== true)) {
      continue;
    }
    const before = same === true ? 'unchanged' : atWork ? (done > 0 ? 'writing' : 'waiting') : 'planned';
    const state = outcome === null ? before : outcomeState[outcome];
    // A stretch over several areas, as a restored backup of all flash, is named by them.
    for (const { label, start, end } of areasIn({ offset, length }, plan.map, file)) {
      add({ label, start, end, state, done: state === 'unchanged' ? 0 : done / length });
    }
  }
  return boxes;
}

/** Splits a range at the borders of named areas, if the change that writes it reaches over several of them. */
function areasIn(
  { offset, length }: FlashRange,
  map: PlanFacts['map'],
  name: string,
): { readonly label: string; readonly start: number; readonly end: number }[] {
  const end = offset + length;
  if (map.some((area) => area.name === name)) {
    return [{ label: name, start: offset, end }];
  }
  const inside = map.filter((area) => area.offset < end && offset < area.offset + area.length);
  return inside.some((area) => area.name !== null)
    ? inside.map((area) => ({
        label: area.name ?? 'no area',
        start: Math.max(offset, area.offset),
        end: Math.min(end, area.offset + area.length),
      }))
    : [{ label: name, start: offset, end }];
}

/**
 * Returns how much of a box is already on the board: from the plan if there is one, else from the results before the
 * board was lost.
 */
function beforeWrite(
  { start, end }: { readonly start: number; readonly end: number },
  name: string,
  { plan, regions }: FlashState,
): Pick<MapRegion, 'state' | 'done'> {
  const settled = new Set(regions.map(({ offset }) => offset));
  const planned = plan?.regions.filter((region) => region.file === name);
  const there = (planned ?? regions).filter(
    (region) => !('same' in region) || (region.same ?? settled.has(region.offset)),
  );
  const bytes = there.reduce(
    (sum, { offset, length }) => sum + Math.max(0, Math.min(end, offset + length) - Math.max(start, offset)),
    0,
  );
  const done = Math.min(1, bytes / (end - start));
  const all = done === 1 || (planned !== undefined && planned.length > 0 && there.length === planned.length);
  return all ? { state: 'unchanged', done: 0 } : { state: 'planned', done };
}

const mapState = {
  waiting: 'waiting',
  writing: 'writing',
  verified: 'verified',
  unverified: 'written',
  same: 'unchanged',
} as const satisfies Record<FileProgress['state'], MapRegion['state']>;

/**
 * Returns the areas of the map: stretches that no file covers, and names for those that files cover. They come from
 * the plan, else from the board and the changes.
 *
 * @param written True: flash was written since the board's facts were read, so a partition table may be another one.
 */
export function mapAreas(
  { plan, board }: FlashState,
  changes: readonly BoardChange[] = [],
  written = false,
): MapArea[] {
  if (plan !== null) {
    return plan.map.map(({ name, offset, length, fate }) => {
      const end = offset + length;
      const isTaken = plan.saved?.some(({ area }) => area === name) === true;
      const own = fate === 'kept' && isTaken ? 'left' : fate;
      return { label: name, start: offset, end, fate: own === 'written' ? restOfSector(plan, offset, end) : own };
    });
  }
  // The write may have replaced the partition table.
  const isOutdated = written && board !== null && familyTraits[board.family].hasPartitions;
  const named = (isOutdated ? [] : (board?.areas ?? [])).map(({ name, offset, length }) => ({
    label: name,
    start: offset,
    end: offset + length,
    fate: 'kept' as const,
  }));
  const erased = changes.flatMap((change) =>
    changedRegions(change).flatMap(({ offset, length, bytes }) =>
      bytes === null ? [{ label: change.name, start: offset, end: offset + length, fate: 'erased' as const }] : [],
    ),
  );
  // The first area that covers an address decides.
  return [...erased, ...named];
}

/**
 * Returns the fate of the last sector behind the end of a file. Whole sectors are erased, unless nothing is written
 * there.
 */
function restOfSector({ regions }: PlanFacts, start: number, end: number): MapArea['fate'] {
  const own = regions.filter(({ offset, length }) => offset < end && start < offset + length);
  return own.every(({ same }) => same === true) ? 'kept' : 'erased';
}
