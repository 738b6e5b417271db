import { EditorView } from '@codemirror/view';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BoardAnswer, BoardJob } from '../../../../protocol/bench/board-files-part.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { showTool } from '../open-tool.ts';
import { BoardFilesPanel } from './board-files-panel.tsx';

const boardJob = vi.fn();
fakeBench(async (name, ...args) => (name === 'boardJob' ? boardJob(...args) : undefined));

const entries = [
  { path: '/lib', isFolder: true, size: 0 },
  { path: '/lib/a.py', isFolder: false, size: 5 },
];
const nothing: BoardAnswer = {
  tree: null,
  files: [],
  hashes: {},
  written: [],
  changed: [],
  removedFirst: [],
  failure: null,
};
const tree = { system: 'micropython 1.27.0; esp32', entries, space: { free: 1_024, total: 2_048 }, canHash: true };

function stopped(isStopped: boolean): void {
  const { tick } = benchStatus;
  benchStatus.accept({ ...tick, boards: { ...tick.boards, 1: { ...tick.boards[1], isStopped } } });
}

/** A job of the board is under way, or none, as the next tick says. */
function working(isWorking: boolean): void {
  const { tick } = benchStatus;
  const job = isWorking ? ({ kind: 'list', path: '', done: 0, total: null } as const) : null;
  benchStatus.accept({ ...tick, boards: { ...tick.boards, 1: { ...tick.boards[1], job } } });
}

function connected(): void {
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[1], state: 'connected' as const };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
}

/** The newest line of the port is Python's prompt, or is not. */
function atPrompt(isAtPrompt: boolean): void {
  const { tick } = benchStatus;
  const board = { ...tick.boards[1], isAtPrompt, banner: 'MicroPython v1.27.0' };
  benchStatus.accept({ ...tick, boards: { ...tick.boards, 1: board } });
}

/** The connection of port 1 began at a time, in milliseconds. */
function connectedSince(connectedAt: number): void {
  connected();
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[1], connectedAt };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
}

afterEach(() => {
  cleanup();
  stopped(false);
  atPrompt(false);
  showTool(null);
  boardJob.mockReset();
});

describe('files of a board', () => {
  it('are asked for, opened, edited and saved, and a program is interrupted only with leave', async () => {
    connected();
    const jobs: (readonly [BoardJob, boolean])[] = [];
    boardJob.mockImplementation(async (_port: number, job: BoardJob, mayInterrupt: boolean) => {
      jobs.push([job, mayInterrupt]);
      if (job.kind === 'list' && !mayInterrupt) {
        return { ...nothing, failure: { code: 'busy', message: 'A program runs.' } };
      }
      if (job.kind === 'read') {
        return { ...nothing, files: [{ path: '/lib/a.py', content: new TextEncoder().encode('x = 1') }] };
      }
      return { ...nothing, tree, written: job.kind === 'write' ? ['/lib/a.py'] : [] };
    });
    render(<BoardFilesPanel />);
    fireEvent.click(screen.getByRole('button', { name: 'Show the files' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Interrupt it' }));
    fireEvent.click(await screen.findByRole('button', { name: 'a.py' }));
    const editor = await screen.findByRole('textbox', { name: 'Text of /lib/a.py' });
    EditorView.findFromDOM(editor)?.dispatch({ changes: { from: 4, to: 5, insert: '2' } });
    expect(await screen.findByText('changed')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('/lib/a.py is saved and verified.')).toBeDefined();
    expect(jobs.map(([job, mayInterrupt]) => `${job.kind} ${mayInterrupt}`)).toEqual([
      'list false',
      'list true',
      'read false',
      'write false',
    ]);
    const [last] = jobs.at(-1) ?? [];
    expect(last?.kind === 'write' ? new TextDecoder().decode(last.files[0]?.content) : '').toBe('x = 2');
  });

  it.each(['plot', null] as const)('start an interrupted program again when %s takes their place', async (next) => {
    connected();
    showTool('board-files');
    boardJob.mockResolvedValue(nothing);
    stopped(true);
    showTool(next);
    await vi.waitFor(() => expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['soft-reset']));
  });

  it('start it again after the job that was under way when they were left', async () => {
    connected();
    showTool('board-files');
    const listing = Promise.withResolvers<BoardAnswer>();
    boardJob.mockReturnValueOnce(listing.promise).mockResolvedValue(nothing);
    render(<BoardFilesPanel />);
    fireEvent.click(screen.getByRole('button', { name: /Show the files|Reload the files/ }));
    stopped(true);
    showTool('plot');
    expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['list']);
    listing.resolve({ ...nothing, tree });
    await vi.waitFor(() => expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['list', 'soft-reset']));
  });

  it('are compared without the board where no size agrees', async () => {
    connected();
    boardJob.mockResolvedValue({ ...nothing, tree });
    render(<BoardFilesPanel />);
    fireEvent.click(screen.getByRole('button', { name: /Show the files|Reload the files/ }));
    const picker = await screen.findByLabelText('Folder to compare with the board');
    await vi.waitFor(() => expect(benchStatus.tick.boards[1].job).toBeNull());
    const local = (path: string, text: string) =>
      Object.defineProperty(new File([text], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path });
    fireEvent.change(picker, {
      target: { files: [local('project/lib/a.py', 'longer'), local('project/new.py', '1')] },
    });
    const comparison = await screen.findByRole('region', { name: 'Comparison with the board' });
    expect(comparison.textContent).toContain('New: /new.py');
    expect(comparison.textContent).toContain('Changed: /lib/a.py');
    expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['list']);
  });
});

