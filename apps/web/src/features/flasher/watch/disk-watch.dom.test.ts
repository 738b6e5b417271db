import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeFiles } from '../store/file-actions.ts';
import { startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testFamily } from '../testing/families.ts';
import { DiskWatch } from './disk-watch.ts';

const call = fakeFlasher();

let now = 0;
let at = 1_000;
let pauses: number[] = [];
/** Happens during each wait, after a part of its time. */
let during: (() => void)[] = [];
let report: () => void = () => undefined;

const ending = new AbortController();
const root = { kind: 'directory', name: 'build' } as unknown as FileSystemHandle;
const reread = async () => new File(['one'], 'app.bin', { lastModified: at });

beforeEach(async () => {
  vi.stubGlobal(
    'FileSystemObserver',
    class {
      constructor(onChange: (records: readonly { relativePathComponents: readonly string[] }[]) => void) {
        report = () => onChange([{ relativePathComponents: ['app.bin'] }]);
      }
      observe = async () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  pauses = [];
  during = [];
  call.mockImplementation(async (name: string, duration: number) => {
    if (name === 'pause') {
      pauses.push(duration);
      now += 40;
      during.shift()?.();
      now += duration - 40;
      return null;
    }
    return {
      files: [{ id: 1, name: 'app.bin', from: 'app.bin', size: 3, what: 'App', sha256: '', application: null }],
      leftOut: [],
      conflicts: [],
    };
  });
  startFlasher(testFamily);
  await takeFiles([{ name: 'app.bin', content: await reread(), reread, root }]);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('waits only the rest of the time after a late report of a change that it has seen', async () => {
  const watch = new DiskWatch([root], ending.signal);
  await watch.begin();
  at = 2_000;
  during = [() => report()];
  expect(await watch.untilStill()).toBe(true);
  expect(pauses).toEqual([300, 40]);
});

it('waits the whole time again after a file has changed once more', async () => {
  const watch = new DiskWatch([root], ending.signal);
  await watch.begin();
  at = 2_000;
  const again = () => {
    at = 3_000;
    report();
  };
  during = [again];
  expect(await watch.untilStill()).toBe(true);
  expect(pauses).toEqual([300, 300]);
});
