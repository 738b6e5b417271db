import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChosenFiles, GivenFile } from '../../../protocol/flash-protocol.ts';
import { type ChosenRelease, ReleaseError, type VersionBuild } from '../../../workbench/release/release.ts';
import { loadVersion } from '../release/use-release.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBoard, testBuild, testFamily, testPlan, testRelease, testVersion } from '../testing/families.ts';
import { cancelBuild, choiceFor, filesFor, openBuilds, otherVersionFor } from './board-builds.ts';
import { addFiles } from './file-actions.ts';
import { dispatch, flasherStore, flashOf, startFlasher } from './flasher-store.ts';
import { planNow, takeBuild } from './plan-actions.ts';
import { imageFor } from './receipt-actions.ts';

const call = fakeFlasher();

const quietly = () => undefined;
const never = new AbortController().signal;
const content = new Blob(['12345678']);

type Loader = VersionBuild['load'];

const build = testBuild;

const releaseWith = (builds: readonly VersionBuild[]): ChosenRelease =>
  testRelease({ ...testVersion, shareId: 's', isPerBoard: true, builds });

async function open(...builds: readonly VersionBuild[]): Promise<ChosenRelease> {
  const release = releaseWith(builds);
  await loadVersion(release, never, quietly);
  return release;
}

function connect(port: 1 | 2, chip: 'esp32' | 'esp32c3' | 'esp32s3', features: readonly string[] = []): void {
  dispatch(port, { type: 'connect', source: { kind: 'demo', model: 'esp32' } });
  dispatch(port, { type: 'connected', board: testBoard({ name: chip, id: `mac-${port}` }, { chip, features }) });
}

/** Sets of files in the worker, by name. */
const sets = new Map<string | undefined, readonly GivenFile[]>();
let planned: { port: number; fileSet: string | undefined; model: string | null }[] = [];

beforeEach(() => {
  sets.clear();
  planned = [];
  startFlasher(testFamily);
  call.mockImplementation(async (name: string, ...args: unknown[]) => {
    if (name === 'addFiles') {
      const [given, set] = args as [readonly GivenFile[], string | undefined];
      sets.set(set, given);
      return chosenFrom(given);
    }
    if (name === 'removeFiles') {
      sets.delete(args[1] as string | undefined);
      return chosenFrom([]);
    }
    if (name === 'plan') {
      const [port, { fileSet, guard }] = args as [number, { fileSet?: string; guard: { model: string } | null }];
      planned.push({ port, fileSet, model: guard?.model ?? null });
      return testPlan;
    }
    return undefined;
  });
});

function chosenFrom(given: readonly GivenFile[]): ChosenFiles {
  const files = given.map(({ name, offset = 0 }, index) => ({
    id: index + 1,
    name,
    size: 8,
    what: 'Data',
    offset,
    why: '',
    places: null,
    application: null,
    sha256: '',
  }));
  return { files, leftOut: [], conflicts: [] };
}

const namesAt = (port: 1 | 2) => filesFor(flasherStore().getState(), port).files.map(({ name }) => name);
const refusalAt = (port: 1 | 2) => flashOf(port).plan?.refusals[0];

