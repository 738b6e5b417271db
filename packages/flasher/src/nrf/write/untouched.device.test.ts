/**
 * A DFU changes only what its bootloader needs. Master boot record, SoftDevice, bootloader and application data must
 * not change. Compares the whole flash of each simulated board.
 */
import { type NrfBoardName, nrfFirmware } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { type FlashRange, sectorSize as pageSize } from '../../core/region.ts';
import { differencesOutside, fullFlash } from '../../testing/untouched.ts';
import type { NrfFirmware } from '../package/nrf-firmware.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig, type NrfRigOptions } from '../testing/nrf-rig.ts';

const runs = { numRuns: isLong ? 60 : 4 };
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

const megabyte = 0x10_0000;
const background = fullFlash(megabyte);

/** Bytes of the existing program and of the new one; multiples of 4. */
interface Sizes {
  readonly before: number;
  readonly after: number;
}

const words = fc.integer({ min: 600, max: 9_000 }).map((count) => count * 4);
const sizes = fc.record({ before: words, after: words });

const pages = (bytes: number) => Math.ceil(bytes / pageSize) * pageSize;

/**
 * Both banks of the secure bootloader after the master boot record, and its settings in the last page (nRF5 SDK,
 * "Memory layout").
 */
const secure =
  (flashSize: number) =>
  ({ before, after }: Sizes): FlashRange[] => [
    { offset: 0x1000, length: pages(after) },
    { offset: 0x1000 + pages(before), length: pages(after) },
    { offset: flashSize - pageSize, length: pageSize },
  ];

/** Adafruit's bootloader overwrites the application after the SoftDevice, and has its settings in the last page. */
const adafruit =
  (flashSize: number, application: number) =>
  ({ after }: Sizes): FlashRange[] => [
    { offset: application, length: pages(after) },
    { offset: flashSize - pageSize, length: pageSize },
  ];

/** The first slot, with a trailer in its last page (MCUboot, "Image trailer"; Zephyr, `nrf52840_partition.dtsi`). */
const mcuboot = ({ after }: Sizes): FlashRange[] => [
  { offset: 0xc000, length: pages(after) },
  { offset: 0xc000 + 0x7_6000 - pageSize, length: pageSize },
];

const boards: readonly (readonly [NrfBoardName, number, (sizes: Sizes) => FlashRange[]])[] = [
  ['nrf52840-secure', megabyte, secure(megabyte)],
  ['nrf52832-secure', megabyte / 2, secure(megabyte / 2)],
  ['feather-nrf52840', megabyte, adafruit(megabyte, 0x2_6000)],
  ['feather-nrf52832', megabyte / 2, adafruit(megabyte / 2, 0x2_6000)],
  ['xiao-nrf52840', megabyte, adafruit(megabyte, 0x2_7000)],
  ['nrf52840-mcuboot', megabyte, mcuboot],
  ['nrf52840-mcuboot-usb', megabyte, mcuboot],
];

async function prepared(board: NrfBoardName, { before, after }: Sizes, speed: Pick<NrfRigOptions, 'pace' | 'profile'>) {
  const content = nrfFirmware({ board, size: before, version: 1, seed: 1 }).image;
  const rig = new NrfRig({ board, content, background, ...speed });
  const { name, bytes, image } = nrfFirmware({ board, size: after, version: 2, seed: 2 });
  const firmware = await readNrfFirmware(name, bytes);
  return { rig, firmware, image, lengths: { before: content.length, after: image.length } };
}

/** Slow enough for progress events in the middle of a write. */
const atRealSpeed = { pace: 'wire', profile: 'real-flash' } as const;

/** Writes, and restarts the board if the program is moved to its place by the restart. */
async function write(rig: NrfRig, firmware: NrfFirmware, onEvent: (event: WriteEvent) => void = () => undefined) {
  const board = await rig.connect();
  const failure = await rig.run(
    board.write(firmware, { onEvent }).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  await rig.run(board.close());
  await rig.clock.advance(3_000);
  return failure;
}

describe.each(boards)('flash of an %s besides its application', (name, flashSize, touched) => {
  const flashOf = (rig: NrfRig) => rig.flash(0, flashSize);

  it(
    'stays when firmware is written',
    () =>
      fc.assert(
        fc.asyncProperty(sizes, async (chosen) => {
          const { rig, firmware, image, lengths } = await prepared(name, chosen, { pace: 'none' });
          const before = flashOf(rig);
          expect(await write(rig, firmware)).toBeNull();
          expect(rig.holds(image, flashSize)).toBe(true);
          expect(differencesOutside(flashOf(rig), before, touched(lengths))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );

  it(
    'stays when the cable is pulled during a write',
    () =>
      fc.assert(
        fc.asyncProperty(sizes, fc.double({ min: 0.05, max: 0.8, noNaN: true }), async (chosen, share) => {
          const { rig, firmware, lengths } = await prepared(
            name,
            { ...chosen, after: chosen.after + 20_000 },
            atRealSpeed,
          );
          const before = flashOf(rig);
          let pulled = false;
          const failure = await write(rig, firmware, (event) => {
            const isMiddle = event.type === 'progress' && event.done > share * event.total && event.done < event.total;
            if (!pulled && isMiddle) {
              pulled = true;
              rig.demo.unplug();
            }
          });
          expect(failure !== null).toBe(pulled);
          expect(differencesOutside(flashOf(rig), before, touched(lengths))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );
});
