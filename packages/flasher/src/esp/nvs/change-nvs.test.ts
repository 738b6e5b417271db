import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNvs, type ChangedNvs, changeNvs, changesOf, type NvsChange } from './change-nvs.ts';
import { NvsError } from './nvs-failure.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';
import { type Model, modelOf, modelText, storeChange, storeChanges } from './testing/nvs-model.ts';

const PAGE = 0x1000;
const erased = (pages: number) => new Uint8Array(pages * PAGE).fill(0xff);
const u8 = (value: number): NvsValue => ({ type: 'u8', value: BigInt(value) });
const blob = (size: number, fill = 0x5a): NvsValue => ({ type: 'blob', bytes: new Uint8Array(size).fill(fill) });
const set = (key: string, value: NvsValue, namespace = 'app'): NvsChange => ({ kind: 'set', namespace, key, value });

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof NvsError) {
      return error.code;
    }
    throw error;
  }
  return 'done';
}

/** Returns the partition after each write, the first one before any. */
function* statesOf(image: Uint8Array, { writes }: ChangedNvs): Generator<Uint8Array> {
  const flash = image.slice();
  yield flash.slice();
  for (const { offset, bytes } of writes) {
    flash.set(bytes, offset);
    yield flash.slice();
  }
}

/** Offset of the version in a page's header: 0xFF for version 1, 0xFE for version 2. */
const versionsOf = (image: Uint8Array) =>
  Array.from({ length: image.length / PAGE }, (_, page) => page * PAGE)
    .filter((at) => image[at] !== 0xff)
    .map((at) => 0x100 - (image[at + 8] ?? 0));

describe('an NVS of version 1, as ESP-IDF before 3.2 writes it', () => {
  const text = (length: number) => stringValue('x'.repeat(length));

  it('gets its next pages in version 1 when a page is full', () => {
    let image = buildNvs(0x6000, [set('first', text(1_900))], 1);
    expect(versionsOf(image)).toEqual([1]);
    for (let index = 0; index < 8; index++) {
      ({ image } = changeNvs(image, [set(`key${index % 5}`, text(1_500 + index)), set('data', blob(1_900, index))]));
    }
    expect(versionsOf(image)).toEqual([1, 1, 1, 1, 1]);
    expect(readNvs(image)).toMatchObject({ version: 1, isMixed: false });
    expect(modelOf(image).get('app')?.get('data')).toEqual(blob(1_900, 7));
  });

  it('keeps a blob in one entry of the old type, and no chunk of the new one', () => {
    const image = buildNvs(0x6000, [set('data', blob(1_984))], 1);
    expect([image[64 + 32 + 1], image[64 + 32 + 2]]).toEqual([0x41, 63]);
    expect(readNvs(image).entries.map(({ type, size, entries }) => [type, size, entries])).toEqual([
      ['blob', 1_984, 63],
    ]);
    const changed = changeNvs(image, [set('data', blob(3)), set('more', blob(0))]).image;
    expect(modelOf(changed).get('app')).toEqual(
      new Map([
        ['data', blob(3)],
        ['more', blob(0)],
      ]),
    );
  });

  it.each([
    ['a string of 1,984 bytes', text(1_984)],
    ['the longest string of version 2', text(3_999)],
    ['a blob of 1,985 bytes', blob(1_985)],
    ['a blob over several pages', blob(9_000)],
  ])('refuses %s in a sentence', (_, value) => {
    const image = buildNvs(0x6000, [set('a', u8(1))], 1);
    expect(() => changeNvs(image, [set('long', value)])).toThrow(
      'app/long: This NVS has version 1, in which strings have at most 1,983 bytes and blobs 1,984.',
    );
    expect(codeOf(() => changeNvs(buildNvs(0x6000, [set('a', u8(1))]), [set('long', value)]))).toBe('done');
  });

  it('takes the longest values that fit', () => {
    const image = buildNvs(0x6000, [set('a', text(1_983)), set('b', blob(1_984))], 1);
    expect(modelOf(image).get('app')).toEqual(
      new Map([
        ['a', text(1_983)],
        ['b', blob(1_984)],
      ]),
    );
  });

  it('stays in version 1 through any changes', () => {
    fc.assert(
      fc.property(fc.array(storeChanges, { maxLength: 8 }), (batches) => {
        let image = buildNvs(0x4000, [set('a', u8(1), 'first')], 1);
        let model: Model = modelOf(image);
        for (const change of batches.flat()) {
          const before = image;
          const code = codeOf(() => {
            ({ image } = changeNvs(before, [change]));
          });
          model = code === 'done' ? storeChange(model, change) : model;
          expect(['done', 'nvs-version-1', 'nvs-full', 'nvs-no-key', 'nvs-no-namespace']).toContain(code);
        }
        expect(modelText(modelOf(image))).toBe(modelText(model));
        expect(new Set(versionsOf(image))).toEqual(new Set([1]));
      }),
      { numRuns: 40 },
    );
  });

  it('goes on in version 2 once newer firmware has written to it, and says that it is mixed', () => {
    const old = buildNvs(0x6000, [set('a', text(1_900)), set('b', text(1_900))], 1);
    // Firmware of version 2 adds a page of its own behind the full one.
    const page = buildNvs(0x3000, [set('c', u8(3), 'app')]).subarray(0, PAGE);
    const sequence = 1;
    const mixed = old.slice();
    mixed.set(page, PAGE);
    mixed.set(pageHeader(sequence), PAGE);
    mixed[0] = 0xfc;
    expect(readNvs(mixed)).toMatchObject({ version: 2, isMixed: true });
    expect(versionsOf(changeNvs(mixed, [set('d', blob(5_000))]).image)).toEqual([1, 2, 2]);
  });

  it('goes on in version 2 when its page has a chunk of the new type', () => {
    const image = buildNvs(0x6000, [set('data', blob(10))]);
    image.set(pageHeader(0, 0xff), 0);
    expect(readNvs(image)).toMatchObject({ version: 2, isMixed: false });
  });
});

