/** Values of NVS: their types, limits and bytes. */
import { isSame, viewOf } from '../../core/bytes.ts';
import { NvsError, type NvsFailure } from './nvs-failure.ts';
import { MAX_CHUNK_SIZE, type NvsVersion } from './nvs-layout.ts';

export type NvsIntegerType = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64';

export type NvsValue =
  | { readonly type: NvsIntegerType; readonly value: bigint }
  /** The string's bytes without the NUL at its end, which are usually UTF-8. */
  | { readonly type: 'str'; readonly bytes: Uint8Array }
  | { readonly type: 'blob'; readonly bytes: Uint8Array };

export type NvsType = NvsValue['type'];

/** Size in bytes and sign of the integer types. */
const integers = {
  u8: [1, false],
  i8: [1, true],
  u16: [2, false],
  i16: [2, true],
  u32: [4, false],
  i32: [4, true],
  u64: [8, false],
  i64: [8, true],
} as const satisfies Record<NvsIntegerType, readonly [number, boolean]>;

/** Largest blob, in bytes: 127 chunks (ESP-IDF Programming Guide, "Keys and Values"). */
const MAX_BLOB_SIZE = 508_000;
/** Largest string with its NUL and largest blob of version 1, in bytes (`nvs_partition_gen.py`, `max_blob_size`). */
const MAX_OLD_SIZE = 1_984;
/** Longest name of a key or namespace, in bytes ("Keys and Values"). */
const MAX_NAME_LENGTH = 15;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isIntegerType(type: string): type is NvsIntegerType {
  return Object.hasOwn(integers, type);
}

/** Returns a string as a value. */
export function stringValue(text: string): NvsValue {
  return { type: 'str', bytes: encoder.encode(text) };
}

/** Returns a string's bytes with its NUL, as they are stored. */
export function endedString(bytes: Uint8Array): Uint8Array {
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  return ended;
}

/** Returns bytes as text; null if they are not valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

export function readInteger(type: NvsIntegerType, field: Uint8Array): bigint {
  const [size, isSigned] = integers[type];
  const value = viewOf(field).getBigUint64(0, true);
  return isSigned ? BigInt.asIntN(size * 8, value) : BigInt.asUintN(size * 8, value);
}

/** Returns the little-endian bytes of an integer, as many as its type has. */
export function integerBytes(type: NvsIntegerType, value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes.subarray(0, integers[type][0]);
}

export function isSameValue(one: NvsValue, other: NvsValue): boolean {
  if ('value' in one || 'value' in other) {
    return one.type === other.type && 'value' in one && 'value' in other && one.value === other.value;
  }
  return one.type === other.type && isSame(one.bytes, other.bytes);
}

/** Returns the fault of a name, or null. */
function nameFault(name: string): NvsFailure | null {
  const bytes = encoder.encode(name);
  if (bytes.length > MAX_NAME_LENGTH) {
    return 'nvs-name-long';
  }
  return bytes.length === 0 || bytes.some((byte) => byte < 0x20 || byte === 0x7f) ? 'nvs-name' : null;
}

/**
 * Checks the name of a key or namespace.
 *
 * @param where Place for the error.
 * @throws NvsError `nvs-name` or `nvs-name-long`.
 */
export function checkName(name: string, where: string): void {
  const fault = nameFault(name);
  if (fault !== null) {
    throw new NvsError(fault, { where });
  }
}

/** Facts of a partition that limit its values. */
export interface NvsLimits {
  readonly pages: number;
  readonly version: NvsVersion;
}

/**
 * Checks a value against its type.
 *
 * @param partition Its pages, of which a blob may fill all but one, and its version.
 * @param where Place for the error.
 * @throws NvsError `nvs-number-range`, `nvs-string-long`, `nvs-string-nul`, `nvs-blob-long` or `nvs-version-1`.
 */
export function checkValue(value: NvsValue, partition: NvsLimits, where: string): void {
  const fault = valueFault(value, partition);
  if (fault !== null) {
    throw new NvsError(fault, { where });
  }
}

function valueFault(value: NvsValue, { pages, version }: NvsLimits): NvsFailure | null {
  if (version === 1 && 'bytes' in value && value.bytes.length + (value.type === 'str' ? 1 : 0) > MAX_OLD_SIZE) {
    return 'nvs-version-1';
  }
  if (value.type === 'str') {
    if (value.bytes.length + 1 > MAX_CHUNK_SIZE) {
      return 'nvs-string-long';
    }
    return value.bytes.includes(0) ? 'nvs-string-nul' : null;
  }
  if (value.type === 'blob') {
    return value.bytes.length > Math.min(MAX_BLOB_SIZE, (pages - 1) * MAX_CHUNK_SIZE) ? 'nvs-blob-long' : null;
  }
  return readInteger(value.type, padded(integerBytes(value.type, value.value))) === value.value
    ? null
    : 'nvs-number-range';
}

function padded(bytes: Uint8Array): Uint8Array {
  const eight = new Uint8Array(8);
  eight.set(bytes);
  return eight;
}
