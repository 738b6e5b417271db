/**
 * Checksums of frames. Parameters of CRCs: Greg Cook, Catalogue of parametrised CRC algorithms; each has its check value
 * of `123456789` in the tests.
 */
import {
  type ChecksumKind,
  checksumSizes,
  type DecoderChecksum,
  type DecoderContent,
} from '@wirebench/contract/decoders';

/** Calculates the checksum of `bytes` from `from` up to `to`, as an unsigned number. */
export type Calculate = (bytes: Uint8Array, from: number, to: number) => number;

interface CrcParameters {
  readonly width: number;
  readonly polynomial: number;
  readonly init: number;
  readonly reflectIn: boolean;
  readonly reflectOut: boolean;
  readonly xorOut: number;
}

const crc = (width: number, polynomial: number, init: number, isReflected: boolean, xorOut: number) => ({
  width,
  polynomial,
  init,
  reflectIn: isReflected,
  reflectOut: isReflected,
  xorOut,
});

type SumKind = 'sum8' | 'lrc' | 'xor8' | 'sum16' | 'fletcher8';

const crcs: Readonly<Record<Exclude<ChecksumKind, SumKind | 'crc'>, CrcParameters>> = {
  crc8: crc(8, 0x07, 0, false, 0),
  'crc8-maxim': crc(8, 0x31, 0, true, 0),
  'crc16-modbus': crc(16, 0x8005, 0xffff, true, 0),
  'crc16-arc': crc(16, 0x8005, 0, true, 0),
  'crc16-ccitt-false': crc(16, 0x1021, 0xffff, false, 0),
  'crc16-xmodem': crc(16, 0x1021, 0, false, 0),
  'crc16-kermit': crc(16, 0x1021, 0, true, 0),
  'crc16-x25': crc(16, 0x1021, 0xffff, true, 0xffff),
  'crc16-mcrf4xx': crc(16, 0x1021, 0xffff, true, 0),
  'crc16-usb': crc(16, 0x8005, 0xffff, true, 0xffff),
  crc32: crc(32, 0x04c11db7, 0xffffffff, true, 0xffffffff),
  crc32c: crc(32, 0x1edc6f41, 0xffffffff, true, 0xffffffff),
  'crc32-mpeg2': crc(32, 0x04c11db7, 0xffffffff, false, 0),
};

const sums: Readonly<Record<SumKind, Calculate>> = {
  sum8: (bytes, from, to) => sum(bytes, from, to) & 0xff,
  lrc: (bytes, from, to) => -sum(bytes, from, to) & 0xff,
  xor8: (bytes, from, to) => {
    let result = 0;
    for (let at = from; at < to; at++) {
      result ^= bytes[at] as number;
    }
    return result;
  },
  sum16: (bytes, from, to) => sum(bytes, from, to) & 0xffff,
  fletcher8: (bytes, from, to) => {
    let first = 0;
    let second = 0;
    for (let at = from; at < to; at++) {
      first = (first + (bytes[at] as number)) & 0xff;
      second = (second + first) & 0xff;
    }
    return (first << 8) | second;
  },
};

function sum(bytes: Uint8Array, from: number, to: number): number {
  let result = 0;
  for (let at = from; at < to; at++) {
    result += bytes[at] as number;
  }
  return result;
}

const isSum = (kind: ChecksumKind): kind is SumKind => Object.hasOwn(sums, kind);

function reflected(value: number, width: number): number {
  let result = 0;
  for (let bit = 0; bit < width; bit++) {
    result = (result << 1) | ((value >>> bit) & 1);
  }
  return result >>> 0;
}

