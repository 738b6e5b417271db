/**
 * Faults at each step of each protocol and of the wire, by seed on the virtual clock. A write that reports success
 * has every byte in flash; any other ends with a coded error. It ends within a second after a pulled cable, otherwise
 * within the time of its step plus 3 s. The same board can be written afterwards. `npm run test:long` runs many more
 * seeds.
 */
import {
  type NrfBoardName,
  type NrfFault,
  type NrfFaultKind,
  type NrfStep,
  nrfFaultKinds,
  nrfFirmware,
  nrfSteps,
  seededNrfFault,
} from '@wirebench/devices';
import { isLong, randomSeeds } from '@wirebench/test-input';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoveryLimit } from '../../time-limit.ts';
import { deadlines, returnLimit, vanishLimit } from '../deadlines.ts';
import { NrfError } from '../nrf-failure.ts';
import type { NrfFirmware } from '../package/nrf-firmware.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig, type NrfRigOptions } from '../testing/nrf-rig.ts';

const SEEDS = isLong ? 200 : 12;
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 120_000;
const SIZE = 12_288;
const allowance = 3_000;

type Protocol = keyof typeof nrfSteps;
const boards = {
  secure: 'nrf52832-secure',
  adafruit: 'xiao-nrf52840',
  mcuboot: 'nrf52840-mcuboot',
} as const satisfies Record<Protocol, NrfBoardName>;

/** The same bootloaders on the other link: USB instead of UART, and UART instead of USB. */
const others = {
  secure: 'nrf52840-secure',
  adafruit: 'feather-nrf52832',
  mcuboot: 'nrf52840-mcuboot-usb',
} as const satisfies Record<Protocol, NrfBoardName>;

/** Longest silence of one step in milliseconds. */
const longestStep: Readonly<Record<Protocol, number>> = {
  secure: deadlines.executeLast,
  // Time for the port to vanish and come back.
  adafruit: vanishLimit + returnLimit,
  mcuboot: deadlines.firstChunk,
};

async function firmwareFor(board: NrfBoardName) {
  const made = nrfFirmware({ board, size: SIZE });
  return { image: made.image, firmware: await readNrfFirmware(made.name, made.bytes) };
}

/** Writes and returns the reported state, which is checked against the flash. */
async function useBoard(rig: NrfRig, firmware: NrfFirmware, image: Uint8Array): Promise<string> {
  const board = await rig.connect();
  try {
    const report = await rig.run(board.write(firmware));
    if (report.state === 'complete') {
      expect(rig.holds(image)).toBe(true);
    }
    if (board.info.bootloader === 'mcuboot') {
      await rig.run(board.restart());
    }
    return report.state;
  } finally {
    await rig.run(board.close());
  }
}

const usual = new Map<NrfBoardName, number>();

/** Returns the virtual time of `useBoard` without a fault. */
async function usualTime(name: NrfBoardName): Promise<number> {
  const known = usual.get(name);
  if (known !== undefined) {
    return known;
  }
  const rig = new NrfRig({ board: name });
  const { firmware, image } = await firmwareFor(name);
  const start = rig.clock.now();
  await useBoard(rig, firmware, image);
  const time = rig.clock.now() - start;
  usual.set(name, time);
  return time;
}

async function surviveFault(protocol: Protocol, options: NrfRigOptions): Promise<string> {
  const { firmware, image } = await firmwareFor(options.board);
  const rig = new NrfRig(options);
  const start = rig.clock.now();
  const outcome = await useBoard(rig, firmware, image).catch((error: unknown) => error);
  const ended = rig.clock.now();
  const context = JSON.stringify(options);
  if (typeof outcome !== 'string') {
    expect(outcome, context).toBeInstanceOf(NrfError);
  }
  if (rig.unpluggedAt !== null && typeof outcome !== 'string') {
    // A board that is expected to restart is awaited as another port.
    const isAwaited = protocol === 'adafruit' && options.faults?.some(({ at }) => at === 'stop' || at === 'restart');
    expect(ended - rig.unpluggedAt, context).toBeLessThanOrEqual(isAwaited ? longestStep[protocol] : 1_030);
  } else {
    const faults = options.faults?.length ?? 0;
    const limit = (await usualTime(options.board)) + faults * (longestStep[protocol] + recoveryLimit) + allowance;
    expect(ended - start, context).toBeLessThan(limit);
  }
  if (typeof outcome === 'string') {
    return outcome;
  }
  if (rig.demo.port === null) {
    rig.demo.replug();
  }
  await rig.clock.advance(1_000);
  rig.device.pressReset('with-boot-button');
  await rig.clock.advance(2_000);
  if ((options.faults?.length ?? 0) <= 1) {
    const again = await useBoard(rig, firmware, image).catch((error: unknown) => error);
    expect(['complete', 'unverified'], `${context}: ${String(again)}`).toContain(again);
  }
  return outcome instanceof NrfError ? outcome.code : 'another error';
}

