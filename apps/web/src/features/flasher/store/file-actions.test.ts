import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChosenFiles } from '../../../protocol/flash-protocol.ts';
import { ReleaseError, type ReleaseVersion } from '../../../workbench/release/release.ts';
import { loadVersion } from '../release/use-release.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBuild, testFamily, testRelease, testVersion } from '../testing/families.ts';
import { addFiles, removeFile, typeOffset } from './file-actions.ts';
import { flasherStore, startFlasher } from './flasher-store.ts';

const sha256 = 'c'.repeat(64);
const chosen = (name: string, hash = sha256): ChosenFiles => ({
  files: [
    { id: 1, name, size: 4, what: 'Data', offset: 0x10000, why: '', places: null, application: null, sha256: hash },
  ],
  leftOut: [],
  conflicts: [],
});
const call = fakeFlasher();

const version: ReleaseVersion = {
  ...testVersion,
  console: { baudRate: 74_880, lineEnding: 'crlf' },
  builds: [testBuild('esp32')],
};
const release = testRelease(version);

describe('files of a release', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    startFlasher(testFamily);
    call.mockResolvedValue(chosen('app.bin'));
  });
  afterEach(() => vi.useRealTimers());

  const quietly = () => undefined;
  const load = () => loadVersion(release, new AbortController().signal, quietly);

  it('set up the monitor as the release says', async () => {
    await load();
    expect(flasherStore().getState()).toMatchObject({
      release: { name: 'weather-node', chosen: version },
      settings: { monitorBaudRate: 74_880, lineEnding: 'crlf' },
    });
  });

  it('load the messages of their jkit, or go without them if they are gone', async () => {
    const messages = {
      name: 'Weather',
      lineEnding: 'crlf',
      messages: [{ content: 'status', mode: 'text', label: null, hidden: false }],
      rules: [],
    } as const;
    const load = (given: ReleaseVersion['messages']) =>
      loadVersion(testRelease({ ...version, messages: given }), new AbortController().signal, quietly);
    await load(async () => messages);
    expect(flasherStore().getState().monitorMessages).toEqual(messages);
    await load(async () => Promise.reject(new Error('HTTP 404')));
    expect(flasherStore().getState().monitorMessages).toBeNull();
    expect(flasherStore().getState().lastLines[1]).toMatchObject({
      level: 'info',
      text: 'The JKit of this release could not be loaded: it may have been deleted or made private.',
    });
  });

  it('keep the files before them if they differ from the published ones', async () => {
    await load();
    const differs = new ReleaseError('app.bin is not the file that was published: its SHA-256 differs', 'Try again.');
    const builds = [testBuild('esp32', { load: () => Promise.reject(differs) })];
    const other = testRelease({ ...version, id: 'other', builds });
    await expect(loadVersion(other, new AbortController().signal, quietly)).rejects.toBe(differs);
    expect(flasherStore().getState().release?.chosen).toBe(version);
  });

  it.each([
    ['a file is added', () => addFiles([{ name: 'other.bin', content: new Blob(['x']) }])],
    ['one is removed', () => removeFile(1)],
    ['an offset is changed', async () => typeOffset(1, '0x20000')],
  ])('stop counting as a release once %s', async (_what, change) => {
    await load();
    await change();
    expect(flasherStore().getState().release).toBeNull();
  });
});