/** Returns a local file that the browser refuses, as after a change on the disk. */
function changedFile(text: string, path: string): File {
  const file = localFile(text, path);
  const refuse = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
  return Object.assign(file, { arrayBuffer: refuse, slice: () => ({ arrayBuffer: refuse }) });
}

const localFile = (text: string, path: string) =>
  Object.defineProperty(new File([text], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path });

async function showFiles(): Promise<void> {
  connected();
  boardJob.mockResolvedValue({ ...nothing, tree });
  render(<BoardFilesPanel />);
  fireEvent.click(screen.getByRole('button', { name: /Show the files|Reload the files/ }));
  await screen.findByLabelText('Folder to compare with the board');
  await vi.waitFor(() => expect(boardJob).toHaveBeenCalledOnce());
}

describe('a board at its prompt', () => {
  it('is listed at once when the tool opens, and once more on another connection', async () => {
    connectedSince(1_000);
    atPrompt(true);
    boardJob.mockResolvedValue({ ...nothing, tree });
    render(<BoardFilesPanel />);
    expect(await screen.findByRole('button', { name: 'a.py' })).toBeDefined();
    cleanup();
    render(<BoardFilesPanel />);
    expect(boardJob.mock.calls.map(([, job, mayInterrupt]) => `${job.kind} ${mayInterrupt}`)).toEqual(['list false']);
    act(() => connectedSince(2_000));
    await vi.waitFor(() => expect(boardJob).toHaveBeenCalledTimes(2));
  });

  it('is not asked again by itself after an answer that failed', async () => {
    connectedSince(4_000);
    atPrompt(true);
    boardJob.mockResolvedValue({ ...nothing, failure: { code: 'protocol', message: 'The board answered nothing.' } });
    render(<BoardFilesPanel />);
    expect(await screen.findByText('The board answered nothing.')).toBeDefined();
    act(() => atPrompt(false));
    act(() => atPrompt(true));
    expect(boardJob).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole('button', { name: /Show the files|Reload the files/ }));
    await vi.waitFor(() => expect(boardJob).toHaveBeenCalledTimes(2));
  });

  it('is not listed while a program runs on it', async () => {
    connectedSince(3_000);
    atPrompt(false);
    render(<BoardFilesPanel />);
    expect(boardJob).not.toHaveBeenCalled();
    act(() => atPrompt(true));
    await vi.waitFor(() => expect(boardJob).toHaveBeenCalledOnce());
  });
});

describe('local files that changed since they were chosen', () => {
  it.each([
    ['Files for the board', 'main.py has changed since it was chosen, or was moved. Choose it again.'],
    ['Folder to compare with the board', 'main.py has changed since it was chosen, or was moved. Choose it again.'],
    ['Zip with files of a board', 'main.py has changed since it was chosen, or was moved. Choose it again.'],
  ])('are named, and nothing is sent to the board: %s', async (label, sentence) => {
    await showFiles();
    fireEvent.change(screen.getByLabelText(label), {
      target: { files: [changedFile('x = 1', 'main.py'), localFile('y = 1', 'boot.py')] },
    });
    expect(await screen.findByText(sentence)).toBeDefined();
    expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['list']);
  });
});

describe('a file dialog that is open while a job begins', () => {
  afterEach(() => working(false));

  it('is accepted once the job has ended', async () => {
    await showFiles();
    const picker = screen.getByLabelText('Folder to compare with the board');
    act(() => working(true));
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
    act(() => working(false));
    fireEvent.change(picker, { target: { files: [localFile('longer', 'project/lib/a.py')] } });
    expect(await screen.findByRole('region', { name: 'Comparison with the board' })).toBeDefined();
  });

  it.each(['Files for the board', 'Folder to compare with the board', 'Zip with files of a board'])(
    'shows that the board is at work: %s',
    async (label) => {
      await showFiles();
      const reading = Promise.withResolvers<BoardAnswer>();
      boardJob.mockReturnValueOnce(reading.promise);
      fireEvent.click(screen.getByRole('button', { name: 'a.py' }));
      fireEvent.change(screen.getByLabelText(label), { target: { files: [localFile('x = 1', 'main.py')] } });
      expect(
        await screen.findByText('The board is at work. Choose the files again when it has finished.'),
      ).toBeDefined();
      reading.resolve(nothing);
      await vi.waitFor(() => expect(boardJob.mock.calls.map(([, job]) => job.kind)).toEqual(['list', 'read']));
    },
  );
});

describe('an upload that fails', () => {
  it('names the files that are written and verified', async () => {
    await showFiles();
    boardJob.mockResolvedValue({
      ...nothing,
      written: ['/a.py'],
      failure: { code: 'closed', message: 'The board was unplugged.' },
    });
    fireEvent.change(screen.getByLabelText('Files for the board'), {
      target: { files: [localFile('1', 'a.py'), localFile('2', 'b.py')] },
    });
    const sentence = 'The board was unplugged. 1 of 2 files are written and verified: /a.py.';
    expect(await screen.findByText(sentence)).toBeDefined();
  });
});
