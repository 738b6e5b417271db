/**
 * Flash and EEPROM outside of a call's range must not change, the bootloader's flash above all. Compares the whole
 * memories of each simulated board.
 */
import { type AvrBoardName, avrBoardNames } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { rangeOf } from '../../core/ranges.ts';
import type { FlashRegion } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import { differences, fullFlash, regionLayouts } from '../../testing/untouched.ts';
import type { AvrBoard } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import { pagesOf } from '../parts/page-cover.ts';
import { AvrRig } from '../testing/avr-rig.ts';

const runs = { numRuns: isLong ? 100 : 4 };
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

/** Bytes of flash that the tests use: the smallest application of all boards. */
const SIZE = 0x7000;
const before = fullFlash(SIZE);
const eepromBefore = noise(512, 21);
const content = [{ address: 0, data: before }];

const rigOf = (board: AvrBoardName) => new AvrRig({ board, content, eeprom: eepromBefore, pace: 'none' });
const plans = regionLayouts({ size: SIZE, longest: 3_000, unit: 2, widestGap: SIZE / 64 });
const wholeFlash = (rig: AvrRig) => rig.flash(0, rig.device.flash.size);

function expectedAfter(start: Uint8Array, regions: readonly FlashRegion[]): Uint8Array {
  const after = start.slice();
  for (const { offset, bytes } of regions) {
    after.set(bytes, offset);
  }
  return after;
}

/** Returns the flash with the pages of `regions` blanked, and all pages before them if the bootloader erases in order. */
function blanked(flash: Uint8Array, { info }: AvrBoard, regions: readonly FlashRegion[]): Uint8Array {
  const blank = flash.slice();
  for (const { offset, length } of pagesOf(regions.map(rangeOf), info.pageSize, info.writesInOrder)) {
    blank.fill(0, offset, offset + length);
  }
  return blank;
}

describe.each(avrBoardNames)('contents of a simulated %s outside the plan', { timeout }, (name) => {
  it('stay when it is written', () =>
    fc.assert(
      fc.asyncProperty(plans, async (regions) => {
        const rig = rigOf(name);
        const start = wholeFlash(rig);
        const board = await rig.connect();
        const report = await rig.run(board.write(regions));
        expect(report.state).toBe('complete');
        expect(differences(wholeFlash(rig), expectedAfter(start, regions))).toEqual([]);
        expect(rig.device.eeprom.read(0, 512)).toEqual(eepromBefore);
        await rig.run(board.close());
      }),
      runs,
    ));

  it('stay when pages are erased', () =>
    fc.assert(
      fc.asyncProperty(plans, async (regions) => {
        const rig = rigOf(name);
        const after = wholeFlash(rig);
        const board = await rig.connect();
        await rig.run(board.erase(regions.map(rangeOf)));
        for (const { offset, length } of pagesOf(regions.map(rangeOf), board.info.pageSize)) {
          after.fill(0xff, offset, offset + length);
        }
        expect(differences(wholeFlash(rig), after)).toEqual([]);
        await rig.run(board.close());
      }),
      runs,
    ));

  it('are the bootloader alone when everything is erased', async () => {
    const rig = rigOf(name);
    const after = wholeFlash(rig);
    const board = await rig.connect();
    await rig.run(board.erase(null));
    const { offset, length } = board.info.application;
    after.fill(0xff, offset, offset + length);
    expect(differences(wholeFlash(rig), after)).toEqual([]);
    await rig.run(board.close());
  });

  it.each(['cancel', 'unplug'] as const)('stay when a write ends by %s, and are restored by the next', (how) =>
    fc.assert(
      fc.asyncProperty(plans, fc.double({ min: 0.05, max: 0.9, noNaN: true }), async (regions, share) => {
        const rig = rigOf(name);
        const start = wholeFlash(rig);
        const board = await rig.connect();
        const failure = await cut(rig, board, regions, how, share);
        expect(differences(blanked(wholeFlash(rig), board, regions), blanked(start, board, regions))).toEqual([]);
        await rig.run(board.close());
        if (rig.demo.port === null) {
          rig.demo.replug();
          await rig.clock.advance(500);
        }
        const again = await rig.connect();
        const report = await rig.run(again.write([...regions, ...(failure?.unrestored ?? [])]));
        expect(report.state).toBe('complete');
        expect(differences(wholeFlash(rig), expectedAfter(start, regions))).toEqual([]);
        await rig.run(again.close());
      }),
      runs,
    ),
  );
});

