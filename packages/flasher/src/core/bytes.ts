/** Bytes in a row, looking at bytes: texts, patterns, numbers in hexadecimal. Knows no format. */

/** A copy of all `parts`, one after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

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

/** Whether `pattern` is at `offset`; false when it would end behind the bytes. */
export function hasBytesAt(bytes: Uint8Array, offset: number, pattern: Uint8Array): boolean {
  return offset + pattern.length <= bytes.length && pattern.every((byte, index) => bytes[offset + index] === byte);
}

/** Position of the first `pattern` at or after `from`; -1 when there is none. `pattern` is not empty. Boyer, Moore, Horspool. */
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

/** True for no bytes at all. */
export function isFilledWith(bytes: Uint8Array, value: number): boolean {
  // A loop, because images have megabytes of it and a callback for each byte takes twenty times as long.
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== value) {
      return false;
    }
  }
  return true;
}

/** Flash that was erased, or left empty in a merged image. */
export function isErased(bytes: Uint8Array): boolean {
  return isFilledWith(bytes, 0xff);
}

/** ASCII as bytes. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * The printable ASCII of a fixed field, up to its first NUL or its end; null when something else is there, such as
 * erased flash.
 */
export function asciiField(bytes: Uint8Array, offset: number, size: number): string | null {
  const field = bytes.subarray(offset, offset + size);
  const end = field.indexOf(0);
  const text = String.fromCharCode(...field.subarray(0, end < 0 ? field.length : end));
  return /^[\x20-\x7e]*$/.test(text) ? text : null;
}

/** Lower-case hexadecimal, two digits each, without anything between. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `0x0A`, upper-case digits. @param digits Smallest number of digits; zeros fill it up. */
export function hexText(value: number, digits = 2): string {
  return `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** An address in flash: `0x10000`. From seven digits on it is one of a memory map and has eight: `0x0800C000`. */
export function addressText(address: number): string {
  return hexText(address, address > 0xff_ffff ? 8 : 1);
}

/** An exact size: `1,048,576 bytes`. */
export function bytesText(size: number): string {
  return size === 1 ? '1 byte' : `${size.toLocaleString('en-US')} bytes`;
}

/** A size for people: `512 bytes`, `24 KB`, `1.5 MB`. A KB is 1,024 bytes. */
export function sizeText(size: number): string {
  if (size < 1_024) {
    return bytesText(size);
  }
  const [value, unit] = size < 1_048_576 ? [size / 1_024, 'KB'] : [size / 1_048_576, 'MB'];
  return `${Number(value.toFixed(value < 100 ? 1 : 0))} ${unit}`;
}
