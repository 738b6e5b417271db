import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { takeFiles } from '../store/file-actions.ts';
import { dispatch, flasherStore, flashOf, startFlasher } from '../store/flasher-store.ts';
import { visitPage } from '../store/page-visits.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../testing/families.ts';
import { startWatching } from './build-watch.tsx';

const call = fakeFlasher();
const bench = silentBench();

/** A file of a fake folder, which a build writes again. */
const disk = { text: 'one', at: 1_000 };
const root = { kind: 'directory', name: 'build' } as unknown as FileSystemHandle;
const reread = async () => new File([disk.text], 'app.bin', { lastModified: disk.at });
const answers: Record<string, unknown> = {};
const lines = () => bench.mock.calls.filter(([name]) => name === 'notice').map(([, , text]) => text);
const asked = (name: string) => call.mock.calls.filter(([one]) => one === name).length;

const chosenWith = (text: string) => ({
  files: [
    {
      id: 1,
      name: 'app.bin',
      from: 'build/app.bin',
      size: text.length,
      what: 'App',
      offset: 0x10000,
      why: '',
      places: null,
      application: `weather-node ${text}`,
      sha256: text.padEnd(64, '0'),
    },
  ],
  leftOut: [],
  conflicts: [],
});

/** The build writes the file again. */
function build(text: string): void {
  disk.text = text;
  disk.at += 1_000;
}

beforeAll(() => {
  startFlasher(testFamily);
  return visitPage();
});
beforeEach(async () => {
  startFlasher(testFamily);
  bench.mockClear();
  call.mockReset();
  Object.assign(disk, { text: 'one', at: 1_000 });
  Object.assign(answers, { checkBuild: ['whole'], plan: testPlan, write: testReport(), connect: testBoard() });
  call.mockImplementation(async (name: string, ...args: unknown[]) => {
    if (name === 'pause') {
      await new Promise((resolve) => setTimeout(resolve, Number(args[0]) / 30));
      return null;
    }
    if (name === 'addFiles' || name === 'renewFiles') {
      return chosenWith(disk.text);
    }
    const answer = answers[name];
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  });
  await takeFiles([{ name: 'build/app.bin', content: await reread(), reread, root }]);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  dispatch(1, { type: 'plan' });
  dispatch(1, { type: 'planned', plan: { ...testPlan, toWrite: 0 } });
  startWatching(1);
  await vi.waitFor(() => expect(flashOf(1).phase).toBe('running'));
});
afterEach(() => flasherStore().getState().watches[1]?.stop());

const title = () => {
  const watch = flasherStore().getState().watches[1];
  return watch?.answer({} as never, flashOf(1)).title;
};

it('a whole build is connected, compared, written, and named in the log', async () => {
  build('two');
  await vi.waitFor(() => expect(lines().join()).toContain('two00000, written'));
  expect(asked('write')).toBe(1);
  await vi.waitFor(() => expect(title()).toBe('Waiting for the next build'));
});

it('a torn build is not written until it is whole', async () => {
  answers['checkBuild'] = ['torn'];
  build('tw');
  await vi.waitFor(() => expect(title()).toBe('A build is running'));
  await vi.waitFor(() => expect(asked('checkBuild')).toBeGreaterThan(1));
  expect(asked('renewFiles') + asked('connect') + asked('write')).toBe(0);
  answers['checkBuild'] = ['whole'];
  build('two');
  await vi.waitFor(() => expect(lines().join()).toContain('two00000, written'));
});

it('a build with the same bytes neither restarts nor writes the board', async () => {
  build('one');
  await vi.waitFor(() => expect(lines().join()).toContain('the board has it already'));
  expect(asked('connect') + asked('write')).toBe(0);
});

it('a new warning waits for the user, and the board runs its program until then', async () => {
  const warning = { code: 'nvs-grows', files: [], what: 'It moves storage.', remedy: '' };
  answers['plan'] = { ...testPlan, warnings: [warning] };
  build('two');
  await vi.waitFor(() => expect(title()).toBe('Build 1 is not written by itself'));
  expect(flashOf(1).phase).toBe('running');
  expect(asked('write')).toBe(0);
  const watch = flasherStore().getState().watches[1];
  watch?.answer({} as never, flashOf(1)).own?.onPress();
  await vi.waitFor(() => expect(asked('write')).toBe(1));
});

it('a skipped build is not offered again', async () => {
  answers['plan'] = { ...testPlan, eraseAll: true };
  build('two');
  await vi.waitFor(() => expect(title()).toBe('Build 1 is not written by itself'));
  flasherStore()
    .getState()
    .watches[1]?.answer({} as never, flashOf(1))
    .own?.second?.onPress();
  await vi.waitFor(() => expect(lines()).toContain('Build 1 skipped'));
  const connects = asked('connect');
  build('two');
  await vi.waitFor(() => expect(asked('renewFiles')).toBe(2));
  await vi.waitFor(() => expect(title()).toBe('Waiting for the next build'));
  expect(asked('connect')).toBe(connects);
});

it('a write that fails is not repeated, and the next build is written', async () => {
  answers['write'] = new Error('The board stopped answering.');
  build('two');
  await vi.waitFor(() => expect(lines().join()).toContain('not written: The board stopped answering.'));
  expect(asked('write')).toBe(1);
  expect(flashOf(1).phase).toBe('failed');
  answers['write'] = testReport();
  build('three');
  await vi.waitFor(() => expect(lines().join()).toContain('three000, written'));
  expect(asked('write')).toBe(2);
});

it('only the newest of the builds that arrive during a write is written', async () => {
  const first = Promise.withResolvers<unknown>();
  answers['write'] = first.promise;
  build('two');
  await vi.waitFor(() => expect(asked('write')).toBe(1));
  const { length } = call.mock.calls;
  build('three');
  await vi.waitFor(() => expect(call.mock.calls.length).toBeGreaterThan(length + 6));
  build('four');
  await vi.waitFor(() => expect(call.mock.calls.length).toBeGreaterThan(length + 14));
  answers['write'] = testReport();
  first.resolve(testReport());
  await vi.waitFor(() => expect(lines().join()).toContain('four0000, written'));
  expect(lines().join()).not.toContain('three000');
  expect(lines()).toContain('Build 2 skipped: 3 was newer');
});

it('a build that cannot be proven complete and came during a write is asked about once', async () => {
  const first = Promise.withResolvers<unknown>();
  answers['write'] = first.promise;
  build('two');
  await vi.waitFor(() => expect(asked('write')).toBe(1));
  const { length } = call.mock.calls;
  build('three');
  await vi.waitFor(() => expect(call.mock.calls.length).toBeGreaterThan(length + 6));
  answers['checkBuild'] = ['unproven'];
  const realNow = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() * 30);
  first.resolve(testReport());
  await vi.waitFor(() => expect(title()).toBe('Build 2 is not written by itself'));
  const checks = asked('checkBuild');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked('checkBuild')).toBe(checks);
  expect(lines().join()).not.toContain('skipped');
  vi.restoreAllMocks();
});
