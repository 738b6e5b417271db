/**
 * The ESP8266's ROM counts the sectors up to the next 64 KB border twice ("Serial Protocol", ESP8266, section "Erase
 * Size Bug"). It cannot erase an odd number of sectors before that border. Without the stub, a write stays within its
 * plan or is refused before anything is erased.
 */
import { espChipNames } from '@wirebench/devices';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { differences, expectedAfter, fullFlash, regionLayouts } from '../../testing/untouched.ts';
import { EspError } from '../esp-failure.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const FLASH_SIZE = 0x4_0000;
const before = fullFlash(FLASH_SIZE);
const plans = regionLayouts({ size: FLASH_SIZE, longest: 75_000 });

describe('flash of an ESP8266 outside the plan', () => {
  it.each(espChipNames.filter((chip) => chip.startsWith('esp82')))(
    'stays when an %s is written without the stub',
    (chip) =>
      fc.assert(
        fc.asyncProperty(plans, async (regions) => {
          const content = [{ offset: 0, data: before }];
          const rig = new EspRig({ chip, pace: 'none', flash: { size: FLASH_SIZE, content } });
          const board = await rig.connect({ stub: false });
          const failure = await rig.run(
            board.write(regions).then(
              () => null,
              (error: unknown) => error,
            ),
          );
          if (failure !== null) {
            expect(failure).toBeInstanceOf(EspError);
            expect(failure).toMatchObject({ state: 'unchanged' });
          }
          const expected = failure === null ? expectedAfter(before, regions) : before;
          expect(differences(rig.flash(0, FLASH_SIZE), expected)).toEqual([]);
        }),
        { numRuns: 20 },
      ),
    120_000,
  );
});