async function cut(
  rig: AvrRig,
  board: AvrBoard,
  regions: readonly FlashRegion[],
  how: 'cancel' | 'unplug',
  share: number,
): Promise<AvrError | null> {
  const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const abort = new AbortController();
  let isCut = false;
  const onEvent = (event: WriteEvent) => {
    if (event.type === 'progress' && event.phase === 'writing' && event.done >= share * total && !isCut) {
      isCut = true;
      if (how === 'cancel') {
        abort.abort();
      } else {
        rig.demo.unplug();
      }
    }
  };
  const failure = await rig.run(
    board.write(regions, { onEvent, signal: abort.signal }).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  if (failure !== null && !(failure instanceof AvrError)) {
    throw failure;
  }
  return failure;
}

describe('EEPROM', () => {
  it.each(avrBoardNames.filter((name) => name !== 'arduino-uno'))(
    'is written on %s beside its other contents',
    async (name) => {
      const rig = rigOf(name);
      const board = await rig.connect();
      const eeprom = [
        { offset: 3, bytes: noise(50, 31) },
        { offset: 200, bytes: noise(1, 32) },
      ];
      const report = await rig.run(board.write([], { eeprom }));
      expect(report).toMatchObject({ written: 51, same: 0, regions: [] });
      expect(report.eeprom).toMatchObject([{ outcome: 'verified' }, { outcome: 'verified' }]);
      const after = expectedAfter(eepromBefore, eeprom);
      expect(rig.device.eeprom.read(0, 512)).toEqual(after);
      expect(await rig.run(board.readEeprom({ offset: 1, length: 300 }))).toEqual(after.subarray(1, 301));
      expect(await rig.run(board.write([], { eeprom }))).toMatchObject({ written: 0, same: 51 });
      await rig.run(board.close());
    },
  );

  it('is refused for an optiboot that would write flash instead, before any write', async () => {
    const rig = rigOf('arduino-uno');
    const start = wholeFlash(rig);
    const board = await rig.connect();
    const eeprom = [{ offset: 0, bytes: noise(4) }];
    await expect(rig.run(board.write([], { eeprom }))).rejects.toMatchObject({ code: 'eeprom-unsupported' });
    await expect(rig.run(board.readEeprom({ offset: 0, length: 4 }))).rejects.toMatchObject({
      code: 'eeprom-unsupported',
    });
    expect(differences(wholeFlash(rig), start)).toEqual([]);
    await rig.run(board.close());
  });
});

describe('a write that is refused', () => {
  it.each([
    ['reaches-bootloader', { offset: 0x7dff, bytes: noise(2) }, {}],
    ['too-large', { offset: 0x8000, bytes: noise(2) }, {}],
    ['wrong-chip', { offset: 0, bytes: noise(2) }, { model: 'atmega2560' }],
    ['eeprom-unsupported', { offset: 0, bytes: noise(2) }, { eeprom: [{ offset: 0, bytes: noise(1) }] }],
  ] as const)('changes nothing with %s', async (code, region, options) => {
    const rig = rigOf('arduino-uno');
    const board = await rig.connect();
    const start = wholeFlash(rig);
    const error = await rig.run(board.write([region], options).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ code, state: 'unchanged' });
    expect(differences(wholeFlash(rig), start)).toEqual([]);
    await rig.run(board.close());
  });
});
