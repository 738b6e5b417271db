/** Compares with Espressif's generator and parser of NVS partitions, if this machine has them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildNvs, changeNvs, type NvsChange } from './change-nvs.ts';
import { nvsCsv, readNvsCsv } from './nvs-csv.ts';
import { NvsError } from './nvs-failure.ts';
import { stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';
import { type Model, modelOf, modelText, storeChange, storeChanges } from './testing/nvs-model.ts';
import { findPartitionGenerator, findPartitionParser, type ParsedEntry } from './testing/nvs-tools.ts';

const generate = findPartitionGenerator();
const parse = findPartitionParser();
if (generate === null) {
  console.info('Left out, because Python has no esp-idf-nvs-partition-gen: partitions that it builds.');
}
if (parse === null) {
  console.info('Left out, because IDF_PATH names no ESP-IDF: partitions that its nvs_parser.py reads.');
}

const COUNT = 500;
const SIZE = 0x10000;
const PAGE = 0x1000;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-nvs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Random changes. */
const samples: readonly NvsChange[][][] = fc.sample(fc.array(storeChanges, { minLength: 1, maxLength: 6 }), {
  numRuns: COUNT,
});

/** Returns a partition after many small changes, so that it has erased entries and moved pages. */
function storeOf(batches: readonly NvsChange[][], pages: number): Uint8Array {
  let image: Uint8Array = new Uint8Array(pages * 0x1000).fill(0xff);
  for (const change of batches.flat()) {
    try {
      image = changeNvs(image, [change]).image;
    } catch (error) {
      expect(error).toBeInstanceOf(NvsError);
    }
  }
  return image;
}

describe.runIf(generate !== null)('esp-idf-nvs-partition-gen', () => {
  it(`builds ${COUNT} partitions from CSV, which are read with the same values`, { timeout: 300_000 }, () => {
    const wanted: Model[] = [];
    const pairs = samples.map((batches, index) => {
      const sets = batches.flat().filter((change) => change.kind === 'set' && isInCsv(change));
      const image = buildNvs(SIZE * 4, [...sets].reduce(lastOfEach, []));
      wanted.push(modelOf(image));
      const csv = join(folder, `${index}.csv`);
      writeFileSync(csv, nvsCsv(readNvs(image)).text);
      return [csv, join(folder, `${index}.bin`)] as const;
    });
    generate?.(pairs, SIZE * 4);
    for (const [index, [, path]] of pairs.entries()) {
      const store = Uint8Array.from(readFileSync(path));
      expect(modelText(modelOf(store))).toBe(modelText(wanted[index] ?? new Map()));
      expect(readNvs(store).entries.every(({ state }) => state === 'live')).toBe(true);
    }
  });
});

