import { beforeEach, expect, it, vi } from 'vitest';
import { cancelExport } from '../../../../workbench/exports/save-export.ts';
import { savePlotCsv } from './plot-export.ts';

const { call, saveFile, toast } = vi.hoisted(() => ({
  call: vi.fn<(name: string, ...args: unknown[]) => Promise<unknown>>(),
  saveFile: vi.fn(),
  toast: vi.fn(),
}));
vi.mock('../../../../workbench/bench.ts', () => ({ getBench: () => ({ call }) }));
vi.mock('../../../../shared/files/save-file.ts', () => ({ saveFile }));
vi.mock('../../../../shared/ui/toast.ts', () => ({ toast }));

beforeEach(() => {
  call.mockReset();
  saveFile.mockReset();
  toast.mockReset();
});

it('saves all points of the plot', async () => {
  call.mockResolvedValue(new Blob(['time,temp']));
  await savePlotCsv();
  expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), expect.stringMatching(/^wirebench-plot-.*\.csv$/));
  expect(toast).toHaveBeenCalledExactlyOnceWith('Plot exported to file');
});

it('stops making the file of a large plot when it is cancelled, and saves nothing', async () => {
  let end: (error: Error) => void = () => undefined;
  call.mockImplementation((name) => {
    if (name === 'endWait') {
      end(new DOMException('ended', 'AbortError'));
      return Promise.resolve();
    }
    return new Promise((_resolve, reject) => {
      end = reject;
    });
  });
  const saving = savePlotCsv();
  cancelExport();
  await saving;
  expect(call.mock.calls.map(([name]) => name)).toEqual(['exportFile', 'endWait']);
  expect(saveFile).not.toHaveBeenCalled();
  expect(toast).toHaveBeenCalledExactlyOnceWith('Export cancelled', { level: 'info' });
});
