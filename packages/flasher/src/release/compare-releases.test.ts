import { describe, expect, it } from 'vitest';
import { compareReleases, type ReleaseFile } from './compare-releases.ts';

describe('two releases', () => {
  const release = (fileName: string, offset: number, sha256: string): ReleaseFile => ({
    fileName,
    offset,
    size: 10,
    sha256,
  });
  const kinds = (before: ReleaseFile[], after: ReleaseFile[]) =>
    compareReleases(before, after).map((change) => [change.kind, change.before?.fileName, change.after?.fileName]);

  it('report a file as renamed if only its name differs', () => {
    expect(kinds([release('app-1.0.bin', 0x10000, 'a')], [release('app-1.1.bin', 0x10000, 'a')])).toEqual([
      ['renamed', 'app-1.0.bin', 'app-1.1.bin'],
    ]);
  });

  it('report equal, changed, moved, added and removed files, by address', () => {
    expect(
      kinds(
        [
          release('boot.bin', 0x1000, 'a'),
          release('table.bin', 0x8000, 'b'),
          release('app-1.0.bin', 0x10000, 'c'),
          release('fs.bin', 0x200000, 'd'),
          release('old.bin', 0x300000, 'e'),
        ],
        [
          release('app-1.1.bin', 0x10000, 'f'),
          release('boot.bin', 0x1000, 'a'),
          release('table.bin', 0x8000, 'g'),
          release('fs.bin', 0x280000, 'd'),
          release('new.bin', 0x380000, 'h'),
        ],
      ),
    ).toEqual([
      ['same', 'boot.bin', 'boot.bin'],
      ['changed', 'table.bin', 'table.bin'],
      ['changed', 'app-1.0.bin', 'app-1.1.bin'],
      ['moved', 'fs.bin', 'fs.bin'],
      ['removed', 'old.bin', undefined],
      ['added', undefined, 'new.bin'],
    ]);
  });

  it('match renamed and moved files by their contents', () => {
    expect(kinds([release('a.bin', 0, 'x')], [release('b.bin', 0x1000, 'x')])).toEqual([['moved', 'a.bin', 'b.bin']]);
  });
});
