import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import { testFamily } from '../testing/families.ts';
import { overlapCount, plannedRegions, writeList } from './write-list.ts';

const { addresses } = testFamily;
const file = (id: number, offset: number | null, size = 0x4000): FileFacts => ({
  id,
  name: `file-${id}.bin`,
  size,
  what: 'Data',
  offset,
  why: 'Nothing in this file says where it goes.',
  places: null,
  application: null,
  sha256: '',
});
const faults = (files: readonly FileFacts[], typed: Record<number, string> = {}) =>
  writeList(files, typed, addresses).map((listed) => listed.typed.fault);

describe('list of what is written', () => {
  it('says of the upper file that it lies on the lower', () => {
    expect(faults([file(1, 0x1000), file(2, 0x5000)])).toEqual([null, null]);
    expect(faults([file(1, 0x1000), file(2, 0x4000)])).toEqual([null, 'Overlaps file-1.bin']);
    expect(faults([file(1, 0x4000), file(2, 0x1000)])).toEqual(['Overlaps file-2.bin', null]);
  });

  it('says it of one file only when two are at the same place', () => {
    const list = writeList([file(1, 0x1000), file(2, 0x1000)], {}, addresses);
    expect(list.map(({ typed }) => typed.fault)).toEqual([null, 'Overlaps file-1.bin']);
    expect(overlapCount(list)).toBe(1);
  });

  it('follows what is typed', () => {
    const files = [file(1, 0x1000), file(2, 0x4000)];
    expect(faults(files, { 2: '0x5000' })).toEqual([null, null]);
    expect(faults(files, { 2: '' })).toEqual([null, 'Enter an offset.']);
  });

  it('draws only what has a place', () => {
    expect(plannedRegions(writeList([file(1, 0x1000), file(2, null)], {}, addresses))).toEqual([
      { label: 'file-1.bin', start: 0x1000, end: 0x5000, state: 'planned', done: 0 },
    ]);
  });

  it('takes a file with places of its own at its word, gaps and all', () => {
    const places = [
      { offset: 0x1000, length: 0x100 },
      { offset: 0x8000, length: 0x80 },
    ];
    const own = { ...file(1, 0x1000, 0x180), places };
    const [listed, below] = writeList([own, file(2, 0x2000, 0x1000)], { 1: '0x4000' }, addresses);
    expect(listed).toMatchObject({ ranges: places, end: 0x8080, typed: { text: '0x1000', fault: null } });
    expect(below?.typed.fault).toBeNull();
    expect(writeList([own, file(2, 0x8000)], {}, addresses)[1]?.typed.fault).toBe('Overlaps file-1.bin');
  });
});
