/**
 * Faults at each step of the protocols and of the wire, by seed on the virtual clock. Every write ends with all bytes
 * in flash or with a coded error, and the same board can be written afterwards. `npm run test:long` runs many more
 * seeds.
 */
import {
  type AvrBoardName,
  type AvrFault,
  type AvrFaultKind,
  type AvrStep,
  avrFaultKinds,
  avrSteps,
  seededAvrFault,
} from '@wirebench/devices';
import { isLong, randomSeeds } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { AvrError } from '../avr-failure.ts';
import { AvrRig, type AvrRigOptions } from '../testing/avr-rig.ts';

const SEEDS = isLong ? 300 : 6;
/** Ends a hung test, with a margin for a busy machine. */
const timeout = isLong ? 1_200_000 : 180_000;

const image = noise(3_000);
/** Not the start of a page, so that the bytes before it must be kept. */
const place = 300;
const before = noise(place, 8);
const content = [{ address: 0, data: before }];
const regions = [{ offset: place, bytes: image }];
const eeprom = [{ offset: 7, bytes: noise(40, 6) }];

const boards = {
  'arduino-uno': avrSteps.optiboot,
  'arduino-nano': avrSteps['atmega-boot'],
  'arduino-mega': avrSteps['stk500-v2'],
  'arduino-leonardo': avrSteps.caterina,
} satisfies Record<AvrBoardName, readonly AvrStep[]>;
const names = Object.keys(boards) as AvrBoardName[];
/** Most milliseconds of a run without a fault and without a reset by hand, and of the recovery from one fault. */
const usual = 6_000;
const recovery = 6_000;

/** @param isNoisy True: a damaged address may have changed another page, which the report has to say. */
async function useBoard(rig: AvrRig, isNoisy = false): Promise<void> {
  const rest = rig.flash(0, rig.device.flash.size);
  const board = await rig.connect({ resetWindow: 0 });
  try {
    const report = await rig.run(board.write(regions, board.info.hasEeprom ? { eeprom } : {}));
    expect(isNoisy ? ['complete', 'damaged'] : ['complete']).toContain(report.state);
    if (report.state === 'complete') {
      const start = place + image.length;
      expect(Buffer.compare(rig.flash(start, rig.device.flash.size - start), rest.subarray(start))).toBe(0);
    }
    expect(await rig.run(board.read({ offset: 0, length: 600 }))).toEqual(
      Uint8Array.of(...before, ...image.subarray(0, 300)),
    );
    expectWritten(rig);
    if (board.info.hasEeprom) {
      expect(rig.device.eeprom.read(7, 40)).toEqual(noise(40, 6));
    }
    await rig.run(board.restart());
  } finally {
    await rig.run(board.close());
  }
}

function expectWritten(rig: AvrRig): void {
  expect(Buffer.compare(rig.flash(0, place), before)).toBe(0);
  expect(Buffer.compare(rig.flash(place, image.length), image)).toBe(0);
}

async function surviveFault(options: AvrRigOptions): Promise<string> {
  const rig = new AvrRig({ content, ...options });
  const start = rig.clock.now();
  const failure = await useBoard(rig).then(
    () => null,
    (error: unknown) => error,
  );
  if (failure !== null && !(failure instanceof AvrError)) {
    throw failure;
  }
  expect(rig.clock.now() - start).toBeLessThan(usual + recovery * (options.faults?.length ?? 1));
  if (failure !== null && (options.faults?.length ?? 0) <= 1) {
    await replug(rig);
    const board = await rig.connect({ resetWindow: 0 });
    await rig.run(board.write([...regions, ...failure.unrestored]));
    expectWritten(rig);
    await rig.run(board.close());
  }
  return failure?.code ?? 'recovered';
}

/** Plugs the board in again. A board on its own USB that hangs leaves its bootloader that way alone. */
async function replug(rig: AvrRig): Promise<void> {
  rig.demo.unplug();
  await rig.clock.advance(200);
  rig.demo.replug();
  await rig.clock.advance(500);
}

/** Steps that occur only once or twice in a run without faults. */
const once: ReadonlySet<AvrStep> = new Set<AvrStep>(['sync', 'leave', 'erase', 'write-eeprom', 'enter']);

