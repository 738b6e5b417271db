import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoardAnswer, BoardJob } from '../../../../protocol/bench/board-files-part.ts';
import { FakeFolder } from '../../../../shared/files/testing/fake-folder.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { BoardWatchRow } from './board-contents.tsx';
import { listBoard } from './board-store.ts';
import { stopWatching, watchBoardFolder } from './board-watch.ts';

const boardJob = vi.fn();
fakeBench(async (name, ...args) => (name === 'boardJob' ? boardJob(...args) : undefined));

const nothing: BoardAnswer = {
  tree: null,
  files: [],
  hashes: {},
  written: [],
  changed: [],
  removedFirst: [],
  failure: null,
};
const entries = [{ path: '/main.py', isFolder: false, size: 3 }];
const tree = { system: 'micropython', entries, space: null, canHash: true };

let folder: FakeFolder;
/** Tells the product that something in the folder has changed, as `FileSystemObserver` does. */
let noteChange: () => void;
let now = 0;

/** Saves files, given by name and content, and waits until the watch has seen them. */
async function save(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    folder.put(name, content, ++now);
  }
  await act(async () => {
    noteChange();
    await new Promise((resolve) => setTimeout(resolve));
  });
}

let answers: ((job: BoardJob, mayInterrupt: boolean) => BoardAnswer | null)[];
const jobs = () =>
  (boardJob.mock.calls as [number, BoardJob, boolean][]).map(([, job, mayInterrupt]) =>
    job.kind === 'write'
      ? `write ${job.files.map(({ path }) => path).join(' ')} ${JSON.stringify(job.expected ?? null)} ${mayInterrupt}`
      : job.kind,
  );

/** Watches a folder with `/main.py`, which the board has by the hash `old`. */
async function watch(): Promise<void> {
  folder = new FakeFolder('project');
  folder.put('main.py', 'old', ++now);
  listBoard(1);
  await vi.waitFor(() => expect(jobs()).toEqual(['list']));
  render(<BoardWatchRow port={1} isBusy={false} />);
  void act(() => void watchBoardFolder(1, folder.handle));
  expect(await screen.findByText('project')).toBeDefined();
  await vi.waitFor(() => expect(jobs()).toEqual(['list', 'hash']));
  // Lets the comparison end.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  boardJob.mockClear();
}

const flip = (name: string) => fireEvent.click(screen.getByRole('switch', { name }));

beforeEach(() => {
  vi.stubGlobal(
    'FileSystemObserver',
    class {
      constructor(onRecords: () => void) {
        noteChange = onRecords;
      }
      observe = async () => undefined;
      disconnect = () => undefined;
    },
  );
  answers = [];
  boardJob.mockImplementation(async (_port: number, job: BoardJob, mayInterrupt: boolean) => {
    const given = job.kind === 'write' ? (answers.shift()?.(job, mayInterrupt) ?? null) : null;
    const written = job.kind === 'write' ? job.files.map(({ path }) => path) : [];
    const hashes =
      job.kind === 'hash' ? { '/main.py': 'old' } : Object.fromEntries(written.map((path) => [path, 'new']));
    return given ?? { ...nothing, tree, written, hashes };
  });
});

afterEach(() => {
  act(() => stopWatching(1));
  cleanup();
  boardJob.mockReset();
  vi.unstubAllGlobals();
});

describe('a watched folder', () => {
  it('names saved files, and writes them only by a click', async () => {
    await watch();
    await save({ 'main.py': 'new' });
    expect(screen.getByText('Saved, and not on the board yet: /main.py')).toBeDefined();
    expect(jobs()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Write' }));
    await vi.waitFor(() => expect(screen.queryByText(/Saved, and not/)).toBeNull());
    expect(jobs()).toEqual(['write /main.py {"/main.py":"old"} false']);
  });

  it('writes each saved file by itself, expects its own version afterwards, and restarts if wanted', async () => {
    await watch();
    flip('Write each saved file by itself');
    flip('Soft reset afterwards');
    await save({ 'main.py': 'new' });
    await vi.waitFor(() => expect(jobs()).toEqual(['write /main.py {"/main.py":"old"} false', 'soft-reset']));
    await save({ 'main.py': 'newer' });
    await vi.waitFor(() => expect(jobs()).toHaveLength(4));
    expect(jobs().slice(2)).toEqual(['write /main.py {"/main.py":"new"} false', 'soft-reset']);
  });

  it('asks about a file that was changed on the board, and does not restart', async () => {
    await watch();
    flip('Write each saved file by itself');
    flip('Soft reset afterwards');
    answers = [() => ({ ...nothing, tree, changed: ['/main.py'] })];
    await save({ 'main.py': 'new' });
    expect(await screen.findByText(/^Changed on the board since it was read/)).toBeDefined();
    expect(jobs()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Write over it' }));
    await vi.waitFor(() => expect(screen.queryByText(/^Changed on the board/)).toBeNull());
    expect(jobs()[1]).toBe('write /main.py null false');
  });

  it('does not write again by itself what has failed, until the file is saved once more', async () => {
    await watch();
    flip('Write each saved file by itself');
    answers = [() => ({ ...nothing, failure: { code: 'full', message: 'The board is full.' } })];
    await save({ 'main.py': 'new' });
    await vi.waitFor(() => expect(jobs()).toHaveLength(1));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(jobs()).toHaveLength(1);
    expect(screen.getByText('Saved, and not on the board yet: /main.py')).toBeDefined();
    await save({ 'main.py': 'smaller' });
    await vi.waitFor(() => expect(jobs()).toHaveLength(2));
  });

  it('writes what is saved during a write when that has ended', async () => {
    await watch();
    flip('Write each saved file by itself');
    const first = Promise.withResolvers<BoardAnswer>();
    boardJob.mockReturnValueOnce(first.promise);
    await save({ 'main.py': 'new' });
    await vi.waitFor(() => expect(jobs()).toHaveLength(1));
    await save({ 'main.py': 'newer', 'b.py': '' });
    expect(jobs()).toHaveLength(1);
    first.resolve({ ...nothing, tree, written: ['/main.py'], hashes: { '/main.py': 'new' } });
    await vi.waitFor(() => expect(jobs()[1]).toBe('write /main.py /b.py {"/main.py":"new"} false'));
  });
});
