/**
 * Flash outside of a call's range must not change. Compares the whole flash of each simulated part, behind a UART and
 * on USB. Ranges that share a sector with a region must be written back.
 */
import { stmPartNames, stmUsbPartNames } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { differences, fullFlash, regionLayouts } from '../../testing/untouched.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmBoard } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';
import { StmRig, StmUsbRig } from '../testing/stm-rig.ts';

const runs = { numRuns: isLong ? 100 : 4 };
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

type Rig = StmRig | StmUsbRig;
const sizeOf = (rig: Rig) => (rig instanceof StmRig ? rig.device.flash.size : rig.board.flash.size);
const flashOf = (rig: Rig) => rig.flash(0, sizeOf(rig));

/** Has the size of the largest flash. Smaller parts use its beginning. */
const before = fullFlash(0x20_0000);
const content = [{ address: flashStart, data: before }];
const boards = [
  ...stmPartNames.map((part) => [`${part} behind a UART`, () => new StmRig({ part, content, pace: 'none' })] as const),
  ...stmUsbPartNames.map((part) => [`${part} on USB`, () => new StmUsbRig({ part, content })] as const),
];

/** Returns regions anywhere in a flash of `size` bytes, as offsets from its start. */
const plansFor = (size: number) => regionLayouts({ size, longest: 6_000, unit: 8, widestGap: Math.floor(size / 32) });
const smallest = 0x1_0000;
/** Half of the plans reach the end of a small flash. `placed` moves them to the end of larger ones. */
const plans = fc.record({ regions: plansFor(smallest), atEnd: fc.boolean() });

/** Converts offsets to addresses at the start or the end of flash. */
function placed(
  { regions, atEnd }: { readonly regions: readonly FlashRegion[]; readonly atEnd: boolean },
  size: number,
) {
  const shift = atEnd ? size - smallest : 0;
  return regions.map(({ offset, bytes }) => ({ offset: flashStart + shift + offset, bytes }));
}

function expectedAfter(size: number, regions: readonly FlashRegion[]): Uint8Array {
  const after = before.slice(0, size);
  for (const { offset, bytes } of regions) {
    after.set(bytes, offset - flashStart);
  }
  return after;
}

/** Returns the sectors that hold a byte of `ranges`. */
function touchedSectors({ info }: StmBoard, ranges: readonly FlashRange[]): readonly FlashRange[] {
  return info.sectors.filter((sector) => ranges.some((range) => overlapOf(range, sector) !== null));
}

/** Returns the flash with the sectors of `ranges` blanked, for calls that did not finish. */
function blanked(flash: Uint8Array, board: StmBoard, ranges: readonly FlashRange[]): Uint8Array {
  const blank = flash.slice();
  for (const { offset, length } of touchedSectors(board, ranges)) {
    blank.fill(0, offset - flashStart, offset - flashStart + length);
  }
  return blank;
}

async function cut(
  rig: Rig,
  board: StmBoard,
  regions: readonly FlashRegion[],
  how: 'cancel' | 'unplug',
  share: number,
) {
  const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const abort = new AbortController();
  const onEvent = (event: WriteEvent) => {
    if (event.type === 'progress' && event.phase === 'writing' && event.done >= share * total) {
      if (how === 'cancel') {
        abort.abort();
      } else if (rig.unpluggedAt === null) {
        unplug(rig);
      }
    }
  };
  const writing = board.write(regions, { onEvent, signal: abort.signal }).then(
    () => null,
    (error: unknown) => error,
  );
  const failure = await rig.run(writing);
  if (failure !== null && !(failure instanceof StmError)) {
    throw failure;
  }
  return failure;
}

function unplug(rig: Rig): void {
  if (rig instanceof StmRig) {
    rig.demo.unplug();
  } else {
    rig.board.unplug();
  }
}

async function replug(rig: Rig): Promise<void> {
  if (rig.unpluggedAt !== null) {
    if (rig instanceof StmRig) {
      rig.demo.replug();
    } else {
      rig.board.replug();
    }
    await rig.clock.advance(500);
  }
}

describe.each(boards)('flash of an %s outside the plan', (_name, make) => {
  it(
    'stays when it is written',
    () =>
      fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          const rig = make();
          const board = await rig.connect();
          const regions = placed(plan, sizeOf(rig));
          const report = await rig.run(board.write(regions));
          expect(report.state).toBe('complete');
          expect(differences(flashOf(rig), expectedAfter(sizeOf(rig), regions))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );

  it(
    'stays when sectors are erased',
    () =>
      fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          const rig = make();
          const board = await rig.connect();
          const ranges = placed(plan, sizeOf(rig)).map(rangeOf);
          await rig.run(board.erase(ranges));
          const after = before.slice(0, sizeOf(rig));
          for (const { offset, length } of touchedSectors(board, ranges)) {
            after.fill(board.info.erasedValue, offset - flashStart, offset - flashStart + length);
          }
          expect(differences(flashOf(rig), after)).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );

  it.each(['cancel', 'unplug'] as const)(
    'stays when a write ends by %s, and is restored by the next',
    (how) =>
      fc.assert(
        fc.asyncProperty(plans, fc.double({ min: 0.05, max: 0.9, noNaN: true }), async (plan, share) => {
          const rig = make();
          const board = await rig.connect();
          const regions = placed(plan, sizeOf(rig));
          const failure = await cut(rig, board, regions, how, share);
          const touched = regions.map(rangeOf);
          const untouched = blanked(before.subarray(0, sizeOf(rig)), board, touched);
          expect(differences(blanked(flashOf(rig), board, touched), untouched)).toEqual([]);
          await rig.run(board.close());
          await replug(rig);
          const again = await rig.connect();
          await rig.run(again.write([...regions, ...(failure?.unrestored ?? [])]));
          expect(differences(flashOf(rig), expectedAfter(sizeOf(rig), regions))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );
});
