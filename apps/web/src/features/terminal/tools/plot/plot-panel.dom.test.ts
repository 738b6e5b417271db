import { beforeEach, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { toasts } from '../../../../shared/testing/toasts.ts';
import { cancelExport } from '../../../../workbench/exports/save-export.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { fakeDownloads } from '../../../../workbench/testing/saved-files.ts';
import { savePlotCsv } from './plot-panel.tsx';

const call = fakeBench();
const saved = fakeDownloads();

beforeEach(() => {
  call.mockReset();
  saved.mockReset();
  resetStores();
});

it('saves all points of the plot', async () => {
  call.mockResolvedValue(new Blob(['time,temp']));
  await savePlotCsv();
  expect(saved).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), expect.stringMatching(/^wirebench-plot-.*\.csv$/));
  expect(toasts().current).toMatchObject({
    text: 'Plot exported to file',
    detail: expect.stringMatching(/^wirebench-plot-.*\.csv$/),
  });
});

it('says from where to where the points of an incomplete plot go', async () => {
  call.mockResolvedValue(new Blob(['time,temp']));
  await savePlotCsv('14:03:05.000 to 14:20:00.000');
  expect(toasts().current).toMatchObject({
    text: 'Plot exported to file: 14:03:05.000 to 14:20:00.000',
    detail: expect.stringMatching(/^wirebench-plot-.*\.csv$/),
  });
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
  expect(saved).not.toHaveBeenCalled();
  expect(toasts().current).toMatchObject({ text: 'Saving cancelled', level: 'info' });
});
