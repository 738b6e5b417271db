/**
 * The app that a simulated board starts after a write, against the app that its plan names. The board has a bootloader of its
 * own, written from ESP-IDF's sources (`packages/devices`).
 */
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { otaStateNumbers, type VectorEntry } from '../../../../devices/src/esp/testing/boot-choices.ts';
import { EspHost } from '../../../../devices/src/esp/testing/esp-host.ts';
import { BegunChanges } from '../../core/begun-changes.ts';
import type { EspEraseChoice } from '../plan/esp-plan-types.ts';
import { appOffset, bootTable, otaBytes, otaDataOffset } from '../testing/boot-states.ts';
import { buildApp, buildBootloader } from '../testing/esp-images.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';
import { readBoardContents } from './board-contents.ts';
import { carryOutEsp } from './carry-out.ts';
import { planComparedEsp } from './compared-plan.ts';

beforeAll(loadAllChips, 60_000);

type App = number | 'factory';

interface Case {
  readonly slots: number;
  readonly hasFactory: boolean;
  readonly entries: readonly [VectorEntry, VectorEntry];
  readonly rollback: boolean;
  /** Apps that the board holds. */
  readonly held: readonly App[];
  /** Apps that are written. */
  readonly written: readonly App[];
  readonly erase?: EspEraseChoice;
}

const { signal } = new AbortController();
const FLASH_SIZE = 0x100000;
const bootloader = buildBootloader({ sizeAndFrequency: 0x00 });

/** Plans, writes, and starts the board twice. Apps are named by their partitions. */
async function startedAfter({ slots, hasFactory, entries, rollback, held, written, erase = 'needed' }: Case) {
  const content = [
    { offset: 0x1000, data: bootloader },
    { offset: 0x8000, data: bootTable(slots, hasFactory) },
    { offset: otaDataOffset, data: otaBytes(entries) },
    ...held.map((app) => ({ offset: appOffset(app), data: buildApp({ version: 'old' }) })),
  ];
  const rig = new EspRig({ pace: 'none', powerUp: 'download', rollback, flash: { size: FLASH_SIZE, content } });
  const board = await rig.connect();
  const contents = await rig.run(readBoardContents(board, signal));
  const files = written.map((app) => ({
    name: `${app}.bin`,
    offset: appOffset(app),
    bytes: buildApp({ version: 'new' }),
  }));
  const input = { board, contents, isDemo: false, bootRules: null, begun: new BegunChanges(), files, erase, signal };
  const { plan } = await rig.run(planComparedEsp(input));
  expect(plan.refusals).toEqual([]);
  const saved = { contents: new Map(), changes: new BegunChanges() };
  const act = { clock: rig.clock, board, plan, saved, signal, onStage: () => undefined, onEvent: () => undefined };
  await rig.run(carryOutEsp(act));
  await rig.run(board.close());
  const flash = { size: FLASH_SIZE, content: [{ offset: 0, data: rig.flash(0, FLASH_SIZE) }] };
  const host = new EspHost({ chip: 'esp32', powerUp: 'first-open', rollback, flash });
  host.open();
  await host.clock.advance(1_000);
  const first = appIn(new TextDecoder().decode(host.terminal.take()));
  return { plan, starts: [first, appIn(await host.restart())] };
}

const nameOf = (app: App) => (app === 'factory' ? 'factory' : `ota_${app}`);

/** Returns the name of the app in a boot log; null if none was loaded. */
function appIn(text: string): string | null {
  const [, offset] = /Loaded app from partition at offset 0x([\da-f]+)/.exec(text) ?? [];
  const all: readonly App[] = ['factory', 0, 1, 2];
  const app = all.find((one) => appOffset(one).toString(16) === offset);
  return app === undefined ? null : nameOf(app);
}

