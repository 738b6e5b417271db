/** Planned changes carried out on simulated boards: order, interruption, and flash outside of the plan. */
import { systemClock } from '@wirebench/clock';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import type { BoardChange } from '../../core/board-change.ts';
import { md5 } from '../../core/md5.ts';
import { sectorSize } from '../../core/region.ts';
import { bytesOfChanges, type ChangeProgress, writeChanges } from '../../core/write-changes.ts';
import { noise } from '../../testing/program.ts';
import { differences, differencesOutside, erasedIn, expectedAfter, fullFlash } from '../../testing/untouched.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspRig, type EspRigOptions, loadAllChips } from '../testing/esp-rig.ts';
import { changedBoard } from './changed-board.ts';

beforeAll(loadAllChips, 60_000);

const FLASH_SIZE = 0x4_0000;
const before = fullFlash(FLASH_SIZE);
const timeout = 120_000;

async function connected(options: EspRigOptions = {}, stub = true) {
  const content = [{ offset: 0, data: before }];
  const rig = new EspRig({ chip: 'esp32c3', pace: 'none', ...options, flash: { size: FLASH_SIZE, content } });
  return { rig, board: await rig.connect({ stub }) };
}

/** Range of all changes in these tests. */
const range = { offset: 0x1_0000, length: 0x8000 };

