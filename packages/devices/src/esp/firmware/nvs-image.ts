/**
 * Writes an NVS partition as ESP-IDF's library would have left it (ESP-IDF Programming Guide, "Non-Volatile Storage
 * Library", section "Internals"): pages of 4096 bytes with a header, a bitmap of two bits for each entry, and 126
 * entries of 32 bytes.
 */
import { joined, viewOf, words16, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';

/** `blob` is written as data and index, the way of the library since ESP-IDF 3.3. */
type NvsValue =
  | { readonly type: 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32'; readonly value: number }
  | { readonly type: 'u64' | 'i64'; readonly value: bigint }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'blob'; readonly value: Uint8Array };

export type NvsKey = NvsValue & {
  /** 1 to 15 ASCII characters, like the namespace. */
  readonly namespace: string;
  readonly key: string;
  /** True: the key was written and later erased. Its bytes are still there. Default false. */
  readonly erased?: boolean;
};

const pageSize = 4_096;
const entrySize = 32;
const entriesOffset = 64;
const entriesPerPage = 126;
/** Bits of an entry in the bitmap. */
const written = 0b10;
const erasedMark = 0b00;
/** States of a page: each clears one more bit. */
const pageStates = { active: 0xfffffffe, full: 0xfffffffc } as const;
/** Version 2 of the format, which stores it inverted. */
const formatVersion = 0xfe;
/** Chunk index of an entry that is no chunk of a blob. */
const noChunk = 0xff;
const typeCodes = {
  u8: 0x01,
  i8: 0x11,
  u16: 0x02,
  i16: 0x12,
  u32: 0x04,
  i32: 0x14,
  u64: 0x08,
  i64: 0x18,
  string: 0x21,
  blobData: 0x42,
  blobIndex: 0x48,
} as const;

/**
 * Returns the whole partition. Pages are filled in order; the last used one is active.
 * @param size Size of the partition in bytes, a multiple of 4096. One page has to stay empty.
 * @throws RangeError if the keys do not fit.
 */
export function nvsImage(keys: readonly NvsKey[], size: number): Uint8Array<ArrayBuffer> {
  const pages = [new Page(0)];
  const namespaces = new Map<string, number>();
  const put = (item: Uint8Array, erased: boolean) => {
    if (!pages.at(-1)?.put(item, erased)) {
      pages.push(new Page(pages.length));
      if (!pages.at(-1)?.put(item, erased)) {
        throw new RangeError('A value does not fit into a page.');
      }
    }
  };
  for (const { namespace, key, erased = false, ...value } of keys) {
    let index = namespaces.get(namespace);
    if (index === undefined) {
      index = namespaces.size + 1;
      namespaces.set(namespace, index);
      put(entry(0, typeCodes.u8, 1, noChunk, namespace, padded(Uint8Array.of(index))), false);
    }
    for (const item of itemsOf(index, key, value)) {
      put(item, erased);
    }
  }
  if (pages.length >= size / pageSize) {
    throw new RangeError(`The keys need ${pages.length} pages and an empty one.`);
  }
  const image = new Uint8Array(size).fill(0xff);
  for (const [index, page] of pages.entries()) {
    image.set(page.bytes(index === pages.length - 1 ? 'active' : 'full'), index * pageSize);
  }
  return image;
}

class Page {
  readonly #sequence: number;
  readonly #bytes = new Uint8Array(pageSize).fill(0xff);
  #used = 0;

  constructor(sequence: number) {
    this.#sequence = sequence;
  }

  /** Adds an entry with the entries of its data. Returns false if they do not fit. */
  put(item: Uint8Array, erased: boolean): boolean {
    const count = item.length / entrySize;
    if (this.#used + count > entriesPerPage) {
      return false;
    }
    this.#bytes.set(item, entriesOffset + this.#used * entrySize);
    for (let index = this.#used; index < this.#used + count; index++) {
      const [at, shift] = [entrySize + (index >> 2), (index & 3) * 2];
      const mark = erased ? erasedMark : written;
      this.#bytes[at] = ((this.#bytes[at] ?? 0) & ~(0b11 << shift)) | (mark << shift);
    }
    this.#used += count;
    return true;
  }

  bytes(state: keyof typeof pageStates): Uint8Array {
    const view = viewOf(this.#bytes);
    view.setUint32(0, pageStates[state], true);
    view.setUint32(4, this.#sequence, true);
    view.setUint8(8, formatVersion);
    view.setUint32(28, checksum(this.#bytes.subarray(4, 28)), true);
    return this.#bytes;
  }
}

/** Returns the entries of a value: one, or for a blob its data and its index. */
function itemsOf(namespace: number, key: string, value: NvsValue): Uint8Array[] {
  if (value.type === 'string') {
    return [sized(namespace, typeCodes.string, noChunk, key, new TextEncoder().encode(`${value.value}\0`))];
  }
  if (value.type === 'blob') {
    const index = joined(words32(value.value.length), Uint8Array.of(1, 0), words16(0xffff));
    return [
      sized(namespace, typeCodes.blobData, 0, key, value.value),
      entry(namespace, typeCodes.blobIndex, 1, noChunk, key, index),
    ];
  }
  return [entry(namespace, typeCodes[value.type], 1, noChunk, key, padded(integer(value)))];
}

/** Returns an entry whose data follows in entries of its own. */
function sized(namespace: number, type: number, chunk: number, key: string, data: Uint8Array): Uint8Array {
  const entries = Math.ceil(data.length / entrySize);
  const body = new Uint8Array(entries * entrySize).fill(0xff);
  body.set(data);
  const head = joined(words16(data.length, 0xffff), words32(checksum(data)));
  return joined(entry(namespace, type, 1 + entries, chunk, key, head), body);
}

function entry(
  namespace: number,
  type: number,
  span: number,
  chunk: number,
  key: string,
  data: Uint8Array,
): Uint8Array {
  const bytes = new Uint8Array(entrySize);
  bytes.set([namespace, type, span, chunk]);
  bytes.set(new TextEncoder().encode(key), 8);
  bytes.set(data, 24);
  viewOf(bytes).setUint32(4, checksum(joined(bytes.subarray(0, 4), bytes.subarray(8))), true);
  return bytes;
}

type Integer = Extract<NvsValue, { readonly value: number | bigint }>;

/** Returns the little-endian bytes of a number, as many as its type has. */
function integer({ type, value }: Integer): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true);
  return bytes.subarray(0, Number(type.slice(1)) / 8);
}

/** Fills the eight bytes of data with the erased state. */
function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8).fill(0xff);
  bytes.set(data);
  return bytes;
}

/** The library's CRC-32: that of ISO 3309, continued from 0xffffffff. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes, 0xffffffff);
}
