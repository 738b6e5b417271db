/** Conversions between numbers and bytes, and operations on byte arrays. */

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns unsigned 16-bit numbers as bytes, little-endian. */
export function words16(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    view.setUint16(index * 2, value, true);
  }
  return bytes;
}

/** Returns 32-bit numbers, taken as unsigned, as bytes, little-endian. */
export function words32(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    view.setUint32(index * 4, value >>> 0, true);
  }
  return bytes;
}

/** Returns a view of exactly `bytes`, also if they are a part of a larger buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