const sequences = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 5 }), weight: 5 },
  { arbitrary: fc.integer({ min: 0xffff_fff0, max: 0xffff_fffe }), weight: 1 },
);
const stateNames = Object.keys(otaStateNumbers) as (keyof typeof otaStateNumbers)[];
const isIntact = fc.constantFrom(true, true, false);
const entry = fc.option(fc.tuple(sequences, fc.constantFrom(...stateNames), isIntact), { nil: null });
const cases = fc
  .record({
    slots: fc.integer({ min: 1, max: 3 }),
    hasFactory: fc.boolean(),
    entries: fc.tuple(entry, entry),
    rollback: fc.boolean(),
    erase: fc.constantFrom<EspEraseChoice>('none', 'needed', 'needed'),
    heldBits: fc.nat(15),
    writtenBits: fc.integer({ min: 1, max: 15 }),
    onlyOne: fc.boolean(),
  })
  .map(({ heldBits, writtenBits, onlyOne, ...rest }) => {
    const all: readonly App[] = [
      ...Array.from({ length: rest.slots }, (_, slot) => slot),
      ...(rest.hasFactory ? (['factory'] as const) : []),
    ];
    const chosen = (bits: number) => all.filter((_, index) => ((bits >> index) & 1) === 1);
    const written = chosen(writtenBits);
    const [first = all[writtenBits % all.length] ?? 0] = written;
    return { ...rest, held: chosen(heldBits), written: onlyOne || written.length === 0 ? [first] : written };
  });

describe('the app that starts after a write', () => {
  it(
    'is a written one if the plan says yes, and otherwise the one that it names',
    () =>
      fc.assert(
        fc.asyncProperty(cases, async (one) => {
          const { plan, starts } = await startedAfter(one);
          const names = one.written.map(nameOf);
          const other = plan.warnings.find(({ code }) => code === 'other-app-starts');
          expect(plan.start?.result).toBe(other === undefined ? 'yes' : 'no');
          if (other === undefined) {
            expect([names, names]).toEqual([expect.arrayContaining([starts[0]]), expect.arrayContaining([starts[1]])]);
            return;
          }
          // A bootloader without rollback starts an app again that was not confirmed.
          const isOnTrial = one.entries.some((found) => found?.[1] === 'pending' || found?.[1] === 'new');
          const isNamed = starts.every((started) => other.what.startsWith(`The board starts the app in "${started}"`));
          expect(isNamed || isOnTrial).toBe(true);
          expect(one.erase === 'none' || one.written.length > 1 || one.written[0] === 'factory').toBe(true);
        }),
        { numRuns: isLong ? 400 : 40 },
      ),
    isLong ? 1_200_000 : 120_000,
  );

  const two = { slots: 2, hasFactory: false, rollback: true, held: [0, 1], written: [1] } as const;

  it.each([
    ['erased OTA data', [null, null]],
    ['OTA data with a wrong checksum', [[2, 'valid', false], null]],
    [
      'an app that was not confirmed',
      [
        [1, 'valid', true],
        [2, 'pending', true],
      ],
    ],
    [
      'an aborted app',
      [
        [1, 'valid', true],
        [2, 'aborted', true],
      ],
    ],
    [
      'an app that was not started yet',
      [
        [1, 'valid', true],
        [2, 'new', true],
      ],
    ],
  ] as const)('is the new one in the second slot, in spite of %s', async (_, entries) => {
    const { plan, starts } = await startedAfter({ ...two, entries });
    expect([plan.start?.result, starts]).toEqual(['yes', ['ota_1', 'ota_1']]);
    expect(plan.changes.map(({ name }) => name)).toEqual(['otadata']);
  });

  it('stays the same app where nothing may be erased, and the plan says so', async () => {
    const { plan, starts } = await startedAfter({ ...two, entries: [null, null], erase: 'none' });
    expect([plan.start?.result, starts]).toEqual(['no', ['ota_0', 'ota_0']]);
    expect(plan.start?.why).toBe('Choose to erase what is needed, or add OTA data that select it.');
    expect(plan.changes).toEqual([]);
  });

  it('is the new one without any other change if the first slot holds no app', async () => {
    const { plan, starts } = await startedAfter({ ...two, entries: [null, null], held: [] });
    expect([plan.start?.result, plan.changes, plan.erase, starts]).toEqual(['yes', [], [], ['ota_1', 'ota_1']]);
  });

  it('is the factory app once its OTA data are erased', async () => {
    const { plan, starts } = await startedAfter({
      ...two,
      hasFactory: true,
      held: [0, 'factory'],
      written: ['factory'],
      entries: [[1, 'valid', true], null],
    });
    expect([plan.erase.map(({ name }) => name), starts]).toEqual([['otadata'], ['factory', 'factory']]);
  });
});
