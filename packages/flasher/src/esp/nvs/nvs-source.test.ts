import { describe, expect, it } from 'vitest';
import { buildNvs, changeNvs, type NvsChange } from './change-nvs.ts';
import { compareNvs, readNvsSource } from './nvs-source.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';

const csv = 'key,type,encoding,value\napp,namespace,,\nname,data,string,Lämpchen\n';

describe('CSV of keys', () => {
  it.each([
    ['UTF-8 with a mark', 'keys.csv', Buffer.from(`\ufeff${csv}`)],
    ['UTF-16 of a spreadsheet', 'keys.csv', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['UTF-16 without a mark, and without a name', 'keys', Buffer.from(csv, 'utf16le')],
  ])('is read in %s', async (_name, name, content) => {
    const { keys, refusal } = await readNvsSource([{ name, bytes: Uint8Array.from(content) }], 'nvs');
    expect(refusal).toBeNull();
    expect(keys).toMatchObject([
      { namespace: 'app', key: 'name', value: { type: 'str', bytes: new TextEncoder().encode('Lämpchen') } },
    ]);
  });

  it('is refused in Latin-1, because its values would be damaged', async () => {
    const { refusal } = await readNvsSource(
      [{ name: 'keys.csv', bytes: Uint8Array.from(Buffer.from(csv, 'latin1')) }],
      'nvs',
    );
    expect(refusal).toBe('The CSV is not UTF-8 text. Save it again with this encoding.');
  });
});

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