/** Rows of CSV with every encoding. Keys are unique. */
const csvRows = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('u8', 'u32', 'i64'), fc.nat(255).map(String)),
      fc.tuple(fc.constant('string'), fc.stringMatching(/^[\w ,"ü]{0,60}$/)),
      fc.tuple(fc.constant('binary'), fc.stringMatching(/^[\w ]{0,300}$/)),
      fc.tuple(
        fc.constant('hex2bin'),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      ),
      fc.tuple(
        fc.constant('base64'),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      ),
      fc
        .tuple(
          fc.constantFrom('blob_fill', 'blob_sz_fill'),
          fc.nat(1_900),
          fc.nat(255),
          fc.stringMatching(/^[\w ]{0,40}$/),
        )
        .map(([kind, length, filler, value]) => [
          `${kind}(${Math.max(length, value.length)};0x${filler.toString(16).padStart(2, '0')})`,
          value,
        ]),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => [
    'key,type,encoding,value',
    'app,namespace,,',
    ...rows.map(([encoding, value = ''], index) => `key${index},data,${encoding},"${value.replaceAll('"', '""')}"`),
  ]);

describe.runIf(generate !== null)('CSV of esp-idf-nvs-partition-gen', () => {
  it.each([1, 2] as const)(
    `is read with the values that the generator stores in ${COUNT} partitions of version %i`,
    { timeout: 300_000 },
    (version) => {
      const texts = fc.sample(csvRows, { numRuns: COUNT }).map((lines) => `${lines.join('\n')}\n`);
      const pairs = texts.map((text, index) => {
        const path = join(folder, `rows-${version}-${index}`);
        writeFileSync(`${path}.csv`, text);
        return [`${path}.csv`, `${path}.bin`] as const;
      });
      generate?.(pairs, SIZE, version);
      for (const [index, [, path]] of pairs.entries()) {
        const { changes, faults } = readNvsCsv(texts[index] ?? '');
        expect(faults).toEqual([]);
        const store = Uint8Array.from(readFileSync(path));
        expect(readNvs(store)).toMatchObject({ version, isMixed: false });
        expect(modelText(modelOf(store))).toBe(modelText(modelOf(buildNvs(SIZE, changes, version))));
        // One page of the generator has the same bytes. On a further one it begins an entry earlier.
        if (store[PAGE] === 0xff) {
          expect(Buffer.compare(store, buildNvs(SIZE, changes, version))).toBe(0);
        }
        const changed = changeNvs(store, [
          { kind: 'set', namespace: 'app', key: 'more', value: stringValue('x'.repeat(1_500)) },
        ]);
        expect(readNvs(changed.image)).toMatchObject({ version, isMixed: false });
      }
    },
  );
});

describe.runIf(parse !== null)('nvs_parser', () => {
  it(`reads ${COUNT} partitions with the same values, and finds no wrong checksum`, { timeout: 300_000 }, () => {
    const images = samples.map((batches, index) => storeOf(batches, 3 + (index % 4)));
    const paths = images.map((image, index) => {
      const path = join(folder, `ours-${index}.bin`);
      writeFileSync(path, image);
      return path;
    });
    const stores = parse?.(paths) ?? [];
    expect(stores).toHaveLength(COUNT);
    for (const [index, entries] of stores.entries()) {
      const written = entries.filter(({ state }) => state === 'Written');
      expect(written.every(({ crc, dataCrc, span }) => crc && (dataCrc || span === 1))).toBe(true);
      expect(modelText(modelOfParsed(written))).toBe(modelText(modelOf(images[index] ?? new Uint8Array())));
    }
  });
});

/** Keeps the last value of each key. */
function lastOfEach(changes: readonly NvsChange[], change: NvsChange): NvsChange[] {
  const isSame = (one: NvsChange) =>
    one.kind === 'set' && change.kind === 'set' && one.namespace === change.namespace && one.key === change.key;
  return [...changes.filter((one) => !isSame(one)), change];
}

function isInCsv(change: NvsChange): boolean {
  const model = storeChange(new Map(), change);
  const image = buildNvs(SIZE, [change]);
  return model.size === 1 && nvsCsv(readNvs(image)).leftOut.length === 0;
}

/** Puts a partition together from the entries that the parser prints. */
function modelOfParsed(entries: readonly ParsedEntry[]): Model {
  const names = new Map(
    entries.flatMap(({ namespace, key, value }) => (namespace === 0 ? [[Number(value), key ?? '']] : [])) as [
      number,
      string,
    ][],
  );
  const model = new Map([...names.values()].map((name) => [name, new Map()]));
  for (const entry of entries) {
    const keys = model.get(names.get(entry.namespace) ?? '');
    const type = shortNames.get(entry.type);
    if (type !== undefined) {
      keys?.set(entry.key, { type, value: BigInt(String(entry.value)) });
    } else if (entry.type === 'string') {
      keys?.set(entry.key, { type: 'str', bytes: Buffer.from(entry.data, 'hex').subarray(0, -1) });
    } else if (entry.type === 'blob_index') {
      const [size, count, start] = entry.value as [number, number, number];
      const chunks = entries
        .filter(
          ({ type: part, key, namespace }) =>
            part === 'blob_data' && key === entry.key && namespace === entry.namespace,
        )
        .sort((one, other) => one.chunk - other.chunk);
      expect(chunks.map(({ chunk }) => chunk)).toEqual(Array.from({ length: count }, (_, index) => start + index));
      const bytes = Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'hex')));
      expect(bytes).toHaveLength(size);
      keys?.set(entry.key, { type: 'blob', bytes });
    }
  }
  return model;
}

const shortNames = new Map(
  ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64'].map((name) => [
    `${name.startsWith('u') ? 'uint' : 'int'}${name.slice(1)}_t`,
    name,
  ]),
);