const stepsOf = (protocol: Protocol): readonly NrfStep[] => nrfSteps[protocol];
/** Steps that occur several times and are disturbed at their second occurrence. */
const often: ReadonlySet<NrfStep> = new Set<NrfStep>(['create', 'write', 'crc', 'execute', 'data', 'upload']);

describe.each(Object.keys(boards) as Protocol[])('one fault with %s', { timeout }, (protocol) => {
  const board = boards[protocol];

  it.each(stepsOf(protocol))('at %s is recovered or reported, for each kind', async (at) => {
    for (const kind of nrfFaultKinds) {
      const outcome = await surviveFault(protocol, { board, faults: [{ at, kind, nth: often.has(at) ? 2 : 1 }] });
      expect([at, kind, isFair(protocol, at, kind, outcome)]).toEqual([at, kind, outcome]);
    }
  });

  it('is recovered or reported, by seed', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [seededNrfFault(seed, { at: stepsOf(protocol), latest: 6 })];
      await surviveFault(protocol, { board, seed, faults });
    }
  });

  it(`is recovered or reported by seed, on ${others[protocol]}`, async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [seededNrfFault(seed, { at: stepsOf(protocol), latest: 6 })];
      await surviveFault(protocol, { board: others[protocol], seed, faults });
    }
  });

  it('is recovered or reported by seed, several times in a write', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [1, 2, 3].map((index) => seededNrfFault(seed * 10 + index, { at: stepsOf(protocol), latest: 8 }));
      await surviveFault(protocol, { board, seed, faults });
    }
  });

  it('leads to a valid state or a coded error if it is permanent', async () => {
    for (const at of stepsOf(protocol)) {
      for (const kind of ['hang', 'drop-answer', 'error-answer'] as const satisfies readonly NrfFaultKind[]) {
        const faults: NrfFault[] = [{ at, kind, nth: 1, times: Number.POSITIVE_INFINITY }];
        const rig = new NrfRig({ board, faults });
        const { firmware, image } = await firmwareFor(board);
        const outcome = await useBoard(rig, firmware, image).catch((error: unknown) => error);
        expect(typeof outcome === 'string' || outcome instanceof NrfError, `${at} ${kind}: ${String(outcome)}`).toBe(
          true,
        );
      }
    }
  });
});

/**
 * Returns the outcome if the fault may lead to it, otherwise the allowed ones. A single fault is a disturbance, after
 * which most steps are repeated.
 */
function isFair(protocol: Protocol, at: NrfStep, kind: NrfFaultKind, outcome: string): string {
  const fair = new Set(['complete']);
  if (kind === 'unplug') {
    fair.add('unplugged').add('unverified').add('came-back-different');
  }
  if (kind === 'hang') {
    fair.add('stopped-answering').add('nothing-at-all').add('unverified');
  }
  if (protocol === 'adafruit') {
    // A hung board is silent and cannot continue. If it restarts, it comes back in its bootloader.
    fair.add('unplugged').add('image-not-accepted').add('stopped-answering').add('unverified');
  }
  if (at === 'execute' || at === 'restart') {
    fair.add('unverified');
  }
  return fair.has(outcome) ? outcome : [...fair].join(', ');
}

describe('a wire', { timeout }, () => {
  it.each(Object.values(boards))(
    'never leads to a false success when it loses and flips bytes, with %s',
    async (board) => {
      const { firmware, image } = await firmwareFor(board);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1e-3, 1e-4), async (wireSeed, level) => {
          const noise = { drop: level, flip: level };
          const rig = new NrfRig({ board, wireSeed, wire: { toHost: noise, toDevice: noise } });
          const outcome = await useBoard(rig, firmware, image).catch((error: unknown) => error);
          expect(typeof outcome === 'string' || outcome instanceof NrfError, String(outcome)).toBe(true);
        }),
        { numRuns: SEEDS },
      );
    },
  );

  it.each(Object.values(boards))('changes nothing when it delivers single and late bytes, with %s', async (board) => {
    const wire = { splitReads: true, toHost: { delay: [0, 20] as const } };
    const { firmware, image } = await firmwareFor(board);
    expect(await useBoard(new NrfRig({ board, wire }), firmware, image)).toBe('complete');
  });

  it.each(Object.values(boards))(
    'ends the work within a second of being pulled, after any number of bytes, with %s',
    async (board) => {
      const { firmware, image } = await firmwareFor(board);
      for (let place = 1; place <= SEEDS; place++) {
        const rig = new NrfRig({ board, wire: { toDevice: { unplugAfter: place * 997 } } });
        const outcome = await useBoard(rig, firmware, image).catch((error: unknown) => error);
        if (rig.unpluggedAt !== null) {
          expect(outcome, `place ${place}`).toMatchObject({ code: 'unplugged' });
          expect(rig.clock.now() - rig.unpluggedAt).toBeLessThanOrEqual(1_030);
        }
      }
    },
  );
});