describe.each(names)('one fault of a simulated %s', { timeout }, (name) => {
  it.each(boards[name].filter((step) => step !== 'universal'))(
    'at %s is recovered or reported, for each kind',
    async (at) => {
      for (const kind of avrFaultKinds) {
        const fault: AvrFault = { at, kind, nth: once.has(at) ? 1 : 2 };
        const outcome = await surviveFault({ board: name, faults: [fault] });
        if (name !== 'arduino-leonardo' && kind !== 'unplug') {
          expect([at, kind, outcome]).toEqual([at, kind, 'recovered']);
        }
      }
    },
  );

  it('is recovered or reported at a random step, by seed', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      await surviveFault({ board: name, seed, faults: [seededAvrFault(seed, { at: boards[name], latest: 12 })] });
    }
  });

  it('is recovered or reported after other faults, by seed', async () => {
    for (const seed of randomSeeds(SEEDS)) {
      const faults = [1, 2, 3].map((index) => seededAvrFault(seed * 10 + index, { at: boards[name], latest: 12 }));
      await surviveFault({ board: name, seed, faults });
    }
  });
});

describe('a permanent fault', { timeout }, () => {
  it.each([
    ['arduino-uno', 'sync', 'drop-answer', 'no-bootloader'],
    ['arduino-uno', 'address', 'error-answer', 'refused'],
    ['arduino-uno', 'write', 'drop-answer', 'stopped-answering'],
    ['arduino-mega', 'write', 'error-answer', 'refused'],
    ['arduino-mega', 'read', 'hang', 'stopped-answering'],
    ['arduino-leonardo', 'write', 'error-answer', 'refused'],
  ] as readonly (readonly [AvrBoardName, AvrStep, AvrFaultKind, string])[])(
    'on %s at %s, %s, is reported as %s',
    async (board, at, kind, code) => {
      const faults: AvrFault[] = [{ at, kind, nth: 1, times: Number.POSITIVE_INFINITY }];
      const rig = new AvrRig({ board, faults });
      await expect(useBoard(rig)).rejects.toMatchObject({ name: 'AvrError', code });
    },
  );

  it('leaves a board that is reported as incomplete', async () => {
    const faults: AvrFault[] = [{ at: 'write', kind: 'drop-answer', nth: 3, times: Number.POSITIVE_INFINITY }];
    const rig = new AvrRig({ content, faults });
    await expect(useBoard(rig)).rejects.toMatchObject({ code: 'stopped-answering', state: 'incomplete' });
  });
});

describe.each(names)('a wire to a simulated %s', { timeout }, (name) => {
  it('changes nothing when it delivers single and late bytes', async () => {
    const wire = { splitReads: true, toHost: { delay: [0, 20] as const } };
    await useBoard(new AvrRig({ board: name, content, wire }));
  });

  it('ends the work as unplugged within a second, after any number of bytes', async () => {
    for (let place = 1; place <= SEEDS; place++) {
      const rig = new AvrRig({ board: name, content, wire: { toDevice: { unplugAfter: place * 293 } } });
      const outcome = await useBoard(rig).catch((error: unknown) => error);
      if (outcome !== undefined) {
        expect(outcome).toMatchObject({ code: 'unplugged' });
        expect(rig.clock.now() - (rig.unpluggedAt ?? 0)).toBeLessThanOrEqual(1_010);
      }
    }
  });
});

describe('a wire that loses and flips bytes', { timeout }, () => {
  // USB repeats what it lost or damaged.
  it.each(names.filter((name) => name !== 'arduino-leonardo'))('never leads to a false success: %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1e-3, 1e-4), async (wireSeed, level) => {
        const disturbed = { drop: level, flip: level };
        const rig = new AvrRig({ board: name, content, wireSeed, wire: { toHost: disturbed, toDevice: disturbed } });
        const outcome = await useBoard(rig, true).then(
          () => 'recovered',
          (error: unknown) => error,
        );
        if (outcome !== 'recovered' && !(outcome instanceof AvrError)) {
          throw outcome;
        }
      }),
      // A bit of a page was flipped on its way to the board, and the same one on its way back.
      { numRuns: SEEDS, examples: name === 'arduino-uno' ? [[829_565, 1e-3]] : [] },
    );
  });
});
