/** NVS images, read by hand as the documentation of ESP-IDF describes them. */
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type NvsKey, nvsImage } from './nvs-image.ts';

interface Entry {
  readonly page: number;
  readonly namespace: number;
  readonly type: number;
  readonly span: number;
  readonly chunk: number;
  readonly key: string;
  readonly data: DataView;
  readonly body: Uint8Array;
  readonly state: number;
}

/** Returns the entries of all pages. Checks the page headers and the sums of entries and data. */
function entriesOf(image: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < image.length; at += 4_096) {
    const page = image.subarray(at, at + 4_096);
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    if (view.getUint32(0, true) === 0xffffffff) {
      expect(page.every((byte) => byte === 0xff)).toBe(true);
      continue;
    }
    expect(view.getUint32(28, true)).toBe(crc32(page.subarray(4, 28), 0xffffffff));
    expect(view.getUint8(8)).toBe(0xfe);
    for (let index = 0; index < 126; ) {
      const state = ((page[32 + (index >> 2)] ?? 0) >> ((index & 3) * 2)) & 3;
      if (state === 3) {
        break;
      }
      const start = 64 + index * 32;
      const raw = page.subarray(start, start + 32);
      const data = new DataView(page.buffer, page.byteOffset + start + 24, 8);
      const [namespace = 0, type = 0, span = 0, chunk = 0] = raw;
      const sum = crc32(Uint8Array.from([...raw.subarray(0, 4), ...raw.subarray(8)]), 0xffffffff);
      expect(new DataView(raw.buffer, raw.byteOffset).getUint32(4, true)).toBe(sum);
      const body = page.subarray(start + 32, start + span * 32).subarray(0, span > 1 ? data.getUint16(0, true) : 0);
      if (span > 1) {
        expect(data.getUint32(4, true)).toBe(crc32(body, 0xffffffff));
      }
      const key = new TextDecoder().decode(raw.subarray(8, 24)).replaceAll('\0', '');
      entries.push({ page: at / 4_096, namespace, type, span, chunk, key, data, body, state });
      index += span;
    }
  }
  return entries;
}

describe('an NVS image', () => {
  it('declares a namespace before its first key', () => {
    const keys: readonly NvsKey[] = [
      { namespace: 'one', key: 'a', type: 'u8', value: 7 },
      { namespace: 'two', key: 'a', type: 'u8', value: 8 },
      { namespace: 'one', key: 'b', type: 'u8', value: 9 },
    ];
    const seen = entriesOf(nvsImage(keys, 0x3000)).map(({ namespace, key, data }) => [
      namespace,
      key,
      data.getUint8(0),
    ]);
    expect(seen).toEqual([
      [0, 'one', 1],
      [1, 'a', 7],
      [0, 'two', 2],
      [2, 'a', 8],
      [1, 'b', 9],
    ]);
  });

  it.each([
    ['u8', 0x01, 200, (data: DataView) => data.getUint8(0)],
    ['i8', 0x11, -3, (data: DataView) => data.getInt8(0)],
    ['u16', 0x02, 60_000, (data: DataView) => data.getUint16(0, true)],
    ['i16', 0x12, -300, (data: DataView) => data.getInt16(0, true)],
    ['u32', 0x04, 4_000_000_000, (data: DataView) => data.getUint32(0, true)],
    ['i32', 0x14, -70_000, (data: DataView) => data.getInt32(0, true)],
    ['u64', 0x08, 2n ** 63n, (data: DataView) => data.getBigUint64(0, true)],
    ['i64', 0x18, -5n, (data: DataView) => data.getBigInt64(0, true)],
  ] as const)('stores the type %s with its code and bytes', (type, code, value, read) => {
    const image = nvsImage([{ namespace: 'n', key: 'k', type, value } as NvsKey], 0x3000);
    const [, entry] = entriesOf(image);
    expect(entry?.type).toBe(code);
    expect(entry && read(entry.data)).toBe(value);
  });

  it('stores a string with its end, and a blob as data and index', () => {
    const blob = Uint8Array.from({ length: 70 }, (_, index) => index);
    const keys: readonly NvsKey[] = [
      { namespace: 'n', key: 'text', type: 'string', value: 'grüß' },
      { namespace: 'n', key: 'bytes', type: 'blob', value: blob },
    ];
    const [, text, data, index] = entriesOf(nvsImage(keys, 0x3000));
    expect([text?.type, text?.chunk, new TextDecoder().decode(text?.body)]).toEqual([0x21, 0xff, 'grüß\0']);
    expect([data?.type, data?.chunk, data?.span]).toEqual([0x42, 0, 4]);
    expect(data?.body).toEqual(blob);
    expect([index?.type, index?.data.getUint32(0, true), index?.data.getUint8(4), index?.data.getUint8(5)]).toEqual([
      0x48, 70, 1, 0,
    ]);
  });

  it('marks all entries of an erased key and keeps their bytes', () => {
    const keys: readonly NvsKey[] = [{ namespace: 'n', key: 'old', type: 'string', value: 'gone', erased: true }];
    const [, entry] = entriesOf(nvsImage(keys, 0x3000));
    expect([entry?.state, entry?.key]).toEqual([0, 'old']);
  });

  it('continues in another page when one is full', () => {
    const keys = Array.from(
      { length: 200 },
      (_, index): NvsKey => ({ namespace: 'n', key: `k${index}`, type: 'u8', value: index }),
    );
    const image = nvsImage(keys, 0x4000);
    const view = new DataView(image.buffer);
    expect([0, 0x1000, 0x2000].map((at) => view.getUint32(at, true))).toEqual([0xfffffffc, 0xfffffffe, 0xffffffff]);
    expect([0, 0x1000].map((at) => view.getUint32(at + 4, true))).toEqual([0, 1]);
    expect(entriesOf(image).map(({ key }) => key)).toEqual(['n', ...keys.map(({ key }) => key)]);
  });

  it('refuses keys that leave no empty page, and values beyond a page', () => {
    const keys = Array.from(
      { length: 126 },
      (_, index): NvsKey => ({ namespace: 'n', key: `k${index}`, type: 'u8', value: 1 }),
    );
    expect(() => nvsImage(keys, 0x2000)).toThrow(RangeError);
    const large: NvsKey = { namespace: 'n', key: 'k', type: 'blob', value: new Uint8Array(4_033) };
    expect(() => nvsImage([large], 0x4000)).toThrow(RangeError);
  });
});