/** Header of an active page, with Node's CRC. */
function pageHeader(sequence: number, version = 0xfe): Uint8Array {
  const header = Buffer.alloc(32, 0xff);
  header.writeUInt32LE(0xffff_fffe, 0);
  header.writeUInt32LE(sequence, 4);
  header[8] = version;
  header.writeUInt32LE(crc32(header.subarray(4, 28), 0xffff_ffff), 28);
  return header;
}

describe('changeNvs', () => {
  it('appends the new entry and marks the old one, in one write of one sector', () => {
    const image = buildNvs(0x6000, [set('count', u8(1)), set('name', stringValue('board'))]);
    const { writes, image: after } = changeNvs(image, [set('count', u8(2))]);
    expect(writes.map(({ offset }) => offset)).toEqual([0]);
    const changed = [...after.keys()].filter((at) => after[at] !== image[at]);
    // Entry 0 is the namespace, 1 the old number, 2 and 3 the string, 4 the new number. Four states are in a byte.
    expect(changed.filter((at) => at < 64)).toEqual([32, 33]);
    expect(changed.every((at) => at < 64 || (at >= 64 + 4 * 32 && at < 64 + 5 * 32))).toBe(true);
  });

  it('writes nothing when all values are stored already', () => {
    const changes = [set('count', u8(1)), set('name', stringValue('board')), set('data', blob(5000))];
    const image = buildNvs(0x6000, changes);
    expect(changeNvs(image, changes).writes).toEqual([]);
  });

  it('leaves all other sectors as they are', () => {
    const image = buildNvs(0x6000, [set('big', blob(9000)), set('count', u8(1))]);
    const { writes, image: after } = changeNvs(image, [set('count', u8(2))]);
    const written = new Set(writes.map(({ offset }) => offset));
    for (let at = 0; at < image.length; at += PAGE) {
      if (!written.has(at)) {
        expect(after.subarray(at, at + PAGE)).toEqual(image.subarray(at, at + PAGE));
      }
    }
    expect(written.size).toBe(1);
  });

  it('moves the entries of the emptiest page to the reserved page when space runs out', () => {
    let image = buildNvs(0x3000, [set('fixed', u8(7))]);
    for (let count = 0; count < 300; count++) {
      image = changeNvs(image, [set('count', u8(count % 256))]).image;
    }
    expect(modelText(modelOf(image))).toBe(
      modelText(
        new Map([
          [
            'app',
            new Map([
              ['fixed', u8(7)],
              ['count', u8(43)],
            ]),
          ],
        ]),
      ),
    );
    expect(readNvs(image).pages.filter(({ state }) => state === 'empty')).toHaveLength(1);
    expect(Math.max(...readNvs(image).pages.map(({ sequence }) => sequence))).toBeGreaterThan(1);
  });

  it('puts chunks of blobs first in a copied page, because the library misreads a chunk at its end', () => {
    let image = buildNvs(0x3000, [set('blob', blob(2)), set('count', u8(0))]);
    for (let count = 1; count < 30; count++) {
      image = changeNvs(image, [set('count', u8(count))]).image;
    }
    const { writes } = changeNvs(image, [set('blob', blob(7430))]);
    // The third chunk needs the page that has the old blob, the first new chunk and the erased numbers.
    const copies = writes
      .map(({ bytes }) => readNvs(bytes))
      .filter(({ pages, entries }) => pages[0]?.sequence === 2 && entries.some(({ key }) => key === 'count'));
    const [entries = []] = copies.map((store) => store.entries.filter(({ state }) => state !== 'erased'));
    expect(entries.map(({ key, type }) => [key, type].join(' '))).toEqual(['blob blob-data', 'blob blob', 'count u8']);
  });

  it('replaces a value by one of another type', () => {
    const image = buildNvs(0x3000, [set('key', u8(7))]);
    const { image: after } = changeNvs(image, [set('key', blob(100))]);
    expect(modelText(modelOf(after))).toBe(modelText(new Map([['app', new Map([['key', blob(100)]])]])));
  });

  it('deletes a namespace and uses its index again', () => {
    const image = buildNvs(0x3000, [set('one', u8(1), 'first'), set('data', blob(5000), 'first'), set('two', u8(2))]);
    const { image: after } = changeNvs(image, [
      { kind: 'delete-namespace', namespace: 'first' },
      { kind: 'add-namespace', namespace: 'third' },
    ]);
    expect(readNvs(after).namespaces).toEqual(['app', 'third']);
    expect([...modelOf(after).keys()]).toEqual(['app', 'third']);
  });

  it.each<[string, readonly NvsChange[], string]>([
    ['a key of 16 characters', [set('sixteen_letters_', u8(1))], 'nvs-name-long'],
    ['a key of 16 bytes in fewer characters', [set('ääääääää', u8(1))], 'nvs-name-long'],
    ['an empty key', [set('', u8(1))], 'nvs-name'],
    ['a namespace of 16 characters', [{ kind: 'add-namespace', namespace: 'sixteen_letters_' }], 'nvs-name-long'],
    ['256 as u8', [set('key', u8(256))], 'nvs-number-range'],
    ['-1 as u8', [set('key', u8(-1))], 'nvs-number-range'],
    ['128 as i8', [set('key', { type: 'i8', value: 128n })], 'nvs-number-range'],
    ['2^64 as u64', [set('key', { type: 'u64', value: 2n ** 64n })], 'nvs-number-range'],
    ['-2^63-1 as i64', [set('key', { type: 'i64', value: -(2n ** 63n) - 1n })], 'nvs-number-range'],
    ['a string of 4,000 bytes', [set('key', stringValue('x'.repeat(4000)))], 'nvs-string-long'],
    ['a string with a NUL', [set('key', stringValue('a\0b'))], 'nvs-string-nul'],
    ['a blob above all pages but one', [set('key', blob(8001))], 'nvs-blob-long'],
    ['a blob without space for its index', [set('key', blob(8000))], 'nvs-full'],
    ['a key that does not exist', [{ kind: 'delete', namespace: 'app', key: 'none' }], 'nvs-no-namespace'],
    ['a key that was deleted', [set('a', u8(1)), { kind: 'delete', namespace: 'app', key: 'b' }], 'nvs-no-key'],
    ['a namespace that does not exist', [{ kind: 'delete-namespace', namespace: 'none' }], 'nvs-no-namespace'],
  ])('refuses %s', (_, changes, code) => {
    expect(codeOf(() => changeNvs(erased(3), changes))).toBe(code);
  });

  it('accepts the longest string, the largest numbers and a key of 15 characters', () => {
    const changes = [
      set('fifteen_letters', stringValue('x'.repeat(3999))),
      set('u64', { type: 'u64', value: 2n ** 64n - 1n }),
      set('i64', { type: 'i64', value: -(2n ** 63n) }),
    ];
    expect(modelOf(changeNvs(erased(3), changes).image).get('app')?.size).toBe(3);
  });

  it('accepts 254 namespaces and refuses another one', () => {
    const changes = Array.from(
      { length: 254 },
      (_, index): NvsChange => ({ kind: 'add-namespace', namespace: `n${index}` }),
    );
    const { image } = changeNvs(erased(6), changes);
    expect(readNvs(image).namespaces).toHaveLength(254);
    expect(codeOf(() => changeNvs(image, [{ kind: 'add-namespace', namespace: 'more' }]))).toBe('nvs-namespaces');
  });

  it('accepts a blob of 508,000 bytes and refuses one byte more', () => {
    expect(modelOf(changeNvs(erased(140), [set('key', blob(508_000))]).image).get('app')?.size).toBe(1);
    expect(codeOf(() => changeNvs(erased(140), [set('key', blob(508_001))]))).toBe('nvs-blob-long');
  });

  it('refuses to fill the reserved page', () => {
    const changes = Array.from({ length: 260 }, (_, index) => set(`k${index}`, u8(1)));
    expect(codeOf(() => changeNvs(erased(3), changes))).toBe('nvs-full');
    expect(codeOf(() => changeNvs(erased(3), changes.slice(0, 251)))).toBe('done');
  });

  it('refuses a partition whose pages are all in use', () => {
    const image = buildNvs(0x2000, [set('a', stringValue('x'.repeat(3900))), set('b', stringValue('y'.repeat(3900)))]);
    expect(readNvs(image).pages.map(({ state }) => state)).toEqual(['full', 'active']);
    expect(codeOf(() => changeNvs(image, [set('c', u8(1))]))).toBe('nvs-no-free-page');
  });

  it('follows a model through random changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 6 }), fc.array(storeChanges, { maxLength: 12 }), (pages, batches) => {
        let image: Uint8Array = erased(pages);
        let model: Model = new Map();
        for (const changes of batches) {
          const wanted = changes.reduce(storeChange, model);
          const code = codeOf(() => {
            image = changeNvs(image, changes).image;
          });
          expect(['done', 'nvs-full', 'nvs-blob-long', 'nvs-no-key', 'nvs-no-namespace']).toContain(code);
          model = code === 'done' ? wanted : model;
          expect(modelText(modelOf(image))).toBe(modelText(model));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the old or the new value of every key when the power fails after any write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 5 }), fc.array(storeChanges, { maxLength: 8 }), (pages, batches) => {
        let image: Uint8Array = erased(pages);
        for (const changes of batches.flat()) {
          const before = modelOf(image);
          const code = codeOf(() => {
            const changed = changeNvs(image, [changes]);
            for (const state of statesOf(image, changed)) {
              expectOldOrNew(modelOf(state), before, modelOf(changed.image));
              // A later change begins with the library's repairs.
              expectOldOrNew(modelOf(changeNvs(state, []).image), before, modelOf(changed.image));
            }
            image = changed.image;
          });
          expect(code).not.toBe('nvs-unsafe');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the old or the new value of every key in a list of changes', () => {
    fc.assert(
      fc.property(fc.array(storeChanges, { maxLength: 8 }), (batches) => {
        let image: Uint8Array = erased(6);
        for (const changes of batches) {
          const sets = changes.filter(
            (one, index) => one.kind === 'set' && !changes.slice(0, index).some((earlier) => isSameKey(one, earlier)),
          );
          const before = modelOf(image);
          codeOf(() => {
            const changed = changeNvs(image, sets);
            for (const state of statesOf(image, changed)) {
              expectOldOrNew(modelOf(state), before, modelOf(changed.image));
            }
            image = changed.image;
          });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the old or the new value when the power fails during a write to a sector without entries', () => {
    fc.assert(
      fc.property(fc.array(storeChanges, { maxLength: 8 }), fc.integer({ min: 0, max: PAGE }), (batches, cut) => {
        let image: Uint8Array = erased(4);
        for (const change of batches.flat()) {
          const before = modelOf(image);
          codeOf(() => {
            const changed = changeNvs(image, [change]);
            const states = [...statesOf(image, changed)];
            for (const [index, { offset, bytes }] of changed.writes.entries()) {
              const state = states[index]?.slice() ?? erased(4);
              const isFree = ['empty', 'corrupt'].includes(readNvs(state).pages[offset / PAGE]?.state ?? '');
              if (isFree && readNvs(state).kind === 'nvs') {
                state.fill(0xff, offset, offset + PAGE);
                state.set(bytes.subarray(0, cut), offset);
                expectOldOrNew(modelOf(state), before, modelOf(changed.image));
              }
            }
            image = changed.image;
          });
        }
      }),
      { numRuns: 30 },
    );
  });
});

function isSameKey(one: NvsChange, other: NvsChange): boolean {
  const keys = [one, other].map((change) => (change.kind === 'set' ? `${change.namespace}/${change.key}` : null));
  return keys[0] !== null && keys[0] === keys[1];
}

function expectOldOrNew(state: Model, before: Model, after: Model): void {
  const places = new Set(
    [before, after, state].flatMap((model) =>
      [...model].flatMap(([name, keys]) => [...keys.keys()].map((key) => `${name}/${key}`)),
    ),
  );
  const at = (model: Model, place: string) => {
    const [name = '', key = ''] = place.split('/');
    const value = model.get(name)?.get(key);
    return value === undefined ? 'absent' : modelText(new Map([['', new Map([['', value]])]]));
  };
  for (const place of places) {
    expect([at(before, place), at(after, place)]).toContain(at(state, place));
  }
}

describe('changesOf', () => {
  it.each([3, 8])('carries all keys over into a partition of %i pages', (pages) => {
    const image = buildNvs(0x6000, [set('big', blob(4500)), set('a', u8(1)), set('b', stringValue('two'), 'other')]);
    const carried = buildNvs(pages * PAGE, changesOf(readNvs(image)));
    expect(modelText(modelOf(carried))).toBe(modelText(modelOf(image)));
  });

  it('carries chosen keys into a partition that has keys', () => {
    const image = buildNvs(0x6000, [set('a', u8(1)), set('b', u8(2)), set('c', u8(3), 'other')]);
    const target = buildNvs(0x3000, [set('a', u8(9)), set('d', u8(4))]);
    const changes = changesOf(readNvs(image), ({ key }) => key === 'a');
    expect(modelText(modelOf(changeNvs(target, changes).image))).toBe(
      modelText(
        new Map([
          [
            'app',
            new Map([
              ['a', u8(1)],
              ['d', u8(4)],
            ]),
          ],
        ]),
      ),
    );
  });

  it('refuses a partition that is too small', () => {
    const image = buildNvs(0x6000, [set('big', blob(12_000))]);
    expect(codeOf(() => buildNvs(0x3000, changesOf(readNvs(image))))).toBe('nvs-blob-long');
  });
});

describe('buildNvs', () => {
  it.each([0, -0x1000, 0x1800, 0x6001, Number.NaN])('refuses a size of %d bytes', (size) => {
    expect(codeOf(() => buildNvs(size, []))).toBe('nvs-size');
  });
});
