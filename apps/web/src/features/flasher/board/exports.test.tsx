import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { saveMonitorLog } from '../store/monitor-actions.ts';

const { call, saveFile, toast } = vi.hoisted(() => ({
  call: vi.fn<(name: string, ...args: unknown[]) => Promise<unknown>>(),
  saveFile: vi.fn(),
  toast: vi.fn(),
}));
vi.mock('../../../workbench/bench.ts', () => ({ getBench: () => ({ call }) }));
vi.mock('../../../shared/files/save-file.ts', () => ({ saveFile }));
vi.mock('../../../shared/ui/toast.ts', () => ({ toast }));
vi.mock('../store/flasher-store.ts', async (original) => ({
  ...(await original<object>()),
  flashOf: () => ({ board: null }),
}));

/** Simulates a bench that writes the file until it is cancelled, like the host. */
function slowBench() {
  let end: (error: Error) => void = () => undefined;
  let finish: (file: Blob) => void = () => undefined;
  const tickets: unknown[] = [];
  call.mockImplementation((name, ...args) => {
    if (name === 'endWait') {
      tickets.push(args[0]);
      end(new DOMException('ended', 'AbortError'));
      return Promise.resolve();
    }
    expect(name).toBe('exportFile');
    return new Promise((resolve, reject) => {
      end = reject;
      finish = resolve;
    });
  });
  return { finish: (file: Blob) => finish(file), tickets };
}

const exported = (bytes: number | null) => act(() => benchStatus.accept({ ...benchStatus.tick, exported: bytes }));
const words = { done: 'Done', remedy: 'Do less.' };
const request = { kind: 'raw', port: 1 } as const;

describe('an export that takes a while', () => {
  beforeEach(() => {
    call.mockReset();
    saveFile.mockReset();
    toast.mockReset();
    exported(null);
    render(<ExportStrip />);
  });
  afterEach(cleanup);

  it('of the flasher’s monitor shows how far it is, and is cancelled', async () => {
    const { tickets } = slowBench();
    expect(screen.queryByRole('status')).toBeNull();
    const saving = saveMonitorLog();
    exported(3 * 2 ** 20);
    expect(screen.getByRole('status').textContent).toContain('3.0 MB so far');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(() => saving);
    expect(tickets).toHaveLength(1);
    expect(saveFile).not.toHaveBeenCalled();
    expect(toast).toHaveBeenCalledExactlyOnceWith('Export cancelled', { level: 'info' });
  });

  it('is the only one, and the next one may follow it', async () => {
    const { finish } = slowBench();
    const first = saveExport(request, 'first.bin', words);
    await saveExport(request, 'second.bin', words);
    expect(toast).toHaveBeenCalledWith(expect.stringContaining('An export is under way'), { level: 'info' });
    finish(new Blob(['a']));
    await first;
    expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'first.bin');
    const third = saveExport(request, 'third.bin', words);
    finish(new Blob(['b']));
    await third;
    expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'third.bin');
  });

  it('that fails says why, and what to do instead', async () => {
    call.mockRejectedValue(new Error('Out of memory.'));
    await saveExport(request, 'log.bin', words);
    expect(toast).toHaveBeenCalledExactlyOnceWith('The export failed.', {
      level: 'error',
      detail: 'Out of memory. Do less.',
    });
  });
});
