import { describe, expect, it } from 'vitest';
import type { ChosenFiles, FileFacts, PlanFacts } from '../../../protocol/flash-protocol.ts';
import { type FlashState, initialFlash } from '../state/flash-state.ts';
import { testBoard, testPlan } from '../testing/families.ts';
import {
  type Build,
  buildText,
  isOwnAnswer,
  reasonToAsk,
  type WatchFacts,
  type WatchState,
  watchWords,
} from './watch-answers.ts';

const build: Build = {
  number: 33,
  at: Date.UTC(2026, 10, 27, 14, 13, 10),
  hash: '5c84b917',
  version: 'weather-node 1.4.2',
};
const board = { ...testBoard(), name: 'weather-kitchen' };
const running: FlashState = { ...initialFlash, phase: 'running', board };
const waiting: WatchState = { kind: 'waiting', note: null };
const facts = (state: WatchState, part: Partial<WatchFacts> = {}): WatchFacts => ({
  state,
  name: 'build, 4 files by flasher_args.json',
  since: build.at,
  written: 31,
  last: { build, seconds: 2.14 },
  ...part,
});
const words = (state: WatchState, flash = running) => watchWords(facts(state), flash);

describe('the answer while a folder is watched', () => {
  it.each([
    [waiting, 'Watching', 'Waiting for the next build', 'Stop watching'],
    [{ kind: 'building', since: 0, changed: 6, blame: null }, 'Watching', 'A build is running', 'Stop watching'],
    [{ kind: 'working', build }, 'Writing', 'Writing build 33', 'Stop'],
    [
      { kind: 'decision', build, why: 'It moves storage.' },
      'Your decision',
      'Build 33 is not written by itself',
      'Write build 33',
    ],
    [
      { kind: 'impossible', build, title: 'Build 33 is for another chip', remedy: 'Build it for this one.' },
      'Not possible',
      'Build 33 is for another chip',
      'Stop watching',
    ],
    [{ kind: 'gone', build }, 'Not connected', 'weather-kitchen is unplugged', 'Stop watching'],
    [{ kind: 'refused' }, 'Watching', 'The page may not read build any more', 'Let build be read again'],
  ] as const)('has tag, title and button in the state $kind', (state, tag, title, label) => {
    expect(words(state)).toMatchObject({ tag, title, label });
  });

  it('is amber only for a decision and a permission', () => {
    const states: readonly WatchState[] = [waiting, { kind: 'gone', build }, { kind: 'working', build }];
    expect(states.map((state) => words(state).primary ?? false)).toEqual([false, false, false]);
    expect(words({ kind: 'decision', build, why: '' })).toMatchObject({ primary: true, second: 'Skip it' });
  });

  it('counts the builds, and names the one that the board runs', () => {
    const { text, numbers } = words(waiting);
    expect(text).toMatch(
      /^31 builds written since \d\d:\d\d\. The board runs weather-node 1\.4\.2, built at \d\d:\d\d:10\.$/,
    );
    expect(numbers).toEqual([{ label: 'Last one', value: '2.1', unit: 's' }]);
    expect(words({ kind: 'waiting', note: 'same' }).text).toContain('Nothing was written.');
  });

  it('shows the written part of a build', () => {
    const flash: FlashState = { ...running, phase: 'writing', plan: { ...testPlan, toWrite: 75_776, same: 1_182_515 } };
    expect(words({ kind: 'working', build }, flash)).toMatchObject({
      title: 'Writing build 33, 74.0 KB of 1.2 MB',
      text: expect.stringContaining('Everything else is there already.'),
    });
  });

  it('leaves a failure, and a plan that the user has not carried out yet, to the page', () => {
    const none = facts(waiting, { last: null });
    expect(isOwnAnswer(none, { ...running, phase: 'failed' })).toBe(false);
    expect(isOwnAnswer(none, { ...running, phase: 'planned', plan: testPlan })).toBe(false);
    expect(isOwnAnswer(none, { ...running, phase: 'planned', plan: { ...testPlan, toWrite: 0 } })).toBe(true);
    expect(isOwnAnswer(none, running)).toBe(true);
    expect(isOwnAnswer(facts({ kind: 'gone', build }), { ...running, phase: 'failed' })).toBe(true);
  });
});

it('a line of the log names the build by number, time and hash', () => {
  expect(buildText(build)).toMatch(/^Build 33 of \d\d:\d\d:10, 5c84b917$/);
  expect(buildText({ ...build, hash: null })).toMatch(/^Build 33 of \d\d:\d\d:10$/);
});

describe('a plan that is carried out by itself', () => {
  const file = (name: string, what: string): FileFacts => ({
    id: 1,
    name,
    size: 4,
    what,
    offset: 0,
    why: '',
    places: null,
    application: null,
    sha256: '',
  });
  const chosen: ChosenFiles = {
    files: [file('table.bin', 'Partition table, 4 partitions'), file('app.bin', 'App')],
    leftOut: [],
    conflicts: [],
  };
  const warning = { code: 'data-moves', files: ['app.bin'], what: 'It moves storage.', remedy: '' };
  const ask = (plan: Partial<PlanFacts>, agreed: PlanFacts | null = null) =>
    reasonToAsk({ ...testPlan, ...plan }, agreed, chosen)?.short ?? null;

  it('writes files, and nothing else', () => {
    expect(ask({})).toBeNull();
  });

  it('brings no other partition table', () => {
    const region = { offset: 0x8000, length: 0xc00, file: 'table.bin', same: false };
    expect(ask({ regions: [region] })).toBe('it brings another partition table');
    expect(ask({ regions: [{ ...region, same: true }] })).toBeNull();
  });

  it('erases nothing that it does not write', () => {
    expect(ask({ eraseAll: true })).toBe('it erases the whole flash');
    const area = { offset: 0x9000, length: 0x1000, name: 'nvs', fate: 'erased' } as const;
    expect(ask({ eraseAll: true, map: [{ ...area, fate: 'restored' }] })).toBe(
      'it erases all flash except the stored settings (nvs)',
    );
    expect(ask({ map: [area] })).toBe('it erases nvs');
    expect(ask({ map: [{ ...area, fate: 'kept' }] })).toBeNull();
  });

  it('takes no files of the board, whether it puts them back or not', () => {
    const area = 'the files of MicroPython (LittleFS)';
    for (const isPutBack of [true, false]) {
      const plan = { ...testPlan, saved: [{ file: 'files.zip', area, isPutBack }] };
      expect(ask(plan, plan)).toBe(`it takes ${area}`);
    }
    expect(ask({ saved: [] })).toBeNull();
  });

  it('has no warning that the last written plan did not have', () => {
    expect(ask({ warnings: [warning] })).toBe('It moves storage');
    expect(ask({ warnings: [warning] }, { ...testPlan, warnings: [warning] })).toBeNull();
  });
});
