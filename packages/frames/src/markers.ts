/** Bytes that begin or end a frame, as decoders write them, and searches for them. */

/**
 * Bytes of a marker. Each has the bits that must agree in its high byte: 0xFFB5 is the byte B5, 0xF080 any from 80 to 8F.
 */
export type Marker = readonly number[];

const ANY_DIGIT = 'x';

/** Parses pairs of hex digits, in which `x` stands for any digit. */
export function markerBytes(text: string): Marker {
  return (text.match(/[\dA-Fa-fx]{2}/g) ?? []).map((pair) => {
    const [value, mask] = [pair.replaceAll(ANY_DIGIT, '0'), pair.replaceAll(/[^x]/g, 'F').replaceAll(ANY_DIGIT, '0')];
    return (Number.parseInt(mask, 16) << 8) | Number.parseInt(value, 16);
  });
}

const exactly = (byte: number) => 0xff00 | byte;

/** Returns the marker of these bytes. */
export const exactMarker = (bytes: readonly number[]): Marker => bytes.map(exactly);

export const textMarker = (text: string): Marker => exactMarker([...new TextEncoder().encode(text)]);

const fits = (byte: number | undefined, wanted: number | undefined): boolean =>
  byte !== undefined && wanted !== undefined && (byte & (wanted >> 8)) === (wanted & 0xff);

/** Returns the index of the marker at `at`; −1: none; −2: more bytes are needed. */
export function markerAt(markers: readonly Marker[], bytes: Uint8Array, at: number, to: number): number {
  let isPartial = false;
  for (let index = 0; index < markers.length; index++) {
    const marker = markers[index] as Marker;
    let same = 0;
    while (same < marker.length && at + same < to && fits(bytes[at + same], marker[same])) {
      same++;
    }
    if (same === marker.length) {
      return index;
    }
    isPartial ||= at + same === to;
  }
  return isPartial ? -2 : -1;
}

/** Returns the bytes with which markers begin; null: there are no markers, so any. */
export function firstBytesOf(markers: readonly Marker[]): readonly number[] | null {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  return markers.length === 0 ? null : all.filter((byte) => markers.some(([first]) => fits(byte, first)));
}

/** Returns true if bytes end with a marker. */
export function endsWith(bytes: Uint8Array, marker: Marker): boolean {
  const from = bytes.length - marker.length;
  return from >= 0 && marker.every((wanted, index) => fits(bytes[from + index], wanted));
}

/** Finds the first of several markers, and remembers how far it has looked. */
export class MarkerSearch {
  readonly #markers: readonly Marker[];
  readonly #longest: number;
  /** One or two bytes that are the markers; null: the markers have more. */
  readonly #bytes: readonly [number, number] | null;
  /** No marker begins from `#from` up to `#to`. Positions in the stream. */
  #from = 0;
  #to = 0;

  constructor(markers: readonly Marker[]) {
    this.#markers = markers;
    this.#longest = Math.max(...markers.map(({ length }) => length));
    const [[first = 0] = [], [second = first] = []] = markers;
    const isSimple = this.#longest === 1 && markers.length <= 2 && (first & second) >> 8 === 0xff;
    this.#bytes = isSimple ? [first & 0xff, second & 0xff] : null;
  }

  /** Returns the offset after the first marker that begins at `from` or later; −1: none. */
  find(bytes: Uint8Array, from: number, to: number, base: number): number {
    const start = base + from >= this.#from && base + from <= this.#to ? this.#to - base : from;
    if (this.#bytes !== null) {
      const [first, second] = this.#bytes;
      for (let at = start; at < to; at++) {
        const byte = bytes[at];
        if (byte === first || byte === second) {
          this.#remember(from, at, base);
          return at + 1;
        }
      }
    } else {
      for (let at = start; at < to; at++) {
        const index = markerAt(this.#markers, bytes, at, to);
        if (index >= 0) {
          this.#remember(from, at, base);
          return at + (this.#markers[index] as Marker).length;
        }
      }
    }
    this.#remember(from, Math.max(from, to - this.#longest + 1), base);
    return -1;
  }

  #remember(from: number, to: number, base: number): void {
    if (base + from < this.#from || base + from > this.#to) {
      this.#from = base + from;
    }
    this.#to = base + to;
  }
}
