/**
 * Flash outside of a call's range must not change. Compares the whole flash for each way of writing on each simulated
 * chip, with random plans.
 */
import { type EspChipName, EspDevice, espChipNames, seededEspFault } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { rangeOf } from '../../core/ranges.ts';
import { type FlashRegion, sectorSize, splitIntoRegions } from '../../core/region.ts';
import {
  differences,
  differencesOutside,
  erasedIn,
  expectedAfter,
  fullFlash,
  regionLayouts,
  sectorRanges,
} from '../../testing/untouched.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import type { EspBoard, EspConnectOptions } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import { keepFlashSettings } from '../images/flash-settings.ts';
import { planEsp } from '../plan/plan-esp.ts';
import { EspRig, type EspRigOptions, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const FLASH_SIZE = 0x4_0000;
const before = fullFlash(FLASH_SIZE);
const plans = regionLayouts({ size: FLASH_SIZE, longest: 75_000 });
const runs = { numRuns: isLong ? 200 : 8 };
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

/** Returns a connected board whose flash is full. */
async function connected(options: EspRigOptions, connect: Partial<EspConnectOptions> = {}) {
  const content = [{ offset: 0, data: before }];
  const rig = new EspRig({ pace: 'none', ...options, flash: { size: FLASH_SIZE, content } });
  return { rig, board: await rig.connect(connect) };
}

const flashOf = (rig: EspRig) => rig.flash(0, FLASH_SIZE);

/** Writes until `share` is done, then interrupts. Returns the rejection, or null if the write finished first. */
async function interrupted(rig: EspRig, board: EspBoard, regions: readonly FlashRegion[], how: Interruption) {
  const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const abort = new AbortController();
  const onEvent = (event: WriteEvent) => {
    if (event.type === 'progress' && event.phase === 'writing' && event.done >= how.share * total) {
      if (how.kind === 'cancel') {
        abort.abort();
      } else if (rig.unpluggedAt === null) {
        rig.demo.unplug();
      }
    }
  };
  const writing = board.write(regions, { onEvent, signal: abort.signal, compare: false }).then(
    () => null,
    (error: unknown) => error,
  );
  return rig.run(writing);
}

interface Interruption {
  readonly kind: 'cancel' | 'unplug';
  readonly share: number;
}

const shares = fc.double({ min: 0.05, max: 0.9, noNaN: true });

const holds = (property: Parameters<typeof fc.assert>[0]) => fc.assert(property, runs);

describe.each(espChipNames)('flash of an %s outside the plan', (chip) => {
  it(
    'stays when it is written, with the stub where there is one',
    () =>
      holds(
        fc.asyncProperty(plans, async (regions) => {
          const { rig, board } = await connected({ chip });
          const report = await rig.run(board.write(regions));
          expect(report.state).toBe('complete');
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'stays when the flash settings in the header are changed',
    () =>
      holds(
        fc.asyncProperty(plans, fc.constantFrom('dio', 'dout'), async (others, mode) => {
          const { rig, board } = await connected({ chip });
          const program = firstProgram(chip);
          const end = program.offset + program.bytes.length;
          const files = [
            { name: 'first.bin', ...program },
            ...others
              .filter(({ offset }) => offset >= end + sectorSize)
              .map((region) => ({ name: 'data.bin', ...region })),
          ];
          const plan = await planEsp({
            files,
            board: { info: board.info, isDemo: true, table: 'none', otaData: null },
            settings: { ...keepFlashSettings, mode, size: 'detect' },
          });
          const changed = plan.regions.find(({ file }) => file === 'first.bin');
          expect(changed?.bytes.subarray(2, 3)).toEqual(Uint8Array.of(mode === 'dio' ? 2 : 3));
          await rig.run(board.write(plan.regions));
          expect(differences(flashOf(rig), expectedAfter(before, plan.regions))).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'stays when a write is cancelled, and when it is repeated',
    () =>
      holds(
        fc.asyncProperty(plans, shares, async (regions, share) => {
          const { rig, board } = await connected({ chip, profile: 'real-flash' });
          const failure = await interrupted(rig, board, regions, { kind: 'cancel', share });
          expect([null, 'cancelled']).toContain(codeOf(failure));
          expect(differencesOutside(flashOf(rig), before, regions.map(rangeOf))).toEqual([]);
          await rig.run(board.write(regions));
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'stays when the cable is pulled during a write, and when the write is resumed',
    () =>
      holds(
        fc.asyncProperty(plans, shares, async (regions, share) => {
          const { rig, board } = await connected({ chip, profile: 'real-flash' });
          await interrupted(rig, board, regions, { kind: 'unplug', share });
          expect(differencesOutside(flashOf(rig), before, regions.map(rangeOf))).toEqual([]);
          await rig.run(board.close());
          if (rig.unpluggedAt !== null) {
            rig.demo.replug();
            await rig.clock.advance(100);
          }
          const again = await rig.connect();
          await rig.run(again.write(regions));
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'stays when a step of the protocol fails',
    () =>
      holds(
        fc.asyncProperty(plans, fc.nat(), async (regions, seed) => {
          const at = ['flash-begin', 'flash-data', 'md5'] as const;
          const { rig, board } = await connected({ chip, faults: [seededEspFault(seed, { at, latest: 4 })] });
          const failure = await rig.run(
            board.write(regions).then(
              () => null,
              (error: unknown) => error,
            ),
          );
          const expected = expectedAfter(before, regions);
          const found = flashOf(rig);
          expect(
            failure === null ? differences(found, expected) : differencesOutside(found, before, regions.map(rangeOf)),
          ).toEqual([]);
        }),
      ),
    timeout,
  );
});

/** Only a stub erases without writing, and this chip has no stub. */
const withoutErase = 'esp32h21';

describe.each(espChipNames.filter((chip) => chip !== withoutErase))('flash of an %s', (chip) => {
  it(
    'stays when sectors are erased, as an NVS partition is',
    () =>
      holds(
        fc.asyncProperty(sectorRanges(FLASH_SIZE), async (range) => {
          const { rig, board } = await connected({ chip });
          await rig.run(board.erase(range));
          expect(differences(flashOf(rig), erasedIn(before, [range]))).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'stays when a part is read, erased and written back',
    () =>
      holds(
        fc.asyncProperty(sectorRanges(FLASH_SIZE), async (range) => {
          const { rig, board } = await connected({ chip });
          const kept = await rig.run(board.read(range));
          await rig.run(board.erase(range));
          await rig.run(board.write([{ offset: range.offset, bytes: kept }]));
          expect(differences(flashOf(rig), before)).toEqual([]);
        }),
      ),
    timeout,
  );

  it(
    'is restored when the whole flash was read, erased and written back',
    async () => {
      const { rig, board } = await connected({ chip });
      const backup = await rig.run(board.read({ offset: 0, length: FLASH_SIZE }));
      await rig.run(board.eraseAll());
      await rig.run(board.write(splitIntoRegions(0, backup)));
      expect(differences(flashOf(rig), before)).toEqual([]);
    },
    timeout,
  );
});

it(`the flash of an ${withoutErase} stays when an erase is requested`, async () => {
  const { rig, board } = await connected({ chip: withoutErase });
  for (const erase of [() => board.erase({ offset: 0, length: sectorSize }), () => board.eraseAll()]) {
    await expect(rig.run(erase())).rejects.toMatchObject({ code: 'not-in-rom', state: 'unchanged' });
  }
  expect(differences(flashOf(rig), before)).toEqual([]);
});

describe('flash of a chip in Secure Download Mode outside the plan', () => {
  const later = espChipNames.filter((chip) => !['esp8266', 'esp8285', 'esp32'].includes(chip));

  it.each(later)(
    'stays when an %s is written',
    (chip) =>
      fc.assert(
        fc.asyncProperty(plans, async (regions) => {
          const { rig, board } = await connected({ chip, security: { secureDownload: true } });
          expect(board.runsStub).toBe(false);
          const report = await rig.run(board.write(regions));
          expect(report.state).toBe('unverified');
          expect(differences(flashOf(rig), expectedAfter(before, regions))).toEqual([]);
        }),
        runs,
      ),
    timeout,
  );
});

/** Returns the program that the chip's ROM starts on a new board. */
function firstProgram(chip: EspChipName) {
  const { flash } = new EspDevice({ chip });
  const offset = chipFacts[chip === 'esp8285' ? 'esp8266' : chip].bootloaderOffset;
  const bytes = flash.read(offset, 0x8000 - offset);
  return { offset, bytes: bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1) };
}

const codeOf = (failure: unknown) => (failure instanceof EspError ? failure.code : failure);