describe('builds of a release', () => {
  it('give each board the files of its own chip, and load no others', async () => {
    const c3 = vi.fn<Loader>(build('esp32c3').load);
    await open(build('esp32'), build('esp32c3', { load: c3 }), build('esp32s3'));
    expect([...sets.keys()]).toEqual([]);
    connect(1, 'esp32');
    connect(2, 'esp32s3');
    await Promise.all([planNow(1), planNow(2)]);
    expect([namesAt(1), namesAt(2)]).toEqual([['esp32.bin'], ['esp32s3.bin']]);
    expect(planned.toSorted((one, other) => one.port - other.port)).toEqual([
      { port: 1, fileSet: 'build-esp32', model: 'esp32' },
      { port: 2, fileSet: 'build-esp32s3', model: 'esp32s3' },
    ]);
    expect(c3).not.toHaveBeenCalled();
  });

  it('are chosen again for the next board at the same place', async () => {
    await open(build('esp32c3'), build('esp32s3'));
    connect(1, 'esp32s3');
    await planNow(1);
    expect(imageFor(1)).toMatchObject({ build: { id: 'build-esp32s3' } });
    dispatch(1, { type: 'closed' });
    expect(namesAt(1)).toEqual([]);
    connect(1, 'esp32c3');
    await planNow(1);
    expect(imageFor(1)).toMatchObject({ build: { id: 'build-esp32c3' } });
    expect(imageFor(1).files.map(({ name, address }) => [name, address])).toEqual([['esp32c3.bin', 0x10000]]);
  });

  it('refuse a board without one in a sentence, and plan nothing', async () => {
    await open(build('esp32c3'), build('esp32s3'));
    connect(1, 'esp32');
    await planNow(1);
    expect(flashOf(1).phase).toBe('planned');
    expect(refusalAt(1)).toMatchObject({
      code: 'no-build',
      what: 'This board is an ESP32, but the release is for ESP32-C3 and ESP32-S3.',
      overridable: false,
    });
    expect(planned).toEqual([]);
  });

  it('show the files of the only one before a board is connected', async () => {
    await open(build('esp32', { guards: { flashSize: 4_194_304 } }));
    expect(namesAt(1)).toEqual(['esp32.bin']);
  });

  it('let a person choose what the board does not report, for this board only', async () => {
    const psram = build('esp32', { id: 'psram', guards: { psram: true } });
    await open(build('esp32'), psram);
    connect(1, 'esp32');
    await planNow(1);
    const choice = choiceFor(flasherStore().getState(), 1);
    expect(choice && openBuilds(choice).map(({ id }) => id)).toEqual(['build-esp32', 'psram']);
    takeBuild(1, 'psram');
    await vi.waitFor(() => expect(planned.at(-1)).toMatchObject({ fileSet: 'psram' }), 15_000);
    connect(2, 'esp32');
    await planNow(2);
    expect(planned.at(-1)).toMatchObject({ port: 2, fileSet: 'build-esp32' });
  });

  it('say why files were not loaded, and load them at the next attempt', async () => {
    const load = vi.fn<Loader>(build('esp32').load);
    load.mockRejectedValueOnce(new ReleaseError('firmware.example answered 503', 'Try again later.'));
    await open(build('esp32', { load }), build('esp32c3'));
    connect(1, 'esp32');
    await planNow(1);
    expect(refusalAt(1)).toMatchObject({
      code: 'build-not-loaded',
      what: 'firmware.example answered 503.',
      remedy: 'Try again later.',
    });
    await planNow(1);
    expect(refusalAt(1)).toBeUndefined();
    expect(namesAt(1)).toEqual(['esp32.bin']);
  });

  it('are loaded once for two boards, and stop loading when the person cancels', async () => {
    const load = vi.fn<Loader>(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await open(build('esp32', { load }), build('esp32c3'));
    connect(1, 'esp32');
    connect(2, 'esp32');
    const plans = Promise.all([planNow(1), planNow(2)]);
    expect(flasherStore().getState().buildFiles['build-esp32']).toEqual({ state: 'loading', part: null });
    cancelBuild(1);
    await plans;
    expect(load).toHaveBeenCalledTimes(1);
    expect(refusalAt(1)?.what).toBe('You cancelled, so the files were not loaded.');
  });

  it('are left, and their bytes freed, when a file of the person’s own is added', async () => {
    await open(build('esp32'), build('esp32c3'));
    connect(1, 'esp32');
    await planNow(1);
    await addFiles([{ name: 'own.bin', content, offset: 0 }]);
    expect(flasherStore().getState().release).toBeNull();
    expect(namesAt(1)).toEqual(['own.bin']);
    await vi.waitFor(() => expect([...sets.keys()]).toEqual([undefined]), 15_000);
  });
});

describe('another version of the release', () => {
  const other = () => otherVersionFor(flasherStore().getState(), 1)?.version ?? null;

  async function openTwo(chosen: VersionBuild, older: VersionBuild): Promise<void> {
    const release = releaseWith([chosen]);
    const second = { ...release.chosen, id: 'v-older', version: '0.9.0', builds: [older] };
    const both = { ...release, versions: [release.chosen, second] };
    await loadVersion(both, never, quietly);
  }

  it('is named for a board that only it has a build for', async () => {
    await openTwo(build('esp32'), build('esp32c3'));
    expect(other()).toBeNull();
    connect(1, 'esp32c3');
    expect(other()).toBe('0.9.0');
  });

  it('is not named for a board that the chosen version fits, or that none fits', async () => {
    await openTwo(build('esp32'), build('esp32'));
    connect(1, 'esp32');
    expect(other()).toBeNull();
    connect(1, 'esp32s3');
    expect(other()).toBeNull();
  });
});
