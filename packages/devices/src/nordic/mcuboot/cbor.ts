/**
 * CBOR (RFC 8949) for serial recovery: whole numbers, bytes, texts, lists, maps with text keys, true, false, null.
 * Encoded lists and maps have indefinite length, as zcbor writes them without canonical encoding.
 */
import { decodeFirst, encode } from 'cborg';
import { joined } from '../../byte-fields.ts';

export type CborValue = number | boolean | null | string | Uint8Array | readonly CborValue[] | CborMap;
export interface CborMap {
  readonly [key: string]: CborValue;
}

/** First bytes of a list and of a map of indefinite length, and the byte that ends both (section 3.2.2). */
const list = Uint8Array.of(0x9f);
const map = Uint8Array.of(0xbf);
const end = Uint8Array.of(0xff);
const deepest = 8;

export function writeCbor(value: CborValue): Uint8Array<ArrayBuffer> {
  if (isList(value)) {
    return joined(list, ...value.map(writeCbor), end);
  }
  return isCborMap(value)
    ? joined(map, ...Object.entries(value).flatMap(([key, item]) => [encode(key), writeCbor(item)]), end)
    : joined(encode(value));
}

/** Decodes the first item of `bytes` and ignores the rest. Returns undefined for invalid or unsupported items. */
export function readCbor(bytes: Uint8Array): CborValue | undefined {
  try {
    const [value] = decodeFirst(bytes, { allowBigInt: false, coerceUndefinedToNull: true });
    return isValue(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isCborMap(value: CborValue | undefined): value is CborMap {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Uint8Array);
}

function isList(value: CborValue | undefined): value is readonly CborValue[] {
  return Array.isArray(value);
}

function isValue(value: unknown, depth: number): value is CborValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value);
    case 'string':
    case 'boolean':
      return true;
    case 'object': {
      const isLeaf = value === null || value instanceof Uint8Array;
      return isLeaf || (depth < deepest && Object.values(value).every((item) => isValue(item, depth + 1)));
    }
    default:
      return false;
  }
}
