/** What the main card says about a flash in each of its phases. Derived from the state, in words for people. */
import type { RegionOutcome, WritePhase } from '@wirebench/flasher';
import type { ListedFile } from '../files/write-list.ts';
import type { ComparedRegion } from '../flash-protocol.ts';
import type { MapArea, MapRegion } from '../map-segments.ts';
import { hexAddress } from '../quantities.ts';
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
    return 'Reading what is to be kept';
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
    : `${phaseText[progress.phase]} ${next.file}${placed ? ` at ${hexAddress(next.offset)}` : ''}`;
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

/** The files as boxes of the memory map. */
export function mapRegions(list: readonly ListedFile[], flash: FlashState): MapRegion[] {
  return list.flatMap((file): MapRegion[] => {
    const boxes = file.ranges.map(({ offset, length }) => ({ label: file.name, start: offset, end: offset + length }));
    const progress = fileProgress(file.name, flash);
    const atWork = flash.phase === 'writing' || flash.phase === 'restarting' || flash.report !== null;
    if (progress === null || !(atWork || flash.regions.length > 0)) {
      const own = flash.plan?.regions.filter((region) => region.file === file.name) ?? [];
      const unchanged = own.length > 0 && own.every(({ same }) => same === true);
      return boxes.map((box) => ({ ...box, state: unchanged ? 'unchanged' : 'planned', done: 0 }));
    }
    return boxes.map((box) => ({ ...box, state: mapState[progress.state], done: progress.done }));
  });
}

const mapState = {
  waiting: 'waiting',
  writing: 'writing',
  verified: 'verified',
  unverified: 'verified',
  same: 'unchanged',
} as const satisfies Record<FileProgress['state'], MapRegion['state']>;

/** What no file covers: the plan knows best, else the board. */
export function mapAreas({ plan, board }: FlashState): MapArea[] {
  if (plan !== null) {
    return plan.map.flatMap(({ name, offset, length, fate }) =>
      fate === 'written' ? [] : [{ label: name, start: offset, end: offset + length, fate }],
    );
  }
  return (board?.areas ?? []).map(({ name, offset, length }) => ({
    label: name,
    start: offset,
    end: offset + length,
    fate: 'kept' as const,
  }));
}
