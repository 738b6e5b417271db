import { describe, expect, it } from 'vitest';
import { buildNvs, changeNvs, type NvsChange } from './change-nvs.ts';
import { compareNvs } from './compare-nvs.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';

const u8 = (value: bigint): NvsValue => ({ type: 'u8', value });
const set = (namespace: string, key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace, key, value });

describe('compareNvs', () => {
  it('lists added, changed and removed keys by namespace and key', () => {
    const image = buildNvs(0x3000, [set('b', 'old', u8(1n)), set('b', 'same', u8(2n)), set('a', 'x', u8(3n))]);
    const { image: after } = changeNvs(image, [
      set('a', 'x', { type: 'u16', value: 3n }),
      set('c', 'new', stringValue('hello')),
      { kind: 'delete', namespace: 'b', key: 'old' },
    ]);
    expect(compareNvs(readNvs(image), readNvs(after))).toEqual([
      { kind: 'changed', namespace: 'a', key: 'x', before: u8(3n), after: { type: 'u16', value: 3n } },
      { kind: 'removed', namespace: 'b', key: 'old', before: u8(1n), after: null },
      { kind: 'added', namespace: 'c', key: 'new', before: null, after: stringValue('hello') },
    ]);
  });

  it('finds no difference between partitions of other sizes and layouts with the same keys', () => {
    const changes = [set('b', 'k', u8(1n)), set('a', 'k', { type: 'blob', bytes: new Uint8Array(5000) })];
    const one = readNvs(buildNvs(0x4000, changes));
    const other = readNvs(buildNvs(0x8000, changes.toReversed()));
    expect(compareNvs(one, other)).toEqual([]);
  });

  it('finds all keys removed in erased flash', () => {
    const before = readNvs(buildNvs(0x3000, [set('a', 'k', u8(1n))]));
    const after = readNvs(new Uint8Array(0x3000).fill(0xff));
    expect(compareNvs(before, after).map(({ kind }) => kind)).toEqual(['removed']);
  });
});
