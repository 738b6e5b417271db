/**
 * Faults at each step of the protocol and of the wire, by seed on the virtual clock. Every write ends with all bytes
 * in flash or with a coded error. It does so within the time of its step plus 3 s, and the same board can be written
 * afterwards. `npm run test:long` runs many more seeds.
 */
import {
  type StmFault,
  type StmFaultKind,
  type StmUartStep,
  seededStmFault,
  stmFaultKinds,
  stmUartSteps,
  stmUsbFaultKinds,
  stmUsbSteps,
} from '@wirebench/devices';
import { isLong, randomSeeds } from '@wirebench/test-input';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { recoveryLimit } from '../../time-limit.ts';
import { eraseLimit } from '../deadlines.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmBoard } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';
import { StmRig, type StmRigOptions, StmUsbRig } from '../testing/stm-rig.ts';

const SEEDS = isLong ? 300 : 12;
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 180_000;

const image = noise(3_000);
/** Offset that is not the start of a sector, so that the bytes before it must be kept. */
const place = 300;
const before = noise(place, 8);
const content = [{ address: flashStart, data: before }];

/** Longest silence of a step without the wire, in milliseconds. */
const longestStep = eraseLimit(Array.from({ length: 33 }, () => 0x400));
const allowance = 3_000;

/** Runs all steps that the tests need: a write, a read, the erase of a sector, a start. */
async function useBoard(board: StmBoard, run: <T>(work: Promise<T>) => Promise<T>): Promise<void> {
  try {
    const report = await run(board.write([{ offset: flashStart + place, bytes: image }]));
    expect(report.state).toBe('complete');
    expect(await run(board.read({ offset: flashStart, length: 600 }))).toEqual(
      Uint8Array.of(...before, ...image.subarray(0, 300)),
    );
    await run(board.erase([{ offset: flashStart + 0x8000, length: 0x400 }]));
    await run(board.restart(flashStart));
  } finally {
    await run(board.close());
  }
}

async function useUart(rig: StmRig): Promise<void> {
  const board = await rig.connect();
  await useBoard(board, (work) => rig.run(work));
  expect(rig.flash(0, place)).toEqual(before);
  expect(rig.flash(place, image.length)).toEqual(image);
}

async function surviveFault(options: StmRigOptions): Promise<string> {
  const rig = new StmRig({ content, ...options });
  const start = rig.clock.now();
  const failure = await useUart(rig).then(
    () => null,
    (error: unknown) => error,
  );
  const ended = rig.clock.now();
  if (failure !== null && !(failure instanceof StmError)) {
    throw failure;
  }
  if (rig.unpluggedAt === null) {
    // A cleared fault may be followed by a permanent one; each has the time of its step. Without a fault everything
    // takes at most 6 s.
    expect(ended - start).toBeLessThan(6_000 + 2 * (longestStep + recoveryLimit) + allowance);
  } else {
    expect(failure).not.toBeNull();
    expect(ended - rig.unpluggedAt).toBeLessThanOrEqual(1_000 + 10);
    rig.demo.replug();
    await rig.clock.advance(200);
  }
  if (failure !== null && (options.faults?.length ?? 0) <= 1) {
    const board = await rig.connect();
    await rig.run(board.write([{ offset: flashStart + place, bytes: image }, ...failure.unrestored]));
    expect(rig.flash(0, place)).toEqual(before);
    expect(rig.flash(place, image.length)).toEqual(image);
  }
  return failure?.code ?? 'recovered';
}

/** Steps that occur only once in a run without faults. */
const once: ReadonlySet<StmUartStep> = new Set<StmUartStep>([
  'sync',
  'get',
  'get-id',
  'erase-command',
  'erase-pages',
  'go-command',
  'go-address',
]);

describe('one fault', { timeout }, () => {
  it.each(stmUartSteps.filter((step) => step !== 'get-version' && !step.startsWith('protect')))(
    'at %s is recovered or reported, for each kind',
    async (at) => {
      for (const kind of stmFaultKinds) {
        const fault: StmFault = { at, kind, nth: once.has(at) ? 1 : 2 };
        const outcome = await surviveFault({ checksum: at.startsWith('checksum'), faults: [fault] });
        // A single fault is a disturbance. Only an unplugged board ends the work.
        expect([at, kind, outcome]).toEqual([at, kind, kind === 'unplug' ? 'unplugged' : 'recovered']);
      }
    },
  );

  it.each(['stm32f407', 'stm32g071', 'stm32l053'] as const)('is recovered or reported by seed, on %s', async (part) => {
    for (const seed of randomSeeds(SEEDS)) {
      await surviveFault({ part, seed, faults: [seededStmFault(seed, { latest: 12 })] });
    }
  });
});

