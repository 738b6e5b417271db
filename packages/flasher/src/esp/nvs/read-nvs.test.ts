import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { isNvsImage } from '../images/data-images.ts';
import { buildNvs, changeNvs, type NvsChange } from './change-nvs.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { liveEntries, readNvs } from './read-nvs.ts';
import { storeChanges, valueText } from './testing/nvs-model.ts';

const PAGE = 0x1000;
const BITMAP = 32;
const u8 = (value: number): NvsValue => ({ type: 'u8', value: BigInt(value) });
const blob = (size: number): NvsValue => ({ type: 'blob', bytes: new Uint8Array(size).fill(0x5a) });
const set = (key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace: 'app', key, value });
const entryAt = (index: number) => 64 + index * 32;

interface HandEntry {
  readonly namespace: number;
  readonly type: number;
  readonly span?: number;
  readonly chunk?: number;
  readonly key: string;
  readonly field: readonly number[];
  readonly data?: Uint8Array;
}

/** Builds one page from the documented layout, with Node's CRC and without the code under test. */
function handPage(entries: readonly HandEntry[], { state = 0xffff_fffe, sequence = 0, version = 0xfe } = {}): Buffer {
  const page = Buffer.alloc(PAGE, 0xff);
  page.writeUInt32LE(state, 0);
  page.writeUInt32LE(sequence, 4);
  page[8] = version;
  page.writeUInt32LE(crc32(page.subarray(4, 28), 0xffff_ffff), 28);
  let index = 0;
  for (const { namespace, type, chunk = 0xff, key, field, data = new Uint8Array(), span } of entries) {
    const used = 1 + Math.ceil(data.length / 32);
    const at = entryAt(index);
    page.set([namespace, type, span ?? used, chunk], at);
    page.fill(0, at + 8, at + 24);
    page.write(key, at + 8);
    page.set(field, at + 24);
    page.writeUInt32LE(crc32(page.subarray(at + 8, at + 32), crc32(page.subarray(at, at + 4), 0xffff_ffff)), at + 4);
    page.set(data, at + 32);
    for (let one = index; one < index + used; one++) {
      page[BITMAP + (one >> 2)] = (page[BITMAP + (one >> 2)] ?? 0) & ~(1 << ((one & 3) * 2));
    }
    index += used;
  }
  return page;
}

function sized(data: Uint8Array): number[] {
  const field = Buffer.alloc(8, 0xff);
  field.writeUInt16LE(data.length, 0);
  field.writeUInt32LE(crc32(data, 0xffff_ffff), 4);
  return [...field];
}

const app: HandEntry = { namespace: 0, type: 0x01, key: 'app', field: [1] };
const erasedPage = Buffer.alloc(PAGE, 0xff);
const partition = (...pages: readonly Buffer[]) => Uint8Array.from(Buffer.concat(pages));

function statesOf(image: Uint8Array): string[] {
  return readNvs(image).entries.map(({ key, type, state, fault }) => [key, type, state, fault].join(' ').trim());
}

function valuesOf(image: Uint8Array): string[] {
  return liveEntries(readNvs(image)).map(({ namespace, key, value }) => `${namespace}/${key}=${valueText(value)}`);
}

