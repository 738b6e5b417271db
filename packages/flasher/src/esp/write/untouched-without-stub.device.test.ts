/**
 * Without the stub, flash outside of the plan must not change either. Genuine ROM code of the ESP32 damages up to 32
 * KiB after each region that is sent compressed, with successful answers and correct hashes. It also leaves the last
 * 32 KiB of flash unwritten. Simulated chips whose ROM is untested behave the same way.
 */
import { type EspChipName, espChipNames } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { rangeOf } from '../../core/ranges.ts';
import { type FlashRegion, splitIntoRegions } from '../../core/region.ts';
import { differences, differencesOutside, expectedAfter, fullFlash, regionLayouts } from '../../testing/untouched.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const FLASH_SIZE = 0x4_0000;
const before = fullFlash(FLASH_SIZE);
const plans = regionLayouts({ size: FLASH_SIZE, longest: 75_000 });
const runs = { numRuns: isLong ? 200 : 8 };
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

/** The ESP8266's ROM erases too much by itself; see untouched-esp8266.device.test.ts. */
const chips = espChipNames.filter((chip) => !chip.startsWith('esp82'));

async function connected(chip: EspChipName) {
  const content = [{ offset: 0, data: before }];
  const rig = new EspRig({ chip, pace: 'none', flash: { size: FLASH_SIZE, content } });
  return { rig, board: await rig.connect({ stub: false }) };
}

const flashOf = (rig: EspRig) => rig.flash(0, FLASH_SIZE);

describe.each(chips)('flash of an %s outside the plan', (chip) => {
  it(
    'stays when it is written without the stub',
    () =>
      fc.assert(
        fc.asyncProperty(plans, async (regions) => {
          const { rig, board } = await connected(chip);
          const report = await rig.run(board.write(regions));
          expect(report.state).toBe('complete');
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );

  it(
    'stays when a write without the stub is cancelled, and when it is repeated',
    () =>
      fc.assert(
        fc.asyncProperty(plans, fc.double({ min: 0.05, max: 0.9, noNaN: true }), async (regions, share) => {
          const { rig, board } = await connected(chip);
          const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
          const abort = new AbortController();
          const onEvent = (event: WriteEvent) => {
            if (event.type === 'progress' && event.phase === 'writing' && event.done >= share * total) {
              abort.abort();
            }
          };
          await rig.run(board.write(regions, { onEvent, signal: abort.signal }).catch(() => undefined));
          expect(differencesOutside(flashOf(rig), before, regions.map(rangeOf))).toEqual([]);
          await rig.run(board.write(regions));
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );
});

describe('one changed byte in partition table and boot_app0, written without the stub', () => {
  it.each(['esp32', 'esp32c3'] as const)(
    'costs an %s neither its stored settings nor its application',
    async (chip) => {
      const { rig, board } = await connected(chip);
      const build: readonly FlashRegion[] = [
        { offset: 0x8000, bytes: before.slice(0x8000, 0x8c00) },
        { offset: 0xe000, bytes: before.slice(0xe000, 0x1_0000) },
        ...splitIntoRegions(0x1_0000, before.slice(0x1_0000, 0x2_8000)),
      ];
      const changed = build.map(({ offset, bytes }) => ({ offset, bytes: bytes.slice() }));
      for (const { bytes } of changed.slice(0, 2)) {
        bytes[7] = (bytes[7] ?? 0) ^ 0x10;
      }
      const report = await rig.run(board.write(changed));
      expect(report.state).toBe('complete');
      // The last sector of the table is erased after the table's bytes, as in every write.
      const expected = expectedAfter(before, changed.slice(0, 2));
      expect(differences(flashOf(rig), expected)).toEqual([]);
    },
  );
});
