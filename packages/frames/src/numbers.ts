/** Numbers in bytes, in all orders of their bytes. */
import { type ByteOrder, type NumberType, numberSizes } from '@wirebench/contract/decoders';

/** Reads a number at an offset. 64-bit integers are bigint. The bytes are there. */
export type ReadNumber = (bytes: Uint8Array, at: number) => number | bigint;

const scratch = new DataView(new ArrayBuffer(8));

/**
 * Returns the place on the line of each byte, from the highest to the lowest. The words of a number are 2 bytes.
 */
function places(size: number, order: ByteOrder): number[] {
  const straight = Array.from({ length: size }, (_, index) => index);
  switch (order) {
    case 'big':
    case 'abcd':
      return straight;
    case 'little':
    case 'dcba':
      return straight.toReversed();
    case 'badc':
      return size % 2 === 0 ? straight.map((index) => index ^ 1) : straight;
    case 'cdab':
      return size % 2 === 0 ? straight.map((index) => (size - 2 - (index & ~1)) | (index & 1)) : straight;
  }
}

/** Returns the reader of a type of number. */
export function numberReader(type: NumberType, order: ByteOrder): ReadNumber {
  const size = numberSizes[type];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = places(size, order);
  const byte = (bytes: Uint8Array, at: number) => bytes[at] as number;
  const word = (bytes: Uint8Array, at: number) =>
    (byte(bytes, at + a) << 24) | (byte(bytes, at + b) << 16) | (byte(bytes, at + c) << 8) | byte(bytes, at + d);
  const lowWord = (bytes: Uint8Array, at: number) =>
    (byte(bytes, at + e) << 24) | (byte(bytes, at + f) << 16) | (byte(bytes, at + g) << 8) | byte(bytes, at + h);
  const loaded = (bytes: Uint8Array, at: number) => {
    scratch.setInt32(0, word(bytes, at));
    if (size === 8) {
      scratch.setInt32(4, lowWord(bytes, at));
    }
    return scratch;
  };
  switch (type) {
    case 'u8':
      return byte;
    case 'i8':
      return (bytes, at) => (byte(bytes, at) << 24) >> 24;
    case 'u16':
      return (bytes, at) => (byte(bytes, at + a) << 8) | byte(bytes, at + b);
    case 'i16':
      return (bytes, at) => (((byte(bytes, at + a) << 8) | byte(bytes, at + b)) << 16) >> 16;
    case 'u24':
      return (bytes, at) => (byte(bytes, at + a) << 16) | (byte(bytes, at + b) << 8) | byte(bytes, at + c);
    case 'i24':
      return (bytes, at) =>
        (((byte(bytes, at + a) << 16) | (byte(bytes, at + b) << 8) | byte(bytes, at + c)) << 8) >> 8;
    case 'u32':
      return (bytes, at) => word(bytes, at) >>> 0;
    case 'i32':
      return word;
    case 'u64':
      return (bytes, at) => loaded(bytes, at).getBigUint64(0);
    case 'i64':
      return (bytes, at) => loaded(bytes, at).getBigInt64(0);
    case 'f32':
      return (bytes, at) => loaded(bytes, at).getFloat32(0);
    case 'f64':
      return (bytes, at) => loaded(bytes, at).getFloat64(0);
  }
}

/** Most bytes of a number of 7 bits each: 49 bits. */
const MAX_SEPTETS = 7;

/**
 * Reads a number of 1 to 8 bytes; of type `bits7`, 7 bits of each of up to 7 bytes.
 *
 * @returns null for another number of bytes, or a byte of `bits7` with its highest bit set.
 */
export function variableNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  type: 'int' | 'uint' | 'bits7',
  isLittle: boolean,
): number | bigint | null {
  const size = to - from;
  const isSeven = type === 'bits7';
  if (size < 1 || size > (isSeven ? MAX_SEPTETS : 8)) {
    return null;
  }
  const byteAt = (index: number) => bytes[isLittle ? to - 1 - index : from + index] as number;
  if (!isSeven && size > 6) {
    let whole = 0n;
    for (let index = 0; index < size; index++) {
      whole = (whole << 8n) | BigInt(byteAt(index));
    }
    return type === 'int' ? BigInt.asIntN(8 * size, whole) : whole;
  }
  let value = 0;
  for (let index = 0; index < size; index++) {
    const byte = byteAt(index);
    if (isSeven && byte > 0x7f) {
      return null;
    }
    value = value * (isSeven ? 128 : 256) + byte;
  }
  return type === 'int' && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

/** Scale and offset of a number, and how they are said. */
export interface Scaling {
  apply(raw: number | bigint): number;
  /** `divided by 100`, `times 0.125, minus 40`. */
  readonly how: string;
}

/** Digits after the point up to which a result is rounded: more are noise of binary fractions. */
const MAX_DECIMALS = 12;

const decimalsOf = (value: number): number => {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};

/** Returns the scaling of a field: raw × scale ÷ divide + offset. Null: the value is the raw number. */
export function scalingOf({
  scale = 1,
  divide = 1,
  offset = 0,
}: {
  readonly scale?: number | undefined;
  readonly divide?: number | undefined;
  readonly offset?: number | undefined;
}): Scaling | null {
  if (scale === 1 && divide === 1 && offset === 0) {
    return null;
  }
  const decimals = divide === 1 ? Math.max(decimalsOf(scale), decimalsOf(offset)) : MAX_DECIMALS + 1;
  const power = 10 ** decimals;
  const inverse = 1 / scale;
  const isFraction =
    scale !== 1 && Math.abs(inverse) >= 2 && Math.abs(inverse - Math.round(inverse)) < 1e-9 * Math.abs(inverse);
  const words = [
    ...(scale === 1 ? [] : [isFraction ? `divided by ${Math.round(inverse)}` : `times ${scale}`]),
    ...(divide === 1 ? [] : [`divided by ${divide}`]),
    ...(offset === 0 ? [] : [offset < 0 ? `minus ${-offset}` : `plus ${offset}`]),
  ];
  return {
    how: words.join(', '),
    apply(raw) {
      const value = (Number(raw) * scale) / divide + offset;
      const shifted = value * power;
      const isExact =
        decimals <= MAX_DECIMALS && Number.isSafeInteger(Math.round(shifted)) && Number.isInteger(Number(raw));
      return isExact ? Math.round(shifted) / power : value;
    },
  };
}
