/** Helpers for byte arrays: searching, comparing, and formatting as text. */

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) {
    return false;
  }
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}

/** Returns true if `pattern` is at `offset`; false if it would end after the bytes. */
export function hasBytesAt(bytes: Uint8Array, offset: number, pattern: Uint8Array): boolean {
  return offset + pattern.length <= bytes.length && pattern.every((byte, index) => bytes[offset + index] === byte);
}

/**
 * Returns the position of the first `pattern` at or after `from`, -1 if there is no match. Uses Boyer-Moore-Horspool.
 *
 * @param pattern Not empty.
 */
export function indexOfBytes(bytes: Uint8Array, pattern: Uint8Array, from = 0): number {
  const last = pattern.length - 1;
  const steps = new Uint32Array(256).fill(pattern.length);
  pattern.subarray(0, last).forEach((byte, index) => {
    steps[byte] = last - index;
  });
  for (let at = from; at + last < bytes.length; at += steps[bytes[at + last] ?? 0] ?? 1) {
    let index = last;
    while (index >= 0 && bytes[at + index] === pattern[index]) {
      index--;
    }
    if (index < 0) {
      return at;
    }
  }
  return -1;
}

/** Returns true if every byte is `value`, and for an empty array. */
export function isFilledWith(bytes: Uint8Array, value: number): boolean {
  // A loop, because images have megabytes of filler and a callback per byte takes twenty times as long.
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== value) {
      return false;
    }
  }
  return true;
}

/** Returns true for erased flash, or filler in a merged image. */
export function isErased(bytes: Uint8Array): boolean {
  return isFilledWith(bytes, 0xff);
}

/** Returns true for bytes that are all 0x00 or all 0xFF: what a read of nothing gives, and no identity or setting has. */
export function isBlank(bytes: Uint8Array): boolean {
  return isErased(bytes) || isFilledWith(bytes, 0);
}

/** Returns ASCII text as bytes. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Returns the printable ASCII of a fixed field up to its first NUL or its end. Null if the field holds anything else,
 * such as erased flash.
 */
export function asciiField(bytes: Uint8Array, offset: number, size: number): string | null {
  const field = bytes.subarray(offset, offset + size);
  const end = field.indexOf(0);
  const text = String.fromCharCode(...field.subarray(0, end < 0 ? field.length : end));
  return /^[\x20-\x7e]*$/.test(text) ? text : null;
}

/** Formats bytes as lower-case hexadecimal without separators. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Formats a number with upper-case digits, at least `digits`: `hexNumber(0x2a, 4)` is `0x002A`. */
export function hexNumber(value: number, digits = 2): string {
  return `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** Formats an address in flash: `0x10000`. From seven digits on it is one of a memory map and has eight: `0x0800C000`. */
export function addressText(address: number): string {
  return hexNumber(address, address > 0xff_ffff ? 8 : 1);
}

/** Formats an exact size: `1,048,576 bytes`. */
export function bytesText(size: number): string {
  return size === 1 ? '1 byte' : `${size.toLocaleString('en-US')} bytes`;
}

/** Formats a size for people: `512 bytes`, `24 KB`, `1.5 MB`, `3.7 GB`. A KB is 1,024 bytes. */
export function sizeText(size: number): string {
  if (size < 1_024) {
    return bytesText(size);
  }
  const units = [
    [2 ** 30, 'GB'],
    [2 ** 20, 'MB'],
    [2 ** 10, 'KB'],
  ] as const;
  const [bytes, unit] = units.find(([least]) => size >= least) ?? [1, 'bytes'];
  const value = size / bytes;
  return `${Number(value.toFixed(value < 100 ? 1 : 0))} ${unit}`;
}
