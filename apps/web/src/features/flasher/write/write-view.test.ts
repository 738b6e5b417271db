import type { RegionReport } from '@wirebench/flasher/core';
import { describe, expect, it } from 'vitest';
import type { ComparedRegion, PlanFacts } from '../../../protocol/flash-protocol.ts';
import type { ListedFile } from '../files/write-list.ts';
import { type FlashState, initialFlash, type WriteProgress } from '../state/flash-state.ts';
import { testBoard } from '../testing/families.ts';
import { changedBoxes, fileProgress, mapAreas, mapRegions, nowText } from './write-view.ts';

const region = (file: string, offset: number, same = false): ComparedRegion => ({ file, offset, length: 0x1000, same });
const plan: PlanFacts = {
  refusals: [],
  overridden: [],
  warnings: [],
  eraseAll: false,
  map: [],
  regions: [region('boot.bin', 0x1000), region('app.bin', 0x10000), region('app.bin', 0x11000)],
  toWrite: 0x3000,
  same: 0,
  duration: 1_000,
};
const settled = (offset: number, outcome: RegionReport['outcome'] = 'verified'): RegionReport => ({
  offset,
  length: 0x1000,
  outcome,
  proof: { kind: 'md5', value: 'a' },
});
const progress = (done: number, phase: WriteProgress['phase'] = 'writing'): WriteProgress => ({
  type: 'progress',
  phase,
  done,
  total: 0x3000,
  speed: null,
  remaining: null,
});
const writing = (part: Partial<FlashState>): FlashState => ({ ...initialFlash, phase: 'writing', plan, ...part });
const file = (name: string, offset: number, size: number): ListedFile => ({
  id: offset,
  name,
  size,
  what: '',
  why: '',
  offset,
  places: null,
  ranges: [{ offset, length: size }],
  application: null,
  sha256: '',
  typed: { text: '', offset, fault: null },
  end: offset + size,
});

describe('view of a write', () => {
  it('says what is written now', () => {
    expect(nowText(writing({ stage: 'erasing' }))).toBe('Erasing');
    expect(nowText(writing({ progress: progress(0, 'comparing') }))).toBe('Comparing with the board');
    expect(nowText(writing({ progress: progress(0x800) }))).toBe('Writing boot.bin at 0x1000');
    expect(nowText(writing({ progress: progress(0x1800) }))).toBe('Writing app.bin at 0x10000');
    expect(nowText(writing({ progress: progress(0x3000, 'verifying') }))).toBe('Verifying');
  });

  it('gives each file the bytes that are on their way to it', () => {
    const flash = writing({ regions: [settled(0x1000)], progress: progress(0x1800) });
    expect(fileProgress('boot.bin', flash)).toEqual({ done: 1, state: 'verified' });
    expect(fileProgress('app.bin', flash)).toEqual({ done: 0.25, state: 'writing' });
    expect(fileProgress('other.bin', flash)).toBeNull();
  });

  it('distinguishes unchanged, written and unverified regions', () => {
    const of = (...regions: RegionReport[]) => fileProgress('app.bin', writing({ regions }))?.state;
    expect(of(settled(0x10000, 'same'), settled(0x11000, 'same'))).toBe('same');
    expect(of(settled(0x10000, 'same'), settled(0x11000))).toBe('verified');
    expect(of(settled(0x10000), settled(0x11000, 'unverified'))).toBe('unverified');
    expect(of()).toBe('waiting');
  });

  it('keeps written regions on the map after an unplug', () => {
    const failed: FlashState = { ...initialFlash, phase: 'failed', plan, regions: [settled(0x1000)] };
    expect(mapRegions([file('boot.bin', 0x1000, 0x1000), file('app.bin', 0x10000, 0x2000)], failed)).toMatchObject([
      { label: 'boot.bin', state: 'verified', done: 1 },
      { label: 'app.bin', state: 'waiting', done: 0 },
    ]);
  });

  it('keeps what was written before an unplug while the board is connected again', () => {
    const files = [file('app.bin', 0x10000, 0x2000)];
    const back: FlashState = { ...initialFlash, phase: 'connecting', regions: [settled(0x10000)] };
    expect(mapRegions(files, back)).toMatchObject([{ state: 'planned', done: 0.5 }]);
    const compared = { ...plan, regions: [region('app.bin', 0x10000, true), region('app.bin', 0x11000)] };
    expect(mapRegions(files, { ...back, phase: 'planned', plan: compared })).toMatchObject([
      { state: 'planned', done: 0.5 },
    ]);
  });

  it('does not draw unverified regions as verified', () => {
    const flash: FlashState = { ...initialFlash, phase: 'restarting', plan, regions: [settled(0x1000, 'unverified')] };
    expect(mapRegions([file('boot.bin', 0x1000, 0x1000)], flash)).toMatchObject([{ state: 'written' }]);
  });

  it('marks before the write what is there already', () => {
    const there = { ...plan, regions: [region('boot.bin', 0x1000, true), region('app.bin', 0x10000)] };
    const planned: FlashState = { ...initialFlash, phase: 'planned', plan: there };
    expect(mapRegions([file('boot.bin', 0x1000, 0x1000), file('app.bin', 0x10000, 0x1000)], planned)).toMatchObject([
      { state: 'unchanged' },
      { state: 'planned' },
    ]);
  });
});