describe('several faults', { timeout }, () => {
  it('are recovered or reported, by seed', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [1, 2, 3].map((index) => seededStmFault(seed * 10 + index, { latest: 12 }));
      await surviveFault({ seed, faults });
    }
  });
});

describe('a permanent fault', { timeout }, () => {
  it.each([
    ['sync', 'drop-command', 'no-answer'],
    ['get', 'drop-answer', 'no-answer'],
    ['get-id', 'error-answer', 'refused'],
    ['read-address', 'drop-answer', 'stopped-answering'],
    ['write-data', 'error-answer', 'write-failed'],
    ['write-data', 'drop-answer', 'stopped-answering'],
    ['write-command', 'hang', 'stopped-answering'],
    ['erase-pages', 'error-answer', 'erase-failed'],
    ['erase-command', 'error-answer', 'refused'],
  ] as readonly (readonly [StmUartStep, StmFaultKind, string])[])(
    'at %s, %s, is reported as %s',
    async (at, kind, code) => {
      const faults: StmFault[] = [{ at, kind, nth: 1, times: Number.POSITIVE_INFINITY }];
      const rig = new StmRig({ content, faults });
      await expect(useUart(rig)).rejects.toMatchObject({ name: 'StmError', code });
    },
  );

  it('after an erase leaves a board that is reported as incomplete', async () => {
    const faults: StmFault[] = [{ at: 'write-data', kind: 'error-answer', nth: 3, times: Number.POSITIVE_INFINITY }];
    const rig = new StmRig({ content, faults });
    await expect(useUart(rig)).rejects.toMatchObject({ code: 'write-failed', state: 'incomplete' });
  });
});

describe('one fault on USB', { timeout }, () => {
  it.each(stmUsbSteps)('at %s is recovered or reported, for each kind', async (at) => {
    for (const kind of stmUsbFaultKinds) {
      const rig = new StmUsbRig({ content, faults: [{ at, kind, nth: at === 'dfu-leave' ? 1 : 4 }] });
      const outcome = await rig
        .connect()
        .then((board) => useBoard(board, (work) => rig.run(work)))
        .then(
          () => 'recovered',
          (error: unknown) => error,
        );
      if (rig.unpluggedAt !== null && outcome !== 'recovered') {
        expect(rig.clock.now() - rig.unpluggedAt).toBeLessThanOrEqual(1_010);
      }
      expect(outcome === 'recovered' || outcome instanceof StmError).toBe(true);
      if (kind === 'late-answer' || kind === 'error-answer') {
        expect([at, kind, outcome]).toEqual([at, kind, 'recovered']);
      }
    }
  });
});

describe('a wire', { timeout }, () => {
  it('never leads to a false success when it loses and flips bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1e-3, 1e-4), async (wireSeed, level) => {
        const disturbed = { drop: level, flip: level };
        const rig = new StmRig({ content, wireSeed, wire: { toHost: disturbed, toDevice: disturbed } });
        const outcome = await useUart(rig).then(
          () => 'recovered',
          (error: unknown) => error,
        );
        if (outcome !== 'recovered' && !(outcome instanceof StmError)) {
          throw outcome;
        }
      }),
      { numRuns: SEEDS },
    );
  });

  it('changes nothing when it delivers single and late bytes', async () => {
    await useUart(new StmRig({ content, wire: { splitReads: true, toHost: { delay: [0, 20] as const } } }));
  });

  it('ends the work as unplugged within a second, after any number of bytes', async () => {
    for (let place = 1; place <= SEEDS; place++) {
      const rig = new StmRig({ content, wire: { toDevice: { unplugAfter: place * 293 } } });
      const outcome = await useUart(rig).catch((error: unknown) => error);
      if (rig.unpluggedAt !== null) {
        expect(outcome).toMatchObject({ code: 'unplugged' });
        expect(rig.clock.now() - rig.unpluggedAt).toBeLessThanOrEqual(1_010);
      }
    }
  });
});
