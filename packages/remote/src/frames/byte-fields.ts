/**
 * Writes and reads numbers, bytes and lists of messages, little-endian. A reader that would pass the end of its bytes
 * throws.
 */
import { RemoteError } from '../remote-failure.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export class ByteWriter {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  u8(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  u32(value: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
  }

  f64(value: number): void {
    const at = this.#room(8);
    this.#view.setFloat64(at, value, true);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #room(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}

/**
 * Reads fields from the start of a message. Each method throws a `RemoteError` with `malformed` if bytes are missing.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Returns a view, not a copy. */
  raw(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }

  end(): void {
    if (this.left !== 0) {
      throw new RemoteError('malformed');
    }
  }

  #take(count: number): number {
    const at = this.#at;
    if (count > this.left) {
      throw new RemoteError('malformed');
    }
    this.#at += count;
    return at;
  }
}

/** Codec of one value in a message. `read` throws a `RemoteError` for an invalid value. */
export interface Field<Value> {
  readonly write: (writer: ByteWriter, value: Value) => void;
  readonly read: (reader: ByteReader) => Value;
}

/** A field of any type. The value that it reads is unknown, and nothing can be written to it. */
interface AnyField {
  readonly write: (writer: ByteWriter, value: never) => void;
  readonly read: (reader: ByteReader) => unknown;
}

export type Fields = Readonly<Record<string, AnyField>>;
export type ValuesOf<Layout extends Fields> = { readonly [Name in keyof Layout]: ReturnType<Layout[Name]['read']> };

export const u8: Field<number> = { write: (writer, value) => writer.u8(value), read: (reader) => reader.u8() };
export const u32: Field<number> = { write: (writer, value) => writer.u32(value), read: (reader) => reader.u32() };

/** A time in milliseconds. */
export const time: Field<number> = {
  write: (writer, value) => writer.f64(value),
  read: (reader) => checked(reader.f64(), Number.isFinite),
};

/** A whole number from 0 to 2⁵³ − 1: a count of bytes or frames that never restarts. */
export const count: Field<number> = {
  write: (writer, value) => writer.f64(value),
  read: (reader) => checked(reader.f64(), (value) => Number.isSafeInteger(value) && value >= 0),
};

export const flag: Field<boolean> = {
  write: (writer, value) => writer.u8(value ? 1 : 0),
  read: (reader) => checked(reader.u8(), (value) => value < 2) === 1,
};

/** Encodes one of these words as its index in the list. */
export function word<const Words extends readonly string[]>(words: Words): Field<Words[number]> {
  return {
    write: (writer, value) => writer.u8(words.indexOf(value)),
    read: (reader) => {
      const value = words[reader.u8()];
      if (value === undefined) {
        throw new RemoteError('malformed');
      }
      return value;
    },
  };
}

/** Encodes at most `most` bytes, preceded by their number. */
export function bytes(most: number): Field<Uint8Array> {
  return {
    write: (writer, value) => {
      writer.u32(value.length);
      writer.raw(value);
    },
    read: (reader) => reader.raw(checked(reader.u32(), (length) => length <= most)),
  };
}

/** Encodes exactly `length` bytes. */
export function fixed(length: number): Field<Uint8Array> {
  return { write: (writer, value) => writer.raw(value), read: (reader) => reader.raw(length) };
}

/** Encodes text as UTF-8, at most `most` bytes. */
export function text(most: number): Field<string> {
  const field = bytes(most);
  return {
    write: (writer, value) => field.write(writer, encoder.encode(value)),
    read: (reader) => {
      try {
        return decoder.decode(field.read(reader));
      } catch (cause) {
        throw new RemoteError('malformed', { cause });
      }
    },
  };
}

export function list<Value>(item: Field<Value>, most: number): Field<readonly Value[]> {
  return {
    write: (writer, value) => {
      writer.u32(value.length);
      for (const one of value) {
        item.write(writer, one);
      }
    },
    read: (reader) =>
      Array.from({ length: checked(reader.u32(), (length) => length <= most && length <= reader.left) }, () =>
        item.read(reader),
      ),
  };
}

export function optional<Value>(item: Field<Value>): Field<Value | null> {
  return {
    write: (writer, value) => {
      flag.write(writer, value !== null);
      if (value !== null) {
        item.write(writer, value);
      }
    },
    read: (reader) => (flag.read(reader) ? item.read(reader) : null),
  };
}

export function record<Layout extends Fields>(layout: Layout): Field<ValuesOf<Layout>> {
  const entries = Object.entries(layout) as unknown as [keyof Layout, Field<unknown>][];
  return {
    write: (writer, value) => {
      for (const [name, field] of entries) {
        field.write(writer, value[name]);
      }
    },
    read: (reader) =>
      Object.fromEntries(entries.map(([name, field]) => [name, field.read(reader)])) as ValuesOf<Layout>,
  };
}

function checked(value: number, isRight: (value: number) => boolean): number {
  if (!isRight(value)) {
    throw new RemoteError('malformed');
  }
  return value;
}
