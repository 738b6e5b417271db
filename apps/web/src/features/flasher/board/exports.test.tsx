import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { fakeDownloads } from '../../../workbench/testing/saved-files.ts';
import { startFlasher } from '../store/flasher-store.ts';
import { saveMonitorLog } from '../store/monitor-actions.ts';
import { testFamily } from '../testing/families.ts';

const call = fakeBench();
const saved = fakeDownloads();

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

describe('a slow export', () => {
  beforeEach(() => {
    call.mockReset();
    saved.mockReset();
    resetStores();
    startFlasher(testFamily);
    exported(null);
    render(<ExportStrip />);
  });
  afterEach(cleanup);

  it('shows its progress for the flasher’s monitor, and can be cancelled', async () => {
    const { tickets } = slowBench();
    expect(screen.queryByRole('status')).toBeNull();
    const saving = saveMonitorLog();
    exported(3 * 2 ** 20);
    expect(screen.getByRole('status').textContent).toContain('3.0 MB so far');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(() => saving);
    expect(tickets).toHaveLength(1);
    expect(saved).not.toHaveBeenCalled();
    expect(toasts().current).toMatchObject({ text: 'Saving cancelled', level: 'info' });
  });

  it('excludes a second one, and another may follow it', async () => {
    const { finish } = slowBench();
    const first = saveExport(request, 'first.bin', words);
    await saveExport(request, 'second.bin', words);
    expect(toasts().current).toMatchObject({ text: expect.stringContaining('A file is being saved'), level: 'info' });
    finish(new Blob(['a']));
    await first;
    expect(saved).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'first.bin');
    const third = saveExport(request, 'third.bin', words);
    finish(new Blob(['b']));
    await third;
    expect(saved).toHaveBeenLastCalledWith(expect.any(Blob), 'third.bin');
  });

  it('reports the reason and a remedy when it fails', async () => {
    call.mockRejectedValue(new Error('Out of memory.'));
    await saveExport(request, 'log.bin', words);
    expect(toasts().current).toMatchObject({
      text: 'The file could not be saved.',
      level: 'error',
      detail: 'Out of memory. Do less.',
    });
  });
});
