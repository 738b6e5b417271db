/** Changes of the bytes of a content, behind its checksums: numbers added, bytes xor, stuffed bytes taken out. */
import type { DecoderTransform } from '@wirebench/contract/decoders';

/** Content with the place of its bytes in the one before. */
export interface Transformed {
  readonly content: Uint8Array;
  /** Offset of each byte in the content before, and of its end; null: nothing was taken out. */
  readonly offsets: Uint32Array | null;
}

const bytesOf = (text: string) => (text.match(/[\dA-Fa-f]{2}/g) ?? []).map((pair) => Number.parseInt(pair, 16));

/** Prepares the transforms of a decoder; null: it has none. */
export function transformer(list: readonly DecoderTransform[] = []): ((content: Uint8Array) => Transformed) | null {
  const steps = list.map(({ from, to, add = 0, xor = 0, remove, after = '' }) => {
    const [removed] = remove === undefined ? [] : bytesOf(remove);
    const before = bytesOf(after);
    return (given: Transformed): Transformed => {
      const { length } = given.content;
      const start = Math.max(0, from < 0 ? length + from : from);
      const end = Math.min(length, to === undefined ? length : to < 0 ? length + to : to);
      return removed === undefined
        ? changed(given, start, end, (byte) => (byte + add) ^ xor)
        : without(given, start, end, removed, before);
    };
  });
  return steps.length === 0
    ? null
    : (content) => steps.reduce<Transformed>((given, step) => step(given), { content, offsets: null });
}

function changed({ content, offsets }: Transformed, start: number, end: number, change: (byte: number) => number) {
  const copy = content.slice();
  for (let at = start; at < end; at++) {
    copy[at] = change(copy[at] as number);
  }
  return { content: copy, offsets };
}

/** Takes a byte out wherever it stands behind others, which begin in the range too. */
function without(
  { content, offsets }: Transformed,
  start: number,
  end: number,
  removed: number,
  before: readonly number[],
): Transformed {
  const kept = new Uint8Array(content.length);
  const places = new Uint32Array(content.length + 1);
  let length = 0;
  let same = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number;
    if (at >= start && at < end && same === before.length && byte === removed) {
      same = 0;
      continue;
    }
    places[length] = offsets?.[at] ?? at;
    kept[length++] = byte;
    same = at < start ? 0 : sameBefore(kept, start, length, before);
  }
  places[length] = offsets?.[content.length] ?? content.length;
  return { content: kept.subarray(0, length), offsets: places };
}

/** Returns the number of bytes of `before` if the kept ones end with all of them, else 0. */
function sameBefore(kept: Uint8Array, start: number, length: number, before: readonly number[]): number {
  const from = length - before.length;
  return from >= start && before.every((byte, index) => kept[from + index] === byte) ? before.length : 0;
}