/** The register shifts right if the input is reflected, else left, in the high bits of 32. */
function crcCalculator({ width, polynomial, init, reflectIn, reflectOut, xorOut }: CrcParameters): Calculate {
  const shift = 32 - width;
  const table = new Uint32Array(256);
  const key = reflectIn ? reflected(polynomial, width) : polynomial << shift;
  for (let byte = 0; byte < 256; byte++) {
    let register = reflectIn ? byte : byte << 24;
    for (let bit = 0; bit < 8; bit++) {
      register = reflectIn
        ? (register >>> 1) ^ ((register & 1) === 0 ? 0 : key)
        : (register << 1) ^ (register < 0 ? key : 0);
    }
    table[byte] = register;
  }
  if (reflectIn) {
    const start = reflected(init, width);
    return (bytes, from, to) => {
      let register = start;
      for (let at = from; at < to; at++) {
        register = (table[(register ^ (bytes[at] as number)) & 0xff] as number) ^ (register >>> 8);
      }
      return ((reflectOut ? register >>> 0 : reflected(register, width)) ^ xorOut) >>> 0;
    };
  }
  const start = init << shift;
  return (bytes, from, to) => {
    let register = start;
    for (let at = from; at < to; at++) {
      register = (table[(register >>> 24) ^ (bytes[at] as number)] as number) ^ (register << 8);
    }
    const result = register >>> shift;
    return ((reflectOut ? reflected(result, width) : result) ^ xorOut) >>> 0;
  };
}

/** Returns the calculation of a checksum with a name. */
export function calculatorOf(kind: Exclude<ChecksumKind, 'crc'>): Calculate {
  return isSum(kind) ? sums[kind] : crcCalculator(crcs[kind]);
}

/** Returns the calculation of a sum with a number before the first byte, xor of its result, or its negation. */
function sumCalculator(kind: SumKind, { init = 0, xorOut = 0, negate = false }: DecoderChecksum): Calculate {
  const calculate = sums[kind];
  if (init === 0 && xorOut === 0 && !negate) {
    return calculate;
  }
  const mask = 256 ** checksumSizes[kind] - 1;
  return (bytes, from, to) => {
    const sum = calculate(bytes, from, to);
    const begun = kind === 'xor8' ? sum ^ init : kind === 'lrc' ? sum - init : sum + init;
    return (((negate ? -begun : begun) & mask) ^ xorOut) & mask;
  };
}

/** Place of a checksum in the content of a frame, and its calculation. */
export interface ContentCheck {
  /** Bytes that the checksum takes. */
  readonly size: number;
  /** True if it stands at the end of the content, before the frame's end bytes. */
  readonly isLast: boolean;
  /** True: places and bytes are those of the frame as it came. */
  readonly isOfWire: boolean;
  /** True: it covers the whole question first. */
  readonly needsQuestion: boolean;
  /** First bytes of the content that it is in and that it covers; null: it depends on the end. */
  readonly header: number | null;
  /** Returns the offset of the checksum in content from `from` up to `to` with `tail` end bytes. It may be outside of it. */
  placeIn(from: number, to: number, tail: number): number;
  /** Returns true if the checksum is right. `from` and `to` are the content in `bytes`; `tail` its end bytes. */
  isRight(bytes: Uint8Array, from: number, to: number, tail: number): boolean;
  /** Returns true if the checksum of an answer is right, over its question too. */
  isRightFor(question: Uint8Array, answer: Uint8Array, tail: number): boolean;
  /**
   * Puts the checksum into content that lacks it. `tail` is the number of end bytes in `body`.
   *
   * @returns null if the place of the checksum, or the bytes that it covers, are outside of the content.
   */
  complete(body: Uint8Array, tail: number): Uint8Array<ArrayBuffer> | null;
}

/** Prepares the checksums of a decoder or of one of its shapes. */
export function checksOf({ checksum, checksums = [] }: Pick<DecoderContent, 'checksum' | 'checksums'>): ContentCheck[] {
  return (checksum === undefined ? checksums : [checksum]).map(contentCheck);
}

