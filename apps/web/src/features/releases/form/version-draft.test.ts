import { releaseLimits } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import type { FactsByFile } from './file-facts.ts';
import {
  addFiles,
  draftFaults,
  emptyDraft,
  filesFault,
  placedFiles,
  removeRow,
  replaceFiles,
  setOffset,
  shownRows,
  type VersionDraft,
} from './version-draft.ts';

const target = { deviceFamily: 'esp', deviceModel: 'esp32s3' } as const;
const bin = (name: string, size = 16) => new File([new Uint8Array(size)], name);
const chosen = (...files: File[]) => files.map((file) => ({ file, offset: null }));
const withFiles = (...files: File[]) => addFiles(emptyDraft, chosen(...files)).draft;
const nothing: FactsByFile = new Map();
const offsets = (draft: VersionDraft, facts = nothing) => shownRows(draft, target, facts).map(({ offset }) => offset);
const fault = (draft: VersionDraft) => filesFault(shownRows(draft, target, nothing));

describe('file rows of a new version', () => {
  it('begin with one empty row, and end with one until there are four files', () => {
    expect(shownRows(emptyDraft, target, nothing)).toHaveLength(1);
    const three = withFiles(bin('a.bin'), bin('b.bin'), bin('c.bin'));
    expect(shownRows(three, target, nothing).map(({ file }) => file?.name)).toEqual([
      'a.bin',
      'b.bin',
      'c.bin',
      undefined,
    ]);
    expect(shownRows(withFiles(bin('a.bin'), bin('b.bin'), bin('c.bin'), bin('d.bin')), target, nothing)).toHaveLength(
      4,
    );
  });

  it('keep one row when the last is taken away', () => {
    const one = withFiles(bin('a.bin'));
    expect(shownRows(removeRow(one, one.rows[0]?.id ?? 0), target, nothing)).toMatchObject([
      { file: null, offset: '' },
    ]);
  });

  it('become one by typing an offset, and none again by clearing it', () => {
    const typed = setOffset(emptyDraft, 1, '0x');
    expect(shownRows(typed, target, nothing).map(({ id, offset }) => [id, offset])).toEqual([
      [1, '0x'],
      [2, ''],
    ]);
    expect(shownRows(setOffset(typed, 1, ''), target, nothing)).toHaveLength(1);
    expect(addFiles(typed, chosen(bin('a.bin')), 1).draft.rows).toMatchObject([{ id: 1, typedOffset: '0x' }]);
  });

  it('refuse what the server would refuse, and say why', () => {
    const { draft, refusal } = addFiles(
      emptyDraft,
      chosen(bin('app.hex'), bin('.bin'), bin('void.bin', 0), bin('app.bin')),
    );
    expect(draft.rows.map(({ file }) => file?.name)).toEqual(['app.bin']);
    expect(refusal).toBe(
      '"app.hex" is not a .bin file. Only .bin files can be uploaded. ".bin" is not a .bin file. Only .bin files can be uploaded. "void.bin" is empty.',
    );
    const large = bin('large.bin');
    Object.defineProperty(large, 'size', { value: releaseLimits.fileSize + 1 });
    expect(addFiles(emptyDraft, chosen(large)).refusal).toBe('"large.bin" is larger than 16 MB.');
    expect(addFiles(emptyDraft, chosen(...['a', 'b', 'c', 'd', 'e'].map((name) => bin(`${name}.bin`)))).refusal).toBe(
      'A version can have at most 4 files: remove 1, or drop the folder or zip of a build, which has up to 16.',
    );
  });

  it('keep a fifth file in the form, which cannot be published before one is removed', () => {
    const five = withFiles(...['a', 'b', 'c', 'd', 'e'].map((name) => bin(`${name}-0x10000.bin`)));
    const placed = five.rows.reduce((draft, { id }, index) => setOffset(draft, id, `0x${index + 1}0000`), five);
    expect(fault(placed)).toMatch(/^A version can have at most 4 files: remove 1/);
    expect(fault(removeRow(placed, placed.rows[4]?.id ?? 0))).toBeNull();
  });

  it('go where the bytes say, then where their names say, and never two to one place', () => {
    const [app, table, other] = [bin('app.bin'), bin('partitions.bin'), bin('other.bin')];
    const draft = withFiles(app, table, other);
    const fact = (offset: number | null) => ({ what: 'what', why: 'why', offset });
    expect(offsets(draft)).toEqual(['0x10000', '0x8000', '', '']);
    const facts = new Map([
      [app, fact(0x20000)],
      [table, fact(null)],
    ]);
    expect(offsets(draft, facts)).toEqual(['0x20000', '0x8000', '0x10000', '']);
  });

  it('stay where a person put them, and nothing else is put there', () => {
    const draft = withFiles(bin('app.bin'), bin('other.bin'));
    const [first = 0, second = 0] = draft.rows.map(({ id }) => id);
    expect(offsets(setOffset(draft, second, '0x10000'))).toEqual(['', '0x10000', '']);
    expect(offsets(setOffset(setOffset(draft, first, '0x20000'), first, ''))).toEqual(['', '0x10000', '']);
  });

  it('are replaced as a whole by what a build says', () => {
    const draft = replaceFiles(withFiles(bin('old.bin')), [{ file: bin('app.bin'), offset: 0x20000 }]).draft;
    expect(placedFiles(shownRows(draft, target, nothing))).toMatchObject([{ offset: '0x20000' }]);
  });
});

describe('a new version', () => {
  it('needs number, description and a file with an offset', () => {
    expect(draftFaults({ ...emptyDraft, version: ' ' }, filesFault(shownRows(emptyDraft, target, nothing)))).toEqual({
      version: 'Please enter a version number',
      description: 'Description is required',
      files: 'At least one firmware file with offset is required',
    });
  });

  it('names the file whose offset is missing or wrong, and never guesses one without 0x', () => {
    const two = withFiles(bin('a.bin', 0x20), bin('b.bin', 0x20));
    const [first = 0, second = 0] = two.rows.map(({ id }) => id);
    expect(fault(two)).toBe('"b.bin" needs an offset, such as 0x10000.');
    expect(fault(setOffset(two, second, 'later'))).toBe(
      'The offset of "b.bin" must be a hexadecimal address such as 0x10000, below 0x100000000.',
    );
    const bare = setOffset(two, second, '20000');
    expect(fault(bare)).toBe('The offset of "b.bin" has no 0x prefix. Use 0x20000.');
    expect(shownRows(bare, target, nothing).map(({ likelyOffset }) => likelyOffset)).toEqual([null, '0x20000', null]);
    expect(fault(setOffset(setOffset(two, second, '0x0'), first, '0x10000'))).toBeNull();
    expect(fault(setOffset(withFiles(bin('a.bin')), 9, '0x0'))).toBe(
      'Choose a .bin file for the offset 0x0, or clear the offset.',
    );
  });
});
