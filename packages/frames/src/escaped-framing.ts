/** Framing `escaped`: frames between marks, or of a length, inside of which some bytes are escaped. */
import type { DecoderFraming } from '@wirebench/contract/decoders';
import type { ContentCheck } from './checksums.ts';
import { type PartialKind, plainForm, resultOf, unescaped, type Verify } from './frame-form.ts';
import { lengthNeeds, lengthReader } from './frame-length.ts';
import { firstBytesOf, type Marker, markerAt, markerBytes } from './markers.ts';
import { NONE, UNDECIDED } from './steps/step-types.ts';
import { type Budget, leftOver } from './stream-cutter.ts';

type EscapedFraming = Extract<DecoderFraming, { kind: 'escaped' }>;

/** State of a scan: more bytes are needed; a whole frame; bytes that no frame has; no frame begins here. */
type Scanned = 'more' | 'frame' | 'damaged' | 'none';

/** Bytes of a frame that are read where the budget for long ones is spent. */
const FREE_REACH = 512;

const byteOf = (text: string) => Number.parseInt(text, 16);

/** Undoes escapes from the start of a frame to its end, and goes on where it stopped when more bytes come. */
class EscapedScan {
  readonly starts: readonly Marker[];
  /** True: the same mark ends a frame and begins the next, or nothing begins one. */
  readonly isDelimited: boolean;
  readonly content: Uint8Array;
  /** Number of bytes in `content`. */
  length = 0;
  /** Offset after the frame, or after the damage. */
  end = 0;
  readonly #ends: readonly Marker[];
  readonly #isEnd: readonly boolean[];
  readonly #isStart: readonly boolean[];
  readonly #escape: number;
  readonly #isDoubled: boolean;
  readonly #xor: number;
  readonly #replace: ReadonlyMap<number, number> | null;
  readonly #after: number;
  readonly #longest: number;
  readonly #needed: number;
  readonly #lengthOf: ((bytes: Uint8Array, from: number) => number) | null;
  /** Positions in the stream: start of the frame, and the next byte. */
  #from = -1;
  #at = 0;
  /** Bytes of the content by its own length; −1: not known. */
  #total = -1;
  #isDamaged = false;

  constructor(framing: EscapedFraming) {
    const {
      start = [],
      end = [],
      escape: mark,
      xor = 0,
      doubled = false,
      replace,
      after = 0,
      longest,
      length,
    } = framing;
    this.starts = start.map(markerBytes);
    this.#ends = end.map(markerBytes);
    this.#isEnd = table(this.#ends);
    this.#isStart = table(this.starts);
    this.isDelimited =
      end.length > 0 && this.starts.every((one) => this.#ends.some((other) => String(one) === String(other)));
    this.content = new Uint8Array(longest + after);
    this.#escape = byteOf(mark);
    this.#isDoubled = doubled;
    this.#xor = xor;
    this.#replace =
      replace === undefined ? null : new Map(Object.entries(replace).map(([key, byte]) => [byteOf(key), byteOf(byte)]));
    this.#after = after;
    this.#longest = longest;
    this.#needed = length === undefined ? 0 : lengthNeeds(length);
    this.#lengthOf = length === undefined ? null : lengthReader(length);
  }

  /** Returns the bytes before the content; −1: no frame begins here; −2: more bytes are needed. */
  headAt(bytes: Uint8Array, from: number, to: number): number {
    if (!this.isDelimited) {
      const start = this.starts.length === 0 ? 0 : markerAt(this.starts, bytes, from, to);
      return start < 0 ? start : (this.starts[start]?.length ?? 0);
    }
    let at = from;
    for (let mark = markerAt(this.#ends, bytes, at, to); mark >= 0; mark = markerAt(this.#ends, bytes, at, to)) {
      at += (this.#ends[mark] as Marker).length;
    }
    return at - from;
  }

  /**
   * Undoes the escapes of a frame.
   *
   * @param head Bytes before its content.
   * @param offsets Takes the offset in `bytes` of each byte of the content; null: not needed.
   */
  run(bytes: Uint8Array, from: number, head: number, to: number, base: number, offsets: Uint32Array | null): Scanned {
    if (this.#from !== base + from) {
      this.#from = base + from;
      this.#at = base + from + head;
      this.length = 0;
      this.#total = -1;
      this.#isDamaged = false;
    }
    const { content } = this;
    let at = this.#at - base;
    while (at < to && (this.#total < 0 || this.length < this.#total)) {
      const byte = bytes[at] as number;
      let value = byte;
      let width = 1;
      if (byte === this.#escape && !(this.#isDoubled && this.#isMark(bytes, at, to))) {
        const next = bytes[at + 1];
        if (at + 1 >= to || next === undefined) {
          break;
        }
        const undone = this.#undo(next);
        if (this.#isDoubled && (undone < 0 || (at === from + head && this.#isAfterEscape(bytes, at, from)))) {
          return at === from ? 'none' : this.#stop('damaged', at);
        }
        if (undone < 0 && this.#replace === null) {
          // An escape before a mark gives up the frame.
          return this.#stop('damaged', at + 1);
        }
        this.#isDamaged ||= undone < 0;
        value = undone < 0 ? next : undone;
        width = 2;
      } else if (this.#isEnd[byte] === true) {
        const mark = markerAt(this.#ends, bytes, at, to);
        if (mark === -2) {
          break;
        }
        if (mark >= 0) {
          return this.#finish(bytes, at, at + (this.#ends[mark] as Marker).length, to, base, offsets);
        }
      } else if (!this.#isDoubled && !this.isDelimited && this.#isStart[byte] === true) {
        const mark = markerAt(this.starts, bytes, at, to);
        if (mark === -2) {
          break;
        }
        if (mark >= 0) {
          return this.#stop('damaged', at);
        }
      }
      if (this.length >= this.#longest) {
        return this.#stop('damaged', at);
      }
      if (offsets !== null) {
        offsets[this.length] = at;
      }
      content[this.length++] = value;
      at += width;
      if (this.length === this.#needed && this.#lengthOf !== null) {
        this.#total = this.#lengthOf(content, 0);
        if (this.#total < this.#needed || this.#total > this.#longest) {
          return this.#stop('none', at);
        }
      }
    }
    this.#at = base + at;
    this.end = at;
    return this.#total >= 0 && this.length >= this.#total ? 'frame' : 'more';
  }

  /** Returns true for a mark that begins with the escape: it is looked for before a doubled one. */
  #isMark(bytes: Uint8Array, at: number, to: number): boolean {
    return this.#isEnd[this.#escape] === true && markerAt(this.#ends, bytes, at, to) >= 0;
  }

  /** Returns the byte that an escaped one stands for; −1: none. */
  #undo(next: number): number {
    if (this.#isDoubled) {
      return next === this.#escape ? next : -1;
    }
    if (this.#replace !== null) {
      return this.#replace.get(next) ?? -1;
    }
    return this.#xor !== 0 && (this.#isEnd[next] === true || this.#isStart[next] === true) ? -1 : next ^ this.#xor;
  }

  /** Returns true if the escape is also the last byte of the start, behind which it cannot be a doubled one. */
  #isAfterEscape(bytes: Uint8Array, at: number, from: number): boolean {
    return at > from && bytes[at - 1] === this.#escape;
  }

  #finish(
    bytes: Uint8Array,
    at: number,
    behind: number,
    to: number,
    base: number,
    offsets: Uint32Array | null,
  ): Scanned {
    if (behind + this.#after > to) {
      this.#at = base + at;
      return 'more';
    }
    for (let next = behind; next < behind + this.#after; next++) {
      if (offsets !== null) {
        offsets[this.length] = next;
      }
      this.content[this.length++] = bytes[next] as number;
    }
    return this.#stop(this.#isDamaged ? 'damaged' : 'frame', behind + this.#after);
  }

  /** Forgets how far it has come. */
  forget(): void {
    this.#from = -1;
  }

  #stop(result: Scanned, end: number): Scanned {
    this.end = end;
    this.forget();
    return result;
  }
}

