import type { FirmwareFile } from '@wirebench/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFiles } from './compare-dialog.tsx';

const file = (fileName: string, offset: string, sha256 = fileName, size = 1): FirmwareFile => ({
  _id: fileName + offset,
  fileName,
  offset,
  sha256,
  size,
});

const changes = (before: FirmwareFile[], after: FirmwareFile[]) =>
  compareFiles(before, after).map(({ before: old, after: now, change }) => [(now ?? old)?.fileName, change]);

describe('comparing two versions', () => {
  it('matches files by offset: reports what was added, removed, changed, moved, renamed and kept', () => {
    const before = [
      file('boot.bin', '0x0'),
      file('table.bin', '0x8000'),
      file('app-1.0.bin', '0x10000', 'a'),
      file('old.bin', '0x20000'),
      file('data-1.bin', '0x40000', 'd'),
    ];
    const after = [
      file('boot.bin', '0x0'),
      file('Table.bin', '0x9000', 'table.bin'),
      file('app-1.1.bin', '0x10000', 'b'),
      file('new.bin', '0x30000'),
      file('data-2.bin', '0x40000', 'd'),
    ];
    expect(changes(before, after)).toEqual([
      ['boot.bin', 'same'],
      ['Table.bin', 'moved'],
      ['app-1.1.bin', 'changed'],
      ['old.bin', 'removed'],
      ['new.bin', 'added'],
      ['data-2.bin', 'renamed'],
    ]);
  });

  it('keeps two files of one name apart by their place', () => {
    const twice = [file('data.bin', '0x1000', 'a'), file('data.bin', '0x2000', 'b')];
    expect(changes(twice, [...twice].reverse())).toEqual([
      ['data.bin', 'same'],
      ['data.bin', 'same'],
    ]);
  });

  it('leaves no file out and counts none twice', () => {
    const files = fc.array(
      fc
        .tuple(fc.constantFrom('a.bin', 'b.bin', 'A.bin'), fc.constantFrom('0x0', '0x10'), fc.constantFrom('1', '2'))
        .map(([name, offset, hash]) => file(name, offset, hash)),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(files, files, (before, after) => {
        const compared = compareFiles(before, after);
        expect(compared.flatMap((entry) => entry.before ?? [])).toHaveLength(before.length);
        expect(new Set(compared.flatMap((entry) => entry.after ?? []))).toEqual(new Set(after));
        expect(compared.flatMap((entry) => entry.after ?? [])).toHaveLength(after.length);
      }),
    );
  });
});
