/** A plain map that tests compare a partition with, and random changes to both. */
import fc from 'fast-check';
import type { NvsChange } from '../change-nvs.ts';
import type { NvsIntegerType, NvsValue } from '../nvs-value.ts';
import { liveEntries, readNvs } from '../read-nvs.ts';

/** Values by namespace and key. */
export type Model = ReadonlyMap<string, ReadonlyMap<string, NvsValue>>;

/** Returns the keys that firmware would read. @throws Error if the reader returns a key twice. */
export function modelOf(image: Uint8Array): Model {
  const store = readNvs(image);
  const model = new Map(store.namespaces.map((name) => [name, new Map<string, NvsValue>()]));
  for (const { namespace, key, value } of liveEntries(store)) {
    if (model.get(namespace)?.has(key) !== false) {
      throw new Error(`${namespace}/${key} is listed twice or has no namespace`);
    }
    model.get(namespace)?.set(key, value);
  }
  return model;
}

/** Returns the model after a change. A change that would be refused leaves it as it is. */
export function storeChange(model: Model, change: NvsChange): Model {
  const next = new Map([...model].map(([name, keys]) => [name, new Map(keys)]));
  const { namespace } = change;
  if (change.kind === 'delete-namespace') {
    next.delete(namespace);
  } else if (change.kind === 'delete') {
    next.get(namespace)?.delete(change.key);
  } else {
    const keys = next.get(namespace) ?? new Map<string, NvsValue>();
    next.set(namespace, keys);
    if (change.kind === 'set') {
      keys.set(change.key, change.value);
    }
  }
  return next;
}

/** Returns a text that is equal for equal models. */
export function modelText(model: Model): string {
  const names = [...model.keys()].sort();
  return names
    .map((name) => {
      const keys = [...(model.get(name) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
      return [`[${name}]`, ...keys.map(([key, value]) => `${key}=${valueText(value)}`)].join('\n');
    })
    .join('\n');
}

export function valueText(value: NvsValue): string {
  return `${value.type}:${'value' in value ? value.value : Buffer.from(value.bytes).toString('hex')}`;
}

const widths = { u8: 8, i8: 8, u16: 16, i16: 16, u32: 32, i32: 32, u64: 64, i64: 64 } as const;

/** Any value of every type. Blobs are short, or up to 9,000 bytes. */
const storeValue: fc.Arbitrary<NvsValue> = fc.oneof(
  fc.constantFrom(...(Object.keys(widths) as NvsIntegerType[])).chain((type) => {
    const bits = BigInt(widths[type]);
    const [min, max] = type.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
    return fc.bigInt({ min, max }).map((value): NvsValue => ({ type, value }));
  }),
  fc
    .string({ maxLength: 120, unit: 'grapheme' })
    .filter((text) => !text.includes('\0'))
    .map((text): NvsValue => ({ type: 'str', bytes: new TextEncoder().encode(text) })),
  fc.uint8Array({ maxLength: 100 }).map((bytes): NvsValue => ({ type: 'blob', bytes })),
  fc
    .tuple(fc.integer({ min: 100, max: 9000 }), fc.integer({ min: 0, max: 255 }))
    .map(([size, fill]): NvsValue => ({ type: 'blob', bytes: new Uint8Array(size).fill(fill) })),
);

const namespaces = fc.constantFrom('app', 'wifi', 'fifteen_letters');
const keys = fc.constantFrom('a', 'b', 'ssid', 'count', 'key_with_15_chr');

/** Changes of few namespaces and keys, so that they meet each other. Most of them set a key. */
export const storeChanges: fc.Arbitrary<NvsChange[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('set' as const), namespace: namespaces, key: keys, value: storeValue }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), namespace: namespaces, key: keys }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete-namespace' as const), namespace: namespaces }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('add-namespace' as const), namespace: namespaces }) },
  ),
  { minLength: 1, maxLength: 6 },
);
