import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChosenFiles } from '../../../protocol/flash-protocol.ts';
import type { ReleaseVersion } from '../release/flasher-release.ts';
import { testFamily, testRelease } from '../testing/families.ts';
import { addFiles, removeFile, typeOffset } from './file-actions.ts';
import { flasherStore, startFlasher } from './flasher-store.ts';
import { loadVersion } from './release-actions.ts';

const sha256 = 'c'.repeat(64);
const chosen = (name: string, hash = sha256): ChosenFiles => ({
  files: [
    { id: 1, name, size: 4, what: 'Data', offset: 0x10000, why: '', places: null, application: null, sha256: hash },
  ],
  leftOut: [],
  conflicts: [],
});
const call = vi.hoisted(() => vi.fn());
vi.mock('./flasher-line.ts', () => ({ getFlasher: () => ({ call }) }));

const version: ReleaseVersion = {
  id: 'v',
  version: '1.0.0',
  console: { baudRate: 74_880, lineEnding: 'crlf' },
  messages: null,
  shareId: null,
  files: [{ name: 'app.bin', offset: 0x10000, sha256, size: 4, load: async () => new Blob(['demo']) }],
  report: async () => undefined,
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
  const load = () => loadVersion(release, version, new AbortController().signal, quietly);

  it('bring the set-up of the monitor along', async () => {
    await load();
    expect(flasherStore().getState()).toMatchObject({
      release: { name: 'weather-node', chosen: version },
      settings: { monitorBaudRate: 74_880, lineEnding: 'crlf' },
    });
  });

  it('bring the messages of their jkit along, and do without them when they are gone', async () => {
    const messages = {
      name: 'Weather',
      lineEnding: 'crlf',
      messages: [{ content: 'status', mode: 'text', label: null, hidden: false }],
      rules: [],
    } as const;
    const load = (given: ReleaseVersion['messages']) =>
      loadVersion(release, { ...version, messages: given }, new AbortController().signal, quietly);
    await load(async () => messages);
    expect(flasherStore().getState().monitorMessages).toEqual(messages);
    await load(async () => Promise.reject(new Error('HTTP 404')));
    expect(flasherStore().getState().monitorMessages).toBeNull();
    expect(flasherStore().getState().lines.at(-1)).toMatchObject({
      level: 'info',
      text: 'The JKit of this release could not be loaded: it may have been deleted or made private.',
    });
  });

  it('report how much of all of them has arrived', async () => {
    const file = (name: string, pieces: readonly number[]) => ({
      name,
      offset: 0x10000,
      sha256,
      size: 4,
      load: async (_signal: AbortSignal, onProgress: (received: number) => void) => {
        pieces.forEach(onProgress);
        return new Blob(['demo']);
      },
    });
    const reported: number[] = [];
    const files = [file('app.bin', [1, 4]), file('app.bin', [2, 4])];
    await loadVersion(release, { ...version, files }, new AbortController().signal, (bytes) => reported.push(bytes));
    expect(reported).toEqual([1, 4, 6, 8]);
  });

  it('are given back when they are not what was published', async () => {
    call.mockResolvedValue(chosen('app.bin', 'd'.repeat(64)));
    await expect(load()).rejects.toThrow('app.bin is not the file that was published');
    expect(flasherStore().getState().release).toBeNull();
  });

  it.each([
    ['a file is added', () => addFiles([{ name: 'other.bin', content: new Blob(['x']) }])],
    ['one is removed', () => removeFile(1)],
    ['an offset is changed', async () => typeOffset(1, '0x20000')],
  ])('are a release no more once %s: nobody counts that flash for it', async (_what, change) => {
    await load();
    await change();
    expect(flasherStore().getState().release).toBeNull();
  });
});
