/** What the main card says about a flash in each of its phases. Derived from the state, in words for people. */
import type { RegionOutcome, WritePhase } from '@wirebench/flasher/core';
import { addressText } from '../../../shared/format/hex.ts';
import type { ListedFile } from '../files/write-list.ts';
import type { ComparedRegion, PlanFacts } from '../flash-protocol.ts';
import type { MapArea, MapRegion } from '../map-segments.ts';
import type { FlashState } from '../state/flash-state.ts';

const phaseText = {
  comparing: 'Comparing with the board',
  writing: 'Writing',
  verifying: 'Verifying',
} satisfies Record<WritePhase, string>;

/** What goes on now: `Writing app.bin at 0x10000`. @param placed files have addresses */
export function nowText(flash: FlashState, placed = true): string {
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
    : `${phaseText[progress.phase]} ${next.file}${placed ? ` at ${addressText(next.offset)}` : ''}`;
}

interface RegionDone extends ComparedRegion {
  /** Bytes. */
  readonly done: number;
  readonly outcome: RegionOutcome | null;
}

/** How far each region is: what is settled, and what is on its way, which the board takes in order. */
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
  /** Part of its bytes that is written or was there, 0 to 1. */
  readonly done: number;
  readonly state: 'waiting' | 'writing' | 'verified' | 'unverified' | 'same';
}

/** How far one file is, from what became of its regions. Null while no plan knows it. */
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

/** The files as boxes of the memory map. What an interrupted write has left on the board stays drawn until it is written again. */
export function mapRegions(list: readonly ListedFile[], flash: FlashState): MapRegion[] {
  const atWork = flash.phase === 'writing' || flash.phase === 'restarting' || flash.report !== null;
  const stopped = (flash.phase === 'failed' || flash.phase === 'cancelled') && flash.regions.length > 0;
  return list.flatMap((file): MapRegion[] => {
    const boxes = file.ranges.map(({ offset, length }) => ({ label: file.name, start: offset, end: offset + length }));
    const progress = atWork || stopped ? fileProgress(file.name, flash) : null;
    if (progress === null) {
      return boxes.map((box) => ({ ...box, ...beforeWrite(box, file.name, flash) }));
    }
    return boxes.map((box) => ({ ...box, state: mapState[progress.state], done: progress.done }));
  });
}

/** How much of a box is on the board already: the plan knows best, else what was settled before the board went. */
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

/** What no file covers, and what the stretches are called that files cover: the plan knows best, else the board. */
export function mapAreas({ plan, board }: FlashState): MapArea[] {
  if (plan !== null) {
    return plan.map.map(({ name, offset, length, fate }) => {
      const end = offset + length;
      return { label: name, start: offset, end, fate: fate === 'written' ? restOfSector(plan, offset, end) : fate };
    });
  }
  return (board?.areas ?? []).map(({ name, offset, length }) => ({
    label: name,
    start: offset,
    end: offset + length,
    fate: 'kept' as const,
  }));
}

/** Whole sectors are erased: behind a file the rest of its last one goes too, unless nothing is written there. */
function restOfSector({ regions }: PlanFacts, start: number, end: number): MapArea['fate'] {
  const own = regions.filter(({ offset, length }) => offset < end && start < offset + length);
  return own.every(({ same }) => same === true) ? 'kept' : 'erased';
}