/** Returns changes with a few erases, and writes of one to three sectors in any order, some of them repeated. */
const changes: fc.Arbitrary<BoardChange> = fc
  .record({
    erased: fc.option(fc.nat(7), { nil: null }),
    written: fc.array(fc.record({ sector: fc.nat(5), count: fc.integer({ min: 1, max: 3 }), seed: fc.nat(500) }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({ erased, written }) => ({
    name: 'nvs',
    range,
    basis: md5(before.subarray(range.offset, range.offset + range.length)),
    erases: erased === null ? [] : [{ offset: range.offset + erased * sectorSize, length: sectorSize }],
    writes: written.map(({ sector, count, seed }) => ({
      offset: range.offset + sector * sectorSize,
      bytes: noise(count * sectorSize, seed + 1),
    })),
  }));

/** Returns flash after the change: erases first, then the writes one after the other. */
const afterChange = ({ erases, writes }: BoardChange) =>
  writes.reduce((flash, region) => expectedAfter(flash, [region]), erasedIn(before, erases));

interface CarriedOut {
  readonly progress?: ChangeProgress;
  readonly onEvent?: (event: WriteEvent) => void;
  readonly signal?: AbortSignal;
}

function carryOut(board: EspBoard, list: readonly BoardChange[], { progress, onEvent, signal }: CarriedOut = {}) {
  const wanted = signal ?? new AbortController().signal;
  return writeChanges(changedBoard(board, wanted), list, {
    clock: systemClock,
    signal: wanted,
    onStage: () => undefined,
    onEvent: onEvent ?? (() => undefined),
    progress: progress ?? new Map(),
  });
}

describe('flash outside of planned changes', () => {
  it.each([true, false])(
    'stays as it is, with the stub: %s',
    (stub) =>
      fc.assert(
        fc.asyncProperty(changes, async (change) => {
          const { rig, board } = await connected({}, stub);
          const planned = stub ? change : { ...change, erases: [] };
          const report = await rig.run(carryOut(board, [planned]));
          expect(report.state).toBe('complete');
          expect(differences(rig.flash(0, FLASH_SIZE), afterChange(planned))).toEqual([]);
        }),
        { numRuns: 10 },
      ),
    timeout,
  );

  it(
    'stays as it is when the cable is pulled, and the rest is written when the board is back',
    () =>
      fc.assert(
        fc.asyncProperty(changes, fc.double({ min: 0.05, max: 0.95, noNaN: true }), async (change, share) => {
          const { rig, board } = await connected({ profile: 'real-flash' });
          const progress: ChangeProgress = new Map();
          const total = bytesOfChanges([change]);
          const onEvent = (event: WriteEvent) => {
            if (event.type === 'progress' && event.done >= share * total && rig.unpluggedAt === null) {
              rig.demo.unplug();
            }
          };
          await rig.run(carryOut(board, [change], { progress, onEvent }).catch(() => null));
          expect(differencesOutside(rig.flash(0, FLASH_SIZE), before, [range])).toEqual([]);
          await rig.run(board.close());
          if (rig.unpluggedAt !== null) {
            rig.demo.replug();
            await rig.clock.advance(100);
          }
          const again = await rig.connect();
          const report = await rig.run(carryOut(again, [change], { progress }));
          expect(report.state).toBe('complete');
          expect(differences(rig.flash(0, FLASH_SIZE), afterChange(change))).toEqual([]);
        }),
        { numRuns: 12 },
      ),
    timeout,
  );
});

describe('the order of a planned change', () => {
  const sector = (index: number, seed: number) => ({
    offset: range.offset + index * sectorSize,
    bytes: noise(sectorSize, seed),
  });

  it('is kept between adjacent and repeated sectors: a later one is untouched until the earlier one is verified', async () => {
    const writes = [sector(1, 1), sector(0, 2), sector(1, 3)];
    const change = { name: 'nvs', range, basis: null, erases: [], writes };
    const { rig, board } = await connected({ profile: 'real-flash' });
    const seen = new Set<string>();
    const observe = () => {
      const states = [0, 1].map((index) => {
        const flash = rig.flash(range.offset + index * sectorSize, sectorSize);
        const own = writes.findIndex(
          ({ offset, bytes }) => offset === range.offset + index * sectorSize && md5(bytes) === md5(flash),
        );
        const isOld =
          md5(flash) ===
          md5(before.subarray(range.offset + index * sectorSize, range.offset + (index + 1) * sectorSize));
        return own >= 0 ? String(own) : isOld ? 'old' : 'part';
      });
      seen.add(states.join(' '));
    };
    const work = carryOut(board, [change]);
    let ended = false;
    void work.finally(() => {
      ended = true;
    });
    while (!ended) {
      await rig.clock.advance(1);
      observe();
    }
    await work;
    // First sector 0, then sector 1: never both in part, and never a later step before an earlier one.
    const allowed = ['old old', 'old part', 'old 0', 'part 0', '1 0', '1 part', '1 2'];
    expect([...seen].filter((state) => !allowed.includes(state))).toEqual([]);
    expect(seen.has('part 0')).toBe(true);
  });

  it('goes on with the step that was interrupted, not with the first', async () => {
    const writes = [sector(0, 1), sector(1, 2), sector(0, 3)];
    const change = { name: 'nvs', range, basis: null, erases: [], writes };
    const { rig, board } = await connected();
    const progress: ChangeProgress = new Map();
    const abort = new AbortController();
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress' && event.done >= 2 * sectorSize) {
        abort.abort();
      }
    };
    await expect(rig.run(carryOut(board, [change], { progress, onEvent, signal: abort.signal }))).rejects.toMatchObject(
      {
        code: 'cancelled',
        state: 'incomplete',
      },
    );
    expect([...progress.values()]).toEqual([1]);
    const written: number[] = [];
    await rig.run(
      carryOut(board, [change], {
        progress,
        onEvent: (event) => void (event.type === 'progress' && written.push(event.done)),
      }),
    );
    expect(Math.min(...written)).toBeGreaterThanOrEqual(sectorSize);
    expect(rig.flash(range.offset, sectorSize)).toEqual(writes[2]?.bytes);
  });
});

describe('the report of planned changes', () => {
  it('has a region for what was there, what was written, and what was erased, each with its hash', async () => {
    const { rig, board } = await connected();
    const kept = before.slice(range.offset, range.offset + sectorSize);
    const bytes = noise(sectorSize, 9);
    const change: BoardChange = {
      name: 'nvs',
      range,
      basis: null,
      erases: [{ offset: range.offset + 4 * sectorSize, length: sectorSize }],
      writes: [
        { offset: range.offset, bytes: kept },
        { offset: range.offset + 2 * sectorSize, bytes },
      ],
    };
    const events: WriteEvent[] = [];
    const report = await rig.run(carryOut(board, [change], { onEvent: (event) => events.push(event) }));
    expect(report.regions.map(({ offset, outcome, proof }) => [offset - range.offset, outcome, proof?.value])).toEqual([
      [0, 'same', md5(kept)],
      [2 * sectorSize, 'verified', md5(bytes)],
      [4 * sectorSize, 'verified', md5(new Uint8Array(sectorSize).fill(0xff))],
    ]);
    expect(report).toMatchObject({ written: 2 * sectorSize, same: sectorSize });
    const done = events.flatMap((event) => (event.type === 'progress' ? [event.done] : []));
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBe(bytesOfChanges([change]));
  });

  it('leaves flash alone that holds everything already', async () => {
    const { rig, board } = await connected();
    const change: BoardChange = {
      name: 'nvs',
      range,
      basis: null,
      erases: [],
      writes: [{ offset: range.offset, bytes: before.slice(range.offset, range.offset + range.length) }],
    };
    expect(await rig.run(carryOut(board, [change]))).toMatchObject({ written: 0, same: range.length });
  });
});
