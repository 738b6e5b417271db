import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BoardAnswer, BoardJob } from '../../../../protocol/board-protocol.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { showTool } from '../open-tool.ts';
import { BoardFilesPanel } from './board-files-panel.tsx';

const boardJob = vi.hoisted(() => vi.fn());
vi.mock('../../../../workbench/bench-waits.ts', () => ({ boardJob }));

const entries = [
  { path: '/lib', isFolder: true, size: 0 },
  { path: '/lib/a.py', isFolder: false, size: 5 },
];
const nothing: BoardAnswer = { tree: null, files: [], hashes: {}, written: [], removedFirst: [], failure: null };
const tree = { system: 'micropython 1.27.0; esp32', entries, space: { free: 1_024, total: 2_048 }, canHash: true };

function stopped(isStopped: boolean): void {
  const { tick } = benchStatus;
  benchStatus.accept({ ...tick, boards: { ...tick.boards, 1: { ...tick.boards[1], isStopped } } });
}

function connected(): void {
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[1], state: 'connected' as const };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
}

afterEach(() => {
  cleanup();
  stopped(false);
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
    fireEvent.change(editor, { target: { value: 'x = 2' } });
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
