/**
 * Without the stub, too, every byte of flash outside of the plan is what it was. Genuine ROM code of the ESP32 damages up to 32 KiB
 * behind each region that is sent compressed, with good answers and right hashes; so do all simulated chips whose ROM nobody has tried.
 */
import { espChipNames } from '@wirebench/devices';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { differences, expectedAfter, fullFlash, regionLayouts } from '../testing/untouched.ts';
import { EspBench, loadAllChips } from './testing/esp-bench.ts';

beforeAll(loadAllChips, 60_000);

const FLASH_SIZE = 0x4_0000;
const before = fullFlash(FLASH_SIZE);
const plans = regionLayouts({ size: FLASH_SIZE, longest: 75_000 });

describe('flash outside of the plan', () => {
  it.each(espChipNames)(
    'stays when an %s is written without the stub',
    async (chip) => {
      await fc.assert(
        fc.asyncProperty(plans, async (regions) => {
          const content = [{ offset: 0, data: before }];
          const bench = new EspBench({ chip, pace: 'none', flash: { size: FLASH_SIZE, content } });
          const board = await bench.connect({ stub: false });
          await bench.run(board.write(regions));
          expect(differences(bench.flash(0, FLASH_SIZE), expectedAfter(before, regions))).toEqual([]);
        }),
        { numRuns: 20 },
      );
    },
    60_000,
  );
});