describe('readNvs', () => {
  it('reads every type from a page that was built by hand', () => {
    const text = Buffer.from('Grüße, a string over two entries\0');
    const bytes = Buffer.alloc(40, 7);
    const image = partition(
      handPage([
        app,
        { namespace: 1, type: 0x01, key: 'u8', field: [200] },
        { namespace: 1, type: 0x11, key: 'i8', field: [0xfe] },
        { namespace: 1, type: 0x02, key: 'u16', field: [0xff, 0xff] },
        { namespace: 1, type: 0x12, key: 'i16', field: [0, 0x80] },
        { namespace: 1, type: 0x04, key: 'u32', field: [1, 2, 3, 4] },
        { namespace: 1, type: 0x14, key: 'i32', field: [0xff, 0xff, 0xff, 0xff] },
        { namespace: 1, type: 0x08, key: 'u64', field: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] },
        { namespace: 1, type: 0x18, key: 'i64', field: [0, 0, 0, 0, 0, 0, 0, 0x80] },
        { namespace: 1, type: 0x21, key: 'fifteen_letters', field: sized(text), data: text },
        { namespace: 1, type: 0x41, key: 'old', field: sized(bytes), data: bytes },
        { namespace: 1, type: 0x42, chunk: 0x80, key: 'new', field: sized(bytes), data: bytes },
        { namespace: 1, type: 0x48, key: 'new', field: [40, 0, 0, 0, 1, 0x80, 0xff, 0xff] },
      ]),
      erasedPage,
    );
    expect(valuesOf(image)).toEqual([
      'app/u8=u8:200',
      'app/i8=i8:-2',
      'app/u16=u16:65535',
      'app/i16=i16:-32768',
      'app/u32=u32:67305985',
      'app/i32=i32:-1',
      'app/u64=u64:18446744073709551615',
      'app/i64=i64:-9223372036854775808',
      `app/fifteen_letters=str:${text.subarray(0, -1).toString('hex')}`,
      `app/old=blob:${bytes.toString('hex')}`,
      `app/new=blob:${bytes.toString('hex')}`,
    ]);
    expect(isNvsImage(image)).toBe(true);
  });

  it('reads pages of version 1 and names the version', () => {
    const store = readNvs(
      partition(handPage([app, { namespace: 1, type: 1, key: 'a', field: [5] }], { version: 0xff })),
    );
    expect(store.pages.map(({ version }) => version)).toEqual([1]);
    expect(liveEntries(store)).toHaveLength(1);
  });

  it('joins the chunks of a blob over pages in the order of their indices', () => {
    const [one, two] = [Buffer.alloc(64, 1), Buffer.alloc(5, 2)];
    const image = partition(
      handPage(
        [
          { namespace: 1, type: 0x42, chunk: 1, key: 'b', field: sized(two), data: two },
          { namespace: 1, type: 0x48, key: 'b', field: [69, 0, 0, 0, 2, 0] },
        ],
        { sequence: 9 },
      ),
      handPage([app, { namespace: 1, type: 0x42, chunk: 0, key: 'b', field: sized(one), data: one }], {
        sequence: 8,
        state: 0xffff_fffc,
      }),
    );
    expect(valuesOf(image)).toEqual([`app/b=blob:${Buffer.concat([one, two]).toString('hex')}`]);
    expect(liveEntries(readNvs(image))[0]).toMatchObject({ entries: 6, size: 69 });
  });

  it('lists an old value as erased', () => {
    const image = changeNvs(buildNvs(0x3000, [set('a', u8(1))]), [set('a', u8(2))]).image;
    expect(statesOf(image)).toEqual(['a u8 erased', 'a u8 live']);
    expect(readNvs(image).usage).toEqual({ total: 378, written: 2, free: 375 });
  });

  it.each<[string, number, string[]]>([
    ['an entry with a wrong CRC', entryAt(1) + 24, ['damaged entry-crc', 'text str live', 'b u8 live']],
    ['a string with a wrong CRC', entryAt(3) + 1, ['a u8 live', 'text str damaged data-crc', 'b u8 live']],
  ])('marks %s as damaged and reads the others', (_, at, states) => {
    const image = buildNvs(0x3000, [set('a', u8(255)), set('text', stringValue('hello')), set('b', u8(3))]).slice();
    image[at] = 0;
    expect(statesOf(image)).toEqual(states);
  });

  it('marks a blob without one of its chunks as damaged', () => {
    const image = buildNvs(0x4000, [set('b', blob(5000))]).slice();
    image[entryAt(2)] = 0;
    expect(statesOf(image)).toContain('b blob-index damaged chunks-missing');
    expect(valuesOf(image)).toEqual([]);
  });

  it('marks chunks without an index as orphans', () => {
    const data = Buffer.alloc(5, 1);
    const chunk: HandEntry = { namespace: 1, type: 0x42, chunk: 0, key: 'b', field: sized(data), data };
    expect(statesOf(partition(handPage([app, chunk]), erasedPage))).toEqual(['b blob-data orphan']);
  });

  it('marks entries of a namespace that does not exist as orphans', () => {
    const image = partition(handPage([app, { namespace: 2, type: 1, key: 'a', field: [5] }]));
    expect(statesOf(image)).toEqual(['a u8 orphan']);
    expect(readNvs(image).entries[0]?.namespace).toBeNull();
  });

  it('takes the later of two entries on the active page, and the first page before the second', () => {
    const a = (value: number): HandEntry => ({ namespace: 1, type: 1, key: 'a', field: [value] });
    const b: HandEntry = { namespace: 1, type: 1, key: 'b', field: [0] };
    expect(valuesOf(partition(handPage([app, a(1), a(2), b])))).toEqual(['app/a=u8:2', 'app/b=u8:0']);
    const full = handPage([app, a(1)], { state: 0xffff_fffc });
    expect(valuesOf(partition(full, handPage([a(2), b], { sequence: 1 })))).toEqual(['app/a=u8:1', 'app/b=u8:0']);
    // The last entry of the last page was written after the old one and before that could be erased.
    expect(valuesOf(partition(full, handPage([b, a(2)], { sequence: 1 })))).toEqual(['app/b=u8:0', 'app/a=u8:2']);
  });

  it('ignores the unfinished copy of a page that was being moved', () => {
    const a: HandEntry = { namespace: 1, type: 1, key: 'a', field: [1] };
    const b: HandEntry = { namespace: 1, type: 1, key: 'b', field: [2] };
    const image = partition(
      handPage([app, a, b], { state: 0xffff_fff8 }),
      handPage([app, a], { sequence: 1 }),
      erasedPage,
    );
    expect(valuesOf(image)).toEqual(['app/a=u8:1', 'app/b=u8:2']);
    expect(statesOf(image)).toContain('a u8 unfinished-copy');
    expect(valuesOf(changeNvs(image, []).image)).toEqual(['app/a=u8:1', 'app/b=u8:2']);
  });

  it('recognises an encrypted partition', () => {
    const image = buildNvs(0x3000, [set('ssid', stringValue('home')), set('a', u8(1))]).slice();
    image.set(noise(entryAt(5) - 64), 64);
    expect(readNvs(image)).toMatchObject({ kind: 'encrypted', entries: [], namespaces: [] });
    expect(() => changeNvs(image, [])).toThrow('encrypted');
  });

  it.each<[string, Uint8Array, string]>([
    ['erased flash', new Uint8Array(0x3000).fill(0xff), 'empty'],
    ['zeros', new Uint8Array(0x3000), 'foreign'],
    ['no bytes', new Uint8Array(), 'foreign'],
    ['a size that is not a multiple of 4,096', buildNvs(0x3000, []).subarray(0, 0x2fff), 'foreign'],
    ['a page of version 3', partition(handPage([app], { version: 0xfd })), 'newer'],
    ['an NVS without keys', partition(handPage([]), erasedPage), 'nvs'],
  ])('recognises %s', (_, image, kind) => {
    expect(readNvs(image).kind).toBe(kind);
  });

  it('never throws for random damage, and neither does a change except with a reason', () => {
    const hits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(storeChanges, { maxLength: 4 }), hits, fc.boolean(), (batches, bytes, isHeads) => {
        let image: Uint8Array = new Uint8Array(0x4000).fill(0xff);
        for (const changes of batches) {
          try {
            image = changeNvs(image, changes).image.slice();
          } catch (error) {
            expect(error).toHaveProperty('code');
          }
        }
        for (const [at, byte] of bytes) {
          image[isHeads ? (at % 4) * PAGE + (at % 200) : at % image.length] = byte;
        }
        readNvs(image);
        try {
          changeNvs(image, [set('a', u8(1))]);
        } catch (error) {
          expect(error).toHaveProperty('code');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never throws for entries with valid checksums and random contents', () => {
    const byte = fc.nat(255);
    const entry = fc.record({
      namespace: fc.oneof(fc.constantFrom(0, 1), byte),
      type: fc.oneof(fc.constantFrom(1, 0x21, 0x41, 0x42, 0x48), byte),
      span: byte,
      chunk: fc.oneof(fc.constantFrom(0, 0x80, 0xff), byte),
      key: fc.constantFrom('a', 'b', ''),
      field: fc.array(byte, { minLength: 8, maxLength: 8 }),
    });
    const page = fc.record({
      state: fc.constantFrom(0xffff_fffe, 0xffff_fffc, 0xffff_fff8),
      sequence: fc.nat(0xffff_ffff),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(entry, { maxLength: 30 }), page), { minLength: 1, maxLength: 4 }),
        (pages) => {
          const image = partition(...pages.map(([entries, head]) => handPage([app, ...entries], head)), erasedPage);
          readNvs(image);
          try {
            changeNvs(image, [set('a', u8(1))]);
          } catch (error) {
            expect(error).toHaveProperty('code');
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
