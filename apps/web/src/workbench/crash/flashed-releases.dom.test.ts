import { beforeEach, describe, expect, it } from 'vitest';
import type { TextStorage } from '../../shared/storage/browser-storage.ts';
import { type FlashedRelease, flashedReleases, rememberRelease } from './flashed-releases.ts';

const release = (number: number): FlashedRelease => ({
  shareId: `share-${number}`,
  name: 'Blinker',
  version: `1.${number}.0`,
  publisher: 'mira.k',
  at: '2026-11-20T12:00:00.000Z',
});

let kept: string | null = null;
const storage: TextStorage = {
  getItem: () => kept,
  setItem: (_key, value) => {
    kept = value;
  },
  removeItem: () => {
    kept = null;
  },
};

beforeEach(() => storage.removeItem(''));

describe('the releases that this browser has flashed', () => {
  it('are listed newest first, each once, and the oldest are dropped', () => {
    for (let number = 0; number < 12; number++) {
      rememberRelease(release(number), storage);
    }
    rememberRelease(release(5), storage);
    const versions = flashedReleases(storage).map(({ shareId }) => shareId);
    expect(versions.slice(0, 3)).toEqual(['share-5', 'share-11', 'share-10']);
    expect([versions.length, new Set(versions).size]).toEqual([10, 10]);
  });

  it('are kept once for each build of a version', () => {
    const built = (id: string) => ({ ...release(1), build: { id, deviceModel: 'esp32s3', name: 'ESP32-S3' } });
    for (const flashed of [built('a'), built('b'), release(1), built('a')]) {
      rememberRelease(flashed, storage);
    }
    expect(flashedReleases(storage)).toEqual([built('a'), release(1), built('b')]);
  });

  it('leave out an entry whose build cannot be read', () => {
    kept = JSON.stringify([{ ...release(1), build: { id: 'a' } }, release(2)]);
    expect(flashedReleases(storage)).toEqual([release(2)]);
  });

  it.each(['', '{', 'null', '{}', '[1,{"shareId":7}]'])('are empty if %j was stored', (text) => {
    kept = text;
    expect(flashedReleases(storage)).toEqual([]);
    rememberRelease(release(1), storage);
    expect(flashedReleases(storage)).toEqual([release(1)]);
  });
});
