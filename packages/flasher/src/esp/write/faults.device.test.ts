/**
 * Faults at each step of the protocol and of the wire, by seed on the virtual clock. Every write ends with all bytes
 * in flash or with a coded error. It does so within the time of its step plus 3 s, and the same board can be written
 * afterwards. `npm run test:long` runs many more seeds.
 */
import { type EspChipName, type EspFault, type EspFaultKind, type EspStep, seededEspFault } from '@wirebench/devices';
import { isLong, randomSeeds } from '@wirebench/test-input';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import { recoveryLimit } from '../../time-limit.ts';
import { deadlines, hashByte } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import { longestErase, longestProgram } from '../flash-times.ts';
import { EspRig, type EspRigOptions, loadAllChips } from '../testing/esp-rig.ts';

const SEEDS = isLong ? 300 : 20;
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;

const image = noise(24_000);
const offset = 0x1_0000;
const regions = splitIntoRegions(offset, image, 0x2000);

/** Longest silence of a step without the wire, in milliseconds. */
const longestStep =
  deadlines.hash +
  image.length * hashByte +
  longestErase({ offset, length: image.length }) +
  longestProgram(image.length);
const allowance = 3_000;

beforeAll(loadAllChips, 60_000);

/** Runs all steps that the tests need: a write, a read, and the erase of a sector. */
async function useBoard(rig: EspRig, stub: boolean): Promise<void> {
  const board = await rig.connect({ stub, baudRate: 921_600 });
  try {
    const report = await rig.run(board.write(regions));
    expect(report.state).toBe('complete');
    expect(rig.flash(offset, image.length)).toEqual(image);
    expect(await rig.run(board.read({ offset, length: 0x1800 }))).toEqual(image.subarray(0, 0x1800));
    if (stub) {
      await rig.run(board.erase({ offset: 0x8_0000, length: 0x1000 }));
    }
  } finally {
    await rig.run(board.close());
  }
}

const usual = new Map<string, number>();

/** Returns the virtual time that `useBoard` takes without a fault. */
async function usualTime(chip: EspChipName, stub: boolean): Promise<number> {
  const key = `${chip} ${stub}`;
  const known = usual.get(key);
  if (known !== undefined) {
    return known;
  }
  const rig = new EspRig({ chip });
  const start = rig.clock.now();
  await useBoard(rig, stub);
  usual.set(key, rig.clock.now() - start);
  return rig.clock.now() - start;
}

async function surviveFault(options: EspRigOptions & { chip: EspChipName }, stub: boolean): Promise<string> {
  const rig = new EspRig(options);
  const start = rig.clock.now();
  const failure = await useBoard(rig, stub).then(
    () => null,
    (error: unknown) => error,
  );
  const ended = rig.clock.now();
  if (failure !== null) {
    expect(failure).toBeInstanceOf(EspError);
  }
  if (rig.unpluggedAt === null) {
    // A cleared fault may be followed by a permanent one; each has the time of its step.
    const limit = (await usualTime(options.chip, stub)) + 2 * (longestStep + recoveryLimit) + allowance;
    expect(ended - start).toBeLessThan(limit);
  } else {
    expect(failure).not.toBeNull();
    expect(ended - rig.unpluggedAt).toBeLessThanOrEqual(1_000 + 10);
    rig.demo.replug();
    await rig.clock.advance(200);
  }
  if (failure !== null) {
    rig.device.pressReset();
    await rig.clock.advance(500);
    if ((options.faults?.length ?? 0) <= 1) {
      await useBoard(rig, stub);
    }
  }
  return failure instanceof EspError ? failure.code : 'recovered';
}

const steps: readonly EspStep[] = [
  'sync',
  'security-info',
  'read-reg',
  'write-reg',
  'mem-begin',
  'mem-data',
  'mem-end',
  'stub-start',
  'change-baud',
  'spi-attach',
  'spi-set-params',
  'flash-begin',
  'flash-data',
  'md5',
  'read-flash',
  'erase-region',
];
/** Steps that occur without the stub. */
const romSteps: readonly EspStep[] = [
  'sync',
  'read-reg',
  'write-reg',
  'change-baud',
  'flash-begin',
  'flash-data',
  'md5',
  'read-flash',
];
/** Steps that occur only once in a run without faults. */
const once: ReadonlySet<EspStep> = new Set<EspStep>([
  'sync',
  'security-info',
  'mem-end',
  'stub-start',
  'change-baud',
  'spi-attach',
  'spi-set-params',
  'flash-begin',
  'read-flash',
  'erase-region',
]);
const kinds: readonly EspFaultKind[] = [
  'drop-answer',
  'drop-command',
  'damage-answer',
  'garbage',
  'late-answer',
  'split-answer',
  'join-answer',
  'repeat-answer',
  'error-answer',
  'ignore-baud',
  'hang',
  'unplug',
  'brown-out',
];