describe('changes of the board on the map', () => {
  const page = (offset: number) => ({ offset, bytes: new Uint8Array(0x1000) });
  const change = {
    name: 'nvs',
    range: { offset: 0x9000, length: 0x4000 },
    basis: null,
    erases: [{ offset: 0xc000, length: 0x1000 }],
    writes: [page(0x9000), page(0xb000)],
  };
  const nvs = (fate: 'written' | 'erased' | 'kept', offset: number) => ({ name: 'nvs', offset, length: 0x1000, fate });
  const changed: PlanFacts = {
    ...plan,
    map: [nvs('written', 0x9000), nvs('kept', 0xa000), nvs('written', 0xb000), nvs('erased', 0xc000)],
    regions: [region('nvs', 0x9000), region('nvs', 0xb000, true), region('nvs', 0xc000)],
  };
  const boxes = (flash: Partial<FlashState>) =>
    changedBoxes({ ...initialFlash, ...flash }, ['app.bin'], [change]).map(({ start, end, state }) => [
      start,
      end,
      state,
    ]);

  it('shows the pages that will differ as to write, and erases only what the plan erases', () => {
    const planned = { phase: 'planned', plan: changed } as const;
    expect(boxes(planned)).toEqual([
      [0x9000, 0xa000, 'planned'],
      [0xb000, 0xc000, 'unchanged'],
    ]);
    const areas = mapAreas({ ...initialFlash, ...planned }, [change]);
    expect(areas.filter(({ fate }) => fate === 'erased').map(({ start }) => start)).toEqual([0x9000, 0xc000]);
  });

  it('shows a restored backup that the board holds already as there, also where it is empty', () => {
    const regions = changed.regions.map((one) => ({ ...one, same: true }));
    expect(boxes({ phase: 'planned', plan: { ...changed, regions } })).toEqual([
      [0x9000, 0xa000, 'unchanged'],
      [0xb000, 0xd000, 'unchanged'],
    ]);
  });

  it('shows what was written and verified after the write', () => {
    const regions = [settled(0x9000), settled(0xb000, 'same')];
    expect(boxes({ phase: 'done', plan: changed, regions })).toEqual([
      [0x9000, 0xa000, 'verified'],
      [0xb000, 0xc000, 'unchanged'],
    ]);
  });

  it('shows what a change will write while there is no plan yet', () => {
    expect(boxes({ phase: 'running' })).toEqual([
      [0x9000, 0xa000, 'planned'],
      [0xb000, 0xc000, 'planned'],
    ]);
    expect(mapAreas(initialFlash, [change])).toMatchObject([{ label: 'nvs', start: 0xc000, fate: 'erased' }]);
  });

  it('names no partition of a table that a failed write may have replaced', () => {
    const board = testBoard({ areas: [{ name: 'storage', offset: 0x200000, length: 0x1000 }] });
    const failed = { ...initialFlash, phase: 'failed', board } as const;
    expect(mapAreas(failed).map(({ label }) => label)).toEqual(['storage']);
    expect(mapAreas(failed, [], true)).toEqual([]);
  });
});
