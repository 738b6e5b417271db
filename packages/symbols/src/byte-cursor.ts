/**
 * Reads consecutive numbers and strings from bytes, in a given byte order. Reading past the end throws a
 * `RangeError`, like `DataView`.
 */
const utf8 = new TextDecoder();

export class ByteCursor {
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
  /** Offset in `bytes` of the next read. */
  position: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, littleEndian: boolean, position = 0) {
    this.bytes = bytes;
    this.littleEndian = littleEndian;
    this.position = position;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  u8(): number {
    return this.#view.getUint8(this.position++);
  }

  i8(): number {
    return this.#view.getInt8(this.position++);
  }

  u16(): number {
    const value = this.#view.getUint16(this.position, this.littleEndian);
    this.position += 2;
    return value;
  }

  u24(): number {
    const [first, second, third] = [this.u8(), this.u8(), this.u8()];
    return this.littleEndian ? first + second * 0x100 + third * 0x10000 : first * 0x10000 + second * 0x100 + third;
  }

  u32(): number {
    const value = this.#view.getUint32(this.position, this.littleEndian);
    this.position += 4;
    return value;
  }

  /** Reads 64 bits as a number: exact up to 2^53, rounded to the nearest number above. */
  u64(): number {
    const first = this.u32();
    const second = this.u32();
    return this.littleEndian ? second * 0x1_0000_0000 + first : first * 0x1_0000_0000 + second;
  }

  /** Reads an unsigned number of `size` bytes: 1, 2, 4 or 8. */
  unsigned(size: number): number {
    switch (size) {
      case 1:
        return this.u8();
      case 2:
        return this.u16();
      case 4:
        return this.u32();
      case 8:
        return this.u64();
      default:
        throw new RangeError(`A number of ${size} bytes`);
    }
  }

  /** Reads an unsigned LEB128 number (DWARF 5, section 7.6). */
  uleb(): number {
    const first = this.#view.getUint8(this.position++);
    if (first < 0x80) {
      return first;
    }
    let value = first & 0x7f;
    let factor = 0x80;
    let byte: number;
    do {
      byte = this.#view.getUint8(this.position++);
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  /** Reads a signed LEB128 number (DWARF 5, section 7.6). */
  sleb(): number {
    let value = 0;
    let factor = 1;
    let byte: number;
    do {
      byte = this.#view.getUint8(this.position++);
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return byte & 0x40 ? value - factor : value;
  }

  /**
   * Skips `length` bytes.
   *
   * @throws RangeError past the end.
   */
  advance(length: number): void {
    this.position += length;
    if (this.position > this.bytes.length) {
      throw new RangeError('Past the end');
    }
  }

  /**
   * Moves behind the next NUL byte.
   *
   * @throws RangeError without a NUL byte.
   */
  skipString(): void {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0) {
      throw new RangeError('A string without an end');
    }
    this.position = end + 1;
  }

  /** Reads UTF-8 up to and including the next NUL byte, which the result does not contain. */
  string(): string {
    const start = this.position;
    this.skipString();
    return textOf(this.bytes, start, this.position - 1);
  }
}

/** Returns the UTF-8 string from `offset` to the next NUL byte or the end; empty for an offset beyond the end. */
export function stringAt(bytes: Uint8Array, offset: number): string {
  const end = bytes.indexOf(0, offset);
  return offset >= bytes.length ? '' : textOf(bytes, offset, end < 0 ? bytes.length : end);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return utf8.decode(bytes.subarray(start, end));
}