describe('one fault', { timeout }, () => {
  it.each(steps)('at %s is recovered or reported, for each kind', async (at) => {
    for (const kind of kinds) {
      const fault: EspFault = { at, kind, nth: once.has(at) ? 1 : 2 };
      const outcome = await surviveFault({ chip: 'esp32c3', faults: [fault] }, true);
      // A single fault is a disturbance. Only an unplugged board ends the work.
      expect([at, kind, outcome]).toEqual([at, kind, kind === 'unplug' ? 'unplugged' : 'recovered']);
    }
  });

  it.each(['esp32', 'esp32s2', 'esp32c6', 'esp8266'] as const)(
    'is recovered or reported by seed, on %s',
    async (chip) => {
      for (const seed of randomSeeds(SEEDS)) {
        await surviveFault({ chip, seed, faults: [seededEspFault(seed, { latest: 6 })] }, true);
      }
    },
  );

  it.each(['esp32', 'esp32c3'] as const)('is recovered or reported by seed, on %s without the stub', async (chip) => {
    for (const seed of randomSeeds(SEEDS)) {
      await surviveFault({ chip, seed, faults: [seededEspFault(seed, { at: romSteps, latest: 40 })] }, false);
    }
  });
});

describe('one fault on a chip with its own USB port', { timeout }, () => {
  it.each(['esp32s3', 'esp32h2'] as const)('is recovered or reported by seed, on %s', async (chip) => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [seededEspFault(seed, { latest: 6 })];
      await surviveFault({ chip, connection: 'usb-jtag', seed, faults }, true);
    }
  });
});

describe('several faults', { timeout }, () => {
  it('are recovered or reported, by seed', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [1, 2, 3].map((index) => seededEspFault(seed * 10 + index, { latest: 8 }));
      await surviveFault({ chip: 'esp32c3', seed, faults }, true);
    }
  });
});

describe('a permanent fault', { timeout }, () => {
  it.each([
    ['flash-begin', 'error-answer', 'write-failed'],
    ['flash-data', 'error-answer', 'write-failed'],
    ['flash-data', 'hang', 'stopped-answering'],
    ['flash-data', 'drop-answer', 'stopped-answering'],
    ['md5', 'error-answer', 'read-failed'],
    ['read-flash', 'error-answer', 'read-failed'],
    ['erase-region', 'error-answer', 'erase-failed'],
    ['spi-attach', 'error-answer', 'flash-not-found'],
    ['sync', 'brown-out', 'brown-out'],
    ['sync', 'hang', 'no-sync-reply'],
  ] as const)('at %s, %s, is reported as %s', async (at, kind, code) => {
    const rig = new EspRig({ chip: 'esp32c3', faults: [{ at, kind, nth: 1, times: Number.POSITIVE_INFINITY }] });
    await expect(useBoard(rig, true)).rejects.toMatchObject({ name: 'EspError', code });
  });

  it('at the start of the stub makes the client continue without it', async () => {
    const faults: EspFault[] = [{ at: 'mem-end', kind: 'drop-command', times: Number.POSITIVE_INFINITY }];
    const rig = new EspRig({ chip: 'esp32c3', faults });
    await useBoard(rig, false);
    const board = await rig.connect();
    expect(rig.notices).toContainEqual({ kind: 'without-stub', reason: 'failed' });
    expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete', same: image.length });
  });

  it('after an erase leaves a board that is reported as incomplete', async () => {
    const faults: EspFault[] = [{ at: 'flash-data', kind: 'error-answer', nth: 2, times: Number.POSITIVE_INFINITY }];
    const rig = new EspRig({ chip: 'esp32c3', faults });
    await expect(useBoard(rig, true)).rejects.toMatchObject({ code: 'write-failed', state: 'incomplete' });
  });

  it('ends the write at the third try of a region', async () => {
    const faults: EspFault[] = [{ at: 'flash-data', kind: 'error-answer', nth: 1, times: Number.POSITIVE_INFINITY }];
    const rig = new EspRig({ chip: 'esp32c3', faults });
    await expect(useBoard(rig, true)).rejects.toMatchObject({ code: 'write-failed' });
    const repeated = rig.notices.filter(({ kind }) => kind === 'region-repeated');
    expect(repeated).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
  });
});

describe('a wire', { timeout }, () => {
  it('never leads to a false success when it loses and flips bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1e-4, 1e-5), async (wireSeed, level) => {
        const noise = { drop: level, flip: level };
        const rig = new EspRig({ chip: 'esp32c3', wireSeed, wire: { toHost: noise, toDevice: noise } });
        const outcome = await useBoard(rig, true).then(
          () => 'recovered',
          (error: unknown) => error,
        );
        expect(outcome === 'recovered' || outcome instanceof EspError).toBe(true);
      }),
      { numRuns: SEEDS },
    );
  });

  it('changes nothing when it delivers single and late bytes', async () => {
    const wire = { splitReads: true, toHost: { delay: [0, 20] as const } };
    await useBoard(new EspRig({ chip: 'esp32c3', wire }), true);
  });

  it('ends the work as unplugged within a second, after any number of bytes', async () => {
    for (let place = 1; place <= SEEDS; place++) {
      const unplugAfter = place * 997;
      const rig = new EspRig({ chip: 'esp32c3', wire: { toDevice: { unplugAfter } } });
      const outcome = await useBoard(rig, true).catch((error: unknown) => error);
      if (rig.unpluggedAt !== null) {
        expect(outcome).toMatchObject({ code: 'unplugged' });
        expect(rig.clock.now() - rig.unpluggedAt).toBeLessThanOrEqual(1_010);
      }
    }
  });
});
