import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BoardAnswer, BoardJob } from '../../../../protocol/board-protocol.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { BoardFilesPanel } from './board-files-panel.tsx';

const boardJob = vi.hoisted(() => vi.fn());
vi.mock('../../../../workbench/bench-waits.ts', () => ({ boardJob }));

const entries = [
  { path: '/lib', isFolder: true, size: 0 },
  { path: '/lib/a.py', isFolder: false, size: 5 },
];
const nothing: BoardAnswer = { tree: null, files: [], hashes: {}, written: [], removedFirst: [], failure: null };
const tree = { system: 'micropython 1.27.0; esp32', entries, space: { free: 1_024, total: 2_048 }, canHash: true };

function connected(): void {
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[1], state: 'connected' as const };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
}

afterEach(() => {
  cleanup();
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
});
