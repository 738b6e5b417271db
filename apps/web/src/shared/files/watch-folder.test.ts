import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LocalFile } from './local-files.ts';
import { FakeFolder } from './testing/fake-folder.ts';
import { watchFolder } from './watch-folder.ts';

/** Pauses that the test ends one by one, with their durations. */
function stepped() {
  const waits: { duration: number; end: () => void }[] = [];
  return {
    waits,
    pause: (duration: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits.push({ duration, end: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
    /** Ends the next pause. Returns its duration in milliseconds. */
    step: async () => {
      await vi.waitFor(() => expect(waits.length).toBeGreaterThan(0));
      const [wait] = waits.splice(0, 1);
      wait?.end();
      return wait?.duration;
    },
  };
}

function begin(folder: FakeFolder) {
  const stop = new AbortController();
  const { pause, step, waits } = stepped();
  const seen: string[][] = [];
  const onChanged = (files: readonly LocalFile[]) => void seen.push(files.map(({ path }) => path));
  const isWanted = (name: string) => !name.startsWith('.');
  const started = watchFolder({ folder: folder.handle, isWanted, onChanged, pause, signal: stop.signal });
  return { stop, step, waits, seen, started };
}

afterEach(() => vi.unstubAllGlobals());

describe('a watched folder', () => {
  it('reports new and saved files once they are still, and no others', async () => {
    const folder = new FakeFolder('project');
    const lib = new FakeFolder('lib');
    folder.entries.set('lib', lib);
    folder.put('main.py', 'x', 1);
    folder.put('.hidden', 'x', 1);
    lib.put('a.py', 'x', 1);
    const { stop, step, waits, seen, started } = begin(folder);
    const { files, done } = await started;
    expect(files.map(({ path }) => path).sort()).toEqual(['/lib/a.py', '/main.py']);

    lib.put('a.py', 'half', 2);
    lib.put('.swap', 'x', 2);
    expect(await step()).toBe(1_000);
    await vi.waitFor(() => expect(waits.map(({ duration }) => duration)).toEqual([300]));
    lib.put('a.py', 'half and the rest', 3);
    expect(await step()).toBe(300);
    expect(seen).toEqual([]);
    expect(await step()).toBe(300);
    await vi.waitFor(() => expect(seen).toEqual([['/lib/a.py']]));

    folder.put('new.py', '', 4);
    folder.entries.delete('main.py');
    await step();
    await step();
    await vi.waitFor(() => expect(seen).toEqual([['/lib/a.py'], ['/new.py']]));
    stop.abort();
    await done;
  });

  it('is looked at when the observer has a record', async () => {
    let record: () => void = () => undefined;
    const disconnect = vi.fn();
    vi.stubGlobal(
      'FileSystemObserver',
      class {
        constructor(onRecords: () => void) {
          record = onRecords;
        }
        observe = async () => undefined;
        disconnect = disconnect;
      },
    );
    const folder = new FakeFolder('project');
    folder.put('main.py', 'x', 1);
    const { stop, step, waits, seen, started } = begin(folder);
    const { done } = await started;
    await Promise.resolve();
    expect(waits).toEqual([]);
    folder.put('main.py', 'y', 2);
    record();
    expect(await step()).toBe(300);
    await vi.waitFor(() => expect(seen).toEqual([['/main.py']]));
    stop.abort();
    await done;
    expect(disconnect).toHaveBeenCalledOnce();
  });

  it('reports a change that came before the observer was ready', async () => {
    const folder = new FakeFolder('project');
    folder.put('main.py', 'x', 1);
    vi.stubGlobal(
      'FileSystemObserver',
      class {
        observe = async () => void folder.put('main.py', 'y', 2);
        disconnect = () => undefined;
      },
    );
    const { stop, step, seen, started } = begin(folder);
    const { done } = await started;
    expect(await step()).toBe(300);
    await vi.waitFor(() => expect(seen).toEqual([['/main.py']]));
    stop.abort();
    await done;
  });

  it('ends with the error of a folder that cannot be read any more', async () => {
    const folder = new FakeFolder('project');
    const { step, started } = begin(folder);
    const { done } = await started;
    folder.values = () => {
      throw new DOMException('gone', 'NotFoundError');
    };
    const failed = expect(done).rejects.toThrow('gone');
    await step();
    await failed;
  });
});
