/** Tests which flashes of a release are reported to its publisher. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { flashedReleases } from '../../../workbench/crash/flashed-releases.ts';
import type { ReleaseVersion } from '../../../workbench/release/release.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testBuild, testFamily, testRelease, testVersion } from '../testing/families.ts';
import { write } from './flash-actions.ts';
import { dispatch, flasherStore, flashOf, startFlasher } from './flasher-store.ts';

const call = fakeFlasher();
silentBench();

const report = vi.fn(async () => undefined);
const version: ReleaseVersion = { ...testVersion, report };
const release = testRelease(version);
const plan = { refusals: [], overridden: [], warnings: [], eraseAll: false, regions: [], map: [] };
const written = testReport({ written: 4 });

/** Plans the files of the release for board 1. */
function planned(demo: boolean, chosen = release): void {
  startFlasher(testFamily);
  flasherStore().setState({ release: chosen });
  dispatch(1, { type: 'connect', source: { kind: 'same' }, byHand: false });
  dispatch(1, { type: 'connected', board: testBoard({ demo }) });
  dispatch(1, { type: 'plan' });
  dispatch(1, { type: 'planned', plan: { ...plan, toWrite: 4, same: 0, duration: 0 } });
}

beforeEach(() => {
  localStorage.clear();
  report.mockClear();
  call.mockReset();
});

describe('a flash of a release', () => {
  it('is reported to its publisher when a board was written', async () => {
    planned(false);
    call.mockResolvedValueOnce(written);
    await write(1);
    expect(flashOf(1).phase).toBe('done');
    expect(report).toHaveBeenCalledExactlyOnceWith({
      result: 'success',
      chip: 'ESP32',
      errorCode: null,
      buildId: null,
    });
  });

  it('is reported when it failed', async () => {
    planned(false);
    call.mockRejectedValueOnce(new Error('The board is gone.'));
    await write(1);
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ result: 'failure' }));
  });

  it('names the build of the board, to the publisher and for the crashes that may be sent later', async () => {
    planned(
      false,
      testRelease({ ...version, shareId: 's', isPerBoard: true, builds: [testBuild('esp32s3'), testBuild('esp32')] }),
    );
    call.mockResolvedValueOnce(written);
    await write(1);
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ buildId: 'build-esp32' }));
    expect(flashedReleases()).toMatchObject([
      { shareId: 's', build: { id: 'build-esp32', deviceModel: 'esp32', name: 'ESP32' } },
    ]);
  });

  it('does not count for its publisher on a demo board, whether it went well or failed', async () => {
    planned(true);
    call.mockResolvedValueOnce(written);
    await write(1);
    expect(flashOf(1).phase).toBe('done');
    planned(true);
    call.mockRejectedValueOnce(new Error('The board is gone.'));
    await write(1);
    expect(flashOf(1).phase).toBe('failed');
    expect(report).not.toHaveBeenCalled();
  });
});