function table(markers: readonly Marker[]): readonly boolean[] {
  const first = firstBytesOf(markers) ?? [];
  return Array.from({ length: 256 }, (_, byte) => first.includes(byte));
}

export function escapedKind(
  framing: EscapedFraming,
  verify: Verify,
  checks: readonly ContentCheck[],
  budget: Budget,
): PartialKind {
  const { longest, after = 0 } = framing;
  const scan = new EscapedScan(framing);
  const { isDelimited } = scan;
  /** Content of fewer bytes is no frame of this decoder. */
  const least = 1 + checks.reduce((sum, { size, isLast }) => sum + (isLast ? size : 0), 0);
  /** Wire bytes of the longest frame: each byte of it may be escaped. */
  const most = 2 * longest + 64;
  return {
    matcher: {
      firstBytes: isDelimited ? null : firstBytesOf(scan.starts),
      isDelimited,
      match(bytes, from, to, base, isLast) {
        const head = scan.headAt(bytes, from, to);
        if (head < 0) {
          return head === -2 && !isLast ? UNDECIDED : NONE;
        }
        // Starts that seem to begin a long frame at each byte are read for a part of it.
        const reach = !isDelimited && budget.isSpent ? Math.min(to, from + FREE_REACH) : to;
        const state = from + head >= reach ? 'more' : scan.run(bytes, from, head, reach, base, null);
        const length = scan.end - from;
        switch (state) {
          case 'more': {
            const isTooLong = to - from > most || reach < to;
            if (!isDelimited && (isTooLong || isLast)) {
              budget.pay(reach - from);
            }
            return isTooLong && isDelimited ? leftOver(to - from) : isLast || isTooLong ? NONE : UNDECIDED;
          }
          case 'none':
            return NONE;
          case 'damaged':
            // Each start inside of it would be read to the same end.
            return length > 1 && (isDelimited || budget.pay(length))
              ? isDelimited
                ? leftOver(length)
                : -length
              : NONE;
          case 'frame': {
            const { content, length: size } = scan;
            if (size < least) {
              return isDelimited ? leftOver(length) : NONE;
            }
            const wire = { bytes, from, to: scan.end };
            return resultOf(verify(content, 0, size, 0, wire), length, isDelimited);
          }
        }
      },
      lead: (bytes, from, to) => (isDelimited ? Math.max(0, scan.headAt(bytes, from, to)) : 0),
    },
    formOf: () => ({
      ...plainForm,
      tail: after,
      after,
      decode(frame) {
        const head = scan.headAt(frame, 0, frame.length);
        return head < 0
          ? null
          : unescaped(frame, frame.length, (target, offsets) => {
              const state = scan.run(frame, 0, head, frame.length, 0, offsets);
              scan.forget();
              if (state !== 'frame') {
                return -1;
              }
              target.set(scan.content.subarray(0, scan.length));
              return scan.length;
            });
      },
    }),
  };
}