/** Prepares the checksum of a decoder. */
export function contentCheck(checksum: DecoderChecksum): ContentCheck {
  const { kind, order, form, at, from: first, to: last } = checksum;
  const calculate =
    kind === 'crc'
      ? crcCalculator({
          width: checksum.width ?? 16,
          polynomial: checksum.polynomial ?? 0,
          init: checksum.init ?? 0,
          reflectIn: checksum.reflectIn ?? false,
          reflectOut: checksum.reflectOut ?? checksum.reflectIn ?? false,
          xorOut: checksum.xorOut ?? 0,
        })
      : isSum(kind)
        ? sumCalculator(kind, checksum)
        : calculatorOf(kind);
  const bytesOf = kind === 'crc' ? (checksum.width ?? 16) / 8 : checksumSizes[kind];
  const size = form === 'hex' ? 2 * bytesOf : bytesOf;
  const read = form === 'hex' ? readHex : order === 'big' ? readBig : readLittle;
  const placeIn = (from: number, to: number, tail: number) =>
    at === undefined ? to - tail - size : at < 0 ? to + at : from + at;
  /** Returns the checksum of the content; NaN if it or what it covers is outside. */
  const calculated = (bytes: Uint8Array, from: number, to: number, place: number): number => {
    const start = first < 0 ? to + first : from + first;
    const end = last === undefined ? place : last < 0 ? to + last : from + last;
    const isOutside = place < from || place + size > to || start < from || end > to || start > end;
    return isOutside ? Number.NaN : calculate(bytes, start, end);
  };
  return {
    size,
    isLast: at === undefined,
    isOfWire: checksum.wire === true,
    needsQuestion: checksum.question === true,
    header:
      at !== undefined && at >= 0 && first >= 0 && (last ?? 0) >= 0 && checksum.wire !== true
        ? Math.max(at + size, last ?? at)
        : null,
    placeIn,
    isRightFor(question, answer, tail) {
      const place = placeIn(0, answer.length, tail);
      const start = first < 0 ? answer.length + first : first;
      const end = last === undefined ? place : last < 0 ? answer.length + last : last;
      if (place < 0 || place + size > answer.length || start < 0 || end > answer.length || start > end) {
        return false;
      }
      const covered = new Uint8Array(question.length + end - start);
      covered.set(question);
      covered.set(answer.subarray(start, end), question.length);
      return calculate(covered, 0, covered.length) === read(answer, place, size);
    },
    isRight(bytes, from, to, tail) {
      const place = placeIn(from, to, tail);
      return calculated(bytes, from, to, place) === read(bytes, place, size);
    },
    complete(body, tail) {
      const bytes = new Uint8Array(body.length + size);
      const place = placeIn(0, bytes.length, tail);
      if (place < 0 || place > body.length) {
        return null;
      }
      bytes.set(body.subarray(0, place));
      bytes.set(body.subarray(place), place + size);
      const sum = calculated(bytes, 0, bytes.length, place);
      if (Number.isNaN(sum)) {
        return null;
      }
      const digits = sum.toString(16).padStart(2 * bytesOf, '0');
      for (let index = 0; index < size; index++) {
        const pair = order === 'big' ? index : size - 1 - index;
        bytes[place + index] =
          form === 'hex'
            ? digits.toUpperCase().charCodeAt(index)
            : Number.parseInt(digits.slice(2 * pair, 2 * pair + 2), 16);
      }
      return bytes;
    },
  };
}

/** Reads the bytes of a checksum, the highest first. */
export function readBig(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = 0; index < size; index++) {
    value = value * 256 + (bytes[at + index] as number);
  }
  return value;
}

/** Reads the bytes of a checksum, the lowest first. */
export function readLittle(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) {
    value = value * 256 + (bytes[at + index] as number);
  }
  return value;
}

/** Reads hex digits of either case. Returns NaN for anything else, which equals no checksum. */
export function readHex(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = 0; index < size; index++) {
    const byte = (bytes[at + index] as number) | 0x20;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : Number.NaN;
    value = value * 16 + digit;
  }
  return value;
}
