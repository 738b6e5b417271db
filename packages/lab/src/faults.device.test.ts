/**
 * Random faults at each step of the protocol and of the wire, by seed, on the virtual clock. Every caller gets
 * correct values or a coded error within 3 s more than its work takes. Nothing forbidden is sent, and the same board
 * can be opened again. `npm run test:long` runs many more seeds.
 */
import { type EspFaultKind, type EspStep, seededEspFault } from '@wirebench/devices';
import { isLong, randomSeeds } from '@wirebench/test-input';
import { beforeAll, describe, expect, it } from 'vitest';
import { watchPins } from './instruments/pins.ts';
import { readRegisters } from './instruments/registers.ts';
import { LabError } from './lab-failure.ts';
import { entry, type Macro, setting } from './macro.ts';
import { LabRig, type LabRigOptions } from './testing/lab-rig.ts';

const SEEDS = isLong ? 300 : 16;
/** Timeout of a test that hangs, long enough for a busy machine. */
const timeout = isLong ? 1_200_000 : 240_000;

/** Maximum milliseconds from a fault to a defined end. */
const ALLOWANCE = 3_000;
const WORDS = 24;
const ram = { esp32: 0x3ffb_0000, esp32c3: 0x3fca_0000 } as const;
const chips = ['esp32', 'esp32c3'] as const;
type ChipName = (typeof chips)[number];

/** Typical work: long and short lists, reads side by side, a background watch, a transfer that is not repeated. */
function work(
  chip: ChipName,
  lab: Awaited<ReturnType<LabRig['open']>>,
): readonly (readonly [Macro<unknown>, unknown])[] {
  const numbers = Array.from({ length: WORDS }, (_, index) => index);
  const at = (number: number) => ram[chip] + 4 * number;
  const fill = setting(
    'fill',
    numbers.map((number) => entry(at(number), 5 * number)),
  );
  const again = { ...setting('again', [entry(at(0), 0)]), repeatable: false };
  return [
    [fill, undefined],
    ...numbers.map((number) => [readRegisters(lab.chip, [at(number)]), [5 * number]] as const),
    [again, undefined],
    [readRegisters(lab.chip, numbers.map(at)), numbers.map((number) => 5 * number)],
  ];
}

/**
 * Uses a lab to its end.
 *
 * @param isRight False: values may be wrong, because a lost byte of a list goes unnoticed.
 * @returns A failure's code, or `done`.
 */
async function useLab(rig: LabRig, isRight = true): Promise<string> {
  const opening = rig.opening().then(
    (lab) => lab,
    (error: unknown) => error,
  );
  const lab = await rig.run(opening);
  if (lab instanceof LabError) {
    return lab.code;
  }
  const open = lab as Awaited<ReturnType<LabRig['open']>>;
  const failures: string[] = [];
  const watching = open.run(watchPins(open.chip), { priority: 'background' }).catch(() => undefined);
  // Runs jobs side by side if the order of their failures does not matter: one list first, then all reads at once.
  for (const group of groupsOf(work(rig.chip, open))) {
    const started = rig.clock.now();
    const results = group.map(async ([macro, expected]) => {
      try {
        const value = await open.run(macro);
        if (isRight) {
          expect(value).toEqual(expected);
        }
      } catch (error) {
        if (!(error instanceof LabError)) {
          throw error;
        }
        failures.push(error.code);
      }
    });
    await rig.run(Promise.all(results));
    const took = rig.clock.now() - started;
    expect(took).toBeLessThanOrEqual(rig.unpluggedAt === null ? ALLOWANCE : ALLOWANCE + 10);
    if (failures.length > 0) {
      break;
    }
  }
  await rig.run(watching);
  const since = rig.clock.now();
  await rig.run(open.leave());
  expect(rig.clock.now() - since).toBeLessThanOrEqual(ALLOWANCE);
  return failures[0] ?? 'done';
}

function groupsOf<Item>([first, ...rest]: readonly Item[]): Item[][] {
  return [first === undefined ? [] : [first], rest.slice(0, -2), ...rest.slice(-2).map((item) => [item])];
}

async function survive(options: LabRigOptions, isRight = true): Promise<string> {
  const rig = new LabRig(options);
  const before = rig.device.flash.read(0, 0x1_0000);
  const outcome = await useLab(rig, isRight);
  expect(rig.problems()).toEqual([]);
  if (rig.unpluggedAt !== null) {
    if (rig.demo.port === null) {
      rig.demo.replug();
    }
    await rig.clock.advance(200);
  }
  rig.device.pressReset();
  await rig.clock.advance(500);
  // A fault that has not occurred yet may occur now.
  if (options.wire === undefined && outcome !== 'done') {
    rig.traffic.length = 0;
    expect(await useLab(rig)).toBe('done');
  }
  expect(rig.device.flash.read(0, 0x1_0000)).toEqual(before);
  return outcome;
}

beforeAll(async () => {
  for (const chip of chips) {
    expect(await useLab(new LabRig({ chip }))).toBe('done');
  }
}, 60_000);

const steps: readonly EspStep[] = ['sync', 'read-reg', 'write-reg', 'change-baud'];
const kinds: readonly EspFaultKind[] = [
  'drop-answer',
  'drop-command',
  'garbage',
  'late-answer',
  'split-answer',
  'error-answer',
  'hang',
  'unplug',
  'brown-out',
];

describe.each(chips)('on %s', (chip) => {
  it.each(steps)('a fault at %s ends in a known state', { timeout }, async (at) => {
    for (const kind of kinds) {
      for (const nth of [1, 4, 9]) {
        await survive({ chip, faults: [{ at, kind, nth }] });
      }
    }
  });

  it('faults by seed end in a known state', { timeout }, async () => {
    for (const seed of randomSeeds(SEEDS)) {
      await survive({ chip, faults: [seededEspFault(seed, { at: steps, kinds, latest: 30 })] });
    }
  });

  it('a cable pulled anywhere ends in a known state', { timeout }, async () => {
    for (let place = 1; place <= SEEDS; place++) {
      await survive({ chip, wire: { toDevice: { unplugAfter: 60 * place } } });
      await survive({ chip, wire: { toHost: { unplugAfter: 60 * place } } });
    }
  });

  it('bytes that vanish end in right values or a coded error', { timeout }, async () => {
    const outcomes = new Set<string>();
    for (const seed of randomSeeds(SEEDS)) {
      outcomes.add(await survive({ chip, wire: { toHost: { drop: 0.002 } }, wireSeed: seed }));
    }
    expect([...outcomes]).toContain('done');
  });

  it('bytes that vanish on the way to a ROM that checks nothing end in a known state', { timeout }, async () => {
    for (const seed of randomSeeds(SEEDS)) {
      await survive({ chip, wire: { toDevice: { drop: 0.001 } }, wireSeed: seed }, false);
    }
  });

  it('reads of one byte change nothing', { timeout }, async () => {
    expect(await survive({ chip, wire: { splitReads: true } })).toBe('done');
  });
});
