/** Finds the frames of one decoder in a stream: one matcher for each kind of framing. */
import type { DecoderContent, DecoderFraming } from '@wirebench/contract/decoders';
import { contentCheck } from './checksums.ts';
import { decodeCobs, decodeSlip } from './escapes.ts';
import { NONE, type StepParts, UNDECIDED } from './steps/step-types.ts';
import { type Budget, leftOver, type Matcher } from './stream-cutter.ts';

/** Parses pairs of hex digits. */
function markerBytes(text: string): readonly number[] {
  return (text.match(/[\dA-Fa-f]{2}/g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

const textBytes = (text: string): readonly number[] => [...new TextEncoder().encode(text)];

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLIP_END = 0xc0;

/** Place of the content in a frame, without escapes, delimiters and line ends. */
export interface FrameForm {
  /** Bytes before the content that its offsets do not count. */
  readonly skipped: number;
  /** Bytes that begin the content. Fields without an offset begin behind them. */
  readonly head: number;
  /** Bytes that end the content: the end marker, without a checksum. */
  readonly tail: number;
  /** Content as it was before escaping; null: the frame has no escapes. */
  readonly decode:
    | ((frame: Uint8Array) => { readonly content: Uint8Array; readonly offsets: Uint32Array } | null)
    | null;
}

export interface FrameKind {
  readonly matcher: Matcher;
  /** Returns the form of a frame that the matcher found. */
  formOf(frame: Uint8Array): FrameForm;
  /** Returns true for the bytes of one right frame, no more and no less. */
  isFrame(frame: Uint8Array): boolean;
  /** Returns true for the beginning of a frame whose own length says that its end is missing. */
  isCut(frame: Uint8Array): boolean;
}

const plainForm: FrameForm = { skipped: 0, head: 0, tail: 0, decode: null };

/** `other`: the decoder does not apply to it, by its first bytes or its length. */
type Verdict = 'right' | 'wrong' | 'other';

/** Verifies a frame whose ends are known. */
type Verify = (bytes: Uint8Array, from: number, to: number, tail: number) => Verdict;

/** Prepares the framing of a decoder. */
export function frameKind(decoder: DecoderContent, steps: readonly StepParts[], budget: Budget): FrameKind {
  const { framing } = decoder;
  const verify = verifierOf(decoder, budget);
  const kind = kindOf(framing, verify, steps);
  /** Position of the next frame. Each has one of its own, because matchers remember positions. */
  let base = 0;
  return {
    isCut: () => false,
    ...kind,
    isFrame(frame) {
      budget.earn(frame.length);
      const at = base;
      base += frame.length + 2;
      return frame.length > 0 && kind.matcher.match(frame, 0, frame.length, at, true) === frame.length;
    },
  };
}

function verifierOf({ checksum, when }: DecoderContent, budget: Budget): Verify {
  const check = checksum === undefined ? null : contentCheck(checksum);
  const first = when.first.map(markerBytes);
  const isOwn = (bytes: Uint8Array, from: number, to: number) =>
    to - from >= when.shortest &&
    to - from <= when.longest &&
    (first.length === 0 || markerAt(first, bytes, from, to) >= 0);
  return (bytes, from, to, tail) => {
    if (!isOwn(bytes, from, to)) {
      return 'other';
    }
    const isRight = budget.pay(to - from) && (check?.isRight(bytes, from, to, tail) ?? true);
    return isRight ? 'right' : 'wrong';
  };
}

/**
 * Returns the result of a matcher for a frame of this length.
 *
 * @param isDelimited True: a frame that is not of this decoder is left over as a whole.
 */
function resultOf(verdict: Verdict, length: number, isDelimited: boolean): number {
  switch (verdict) {
    case 'right':
      return length;
    case 'wrong':
      return length > 1 ? -length : NONE;
    case 'other':
      return isDelimited ? leftOver(length) : NONE;
  }
}

type PartialKind = Omit<FrameKind, 'isFrame' | 'isCut'> & Partial<Pick<FrameKind, 'isCut'>>;

function kindOf(framing: DecoderFraming, verify: Verify, steps: readonly StepParts[]): PartialKind {
  switch (framing.kind) {
    case 'length':
      return lengthKind(framing, verify);
    case 'until':
      return untilKind(framing, verify);
    case 'lines':
      return linesKind(framing, verify);
    case 'cobs':
      return cobsKind(framing.longest, verify);
    case 'slip':
      return slipKind(framing.longest, verify);
    case 'gap':
      return gapKind(framing.longest, verify);
    case 'step':
      return stepKind(steps);
  }
}

/** Returns the index of the marker at `at`; −1: none; −2: more bytes are needed. */
function markerAt(markers: readonly (readonly number[])[], bytes: Uint8Array, at: number, to: number): number {
  let isPartial = false;
  for (const [index, marker] of markers.entries()) {
    let same = 0;
    while (same < marker.length && at + same < to && bytes[at + same] === marker[same]) {
      same++;
    }
    if (same === marker.length) {
      return index;
    }
    isPartial ||= at + same === to;
  }
  return isPartial ? -2 : -1;
}

const firstBytesOf = (markers: readonly (readonly number[])[]) =>
  markers.length === 0 ? null : markers.map(([first = 0]) => first);

function lengthKind(framing: Extract<DecoderFraming, { kind: 'length' }>, verify: Verify): PartialKind {
  const { length, longest } = framing;
  const starts = (framing.start ?? []).map(markerBytes);
  const ends = (framing.end ?? []).map(markerBytes);
  const endLength = ends[0]?.length ?? 0;
  const headAt = (bytes: Uint8Array, at: number, to: number) =>
    starts.length === 0 ? 0 : (starts[markerAt(starts, bytes, at, to)]?.length ?? 0);
  const lengthAt = lengthReader(length);
  const needed = typeof length === 'number' ? 0 : length.at + lengthSizes[length.type];
  const form = (head: number): FrameForm => ({ ...plainForm, head, tail: endLength });
  const isPossible = (total: number) => total <= longest && total >= needed + endLength && total >= 1;
  /** A beginning of two bytes is hardly one by chance, so that what follows is a frame without its end. */
  const isClear = (start: number) => (starts[start]?.length ?? 0) > 1;
  return {
    matcher: {
      firstBytes: firstBytesOf(starts),
      isDelimited: false,
      match(bytes, from, to, _base, isLast) {
        const start = starts.length === 0 ? 0 : markerAt(starts, bytes, from, to);
        if (start < 0) {
          return start === -2 && !isLast ? UNDECIDED : NONE;
        }
        if (from + needed > to) {
          return isLast ? NONE : UNDECIDED;
        }
        const total = lengthAt(bytes, from);
        if (!isPossible(total)) {
          return NONE;
        }
        if (from + total > to) {
          return !isLast ? UNDECIDED : isClear(start) && to - from > 1 ? from - to : NONE;
        }
        if (endLength > 0 && markerAt(ends, bytes, from + total - endLength, from + total) < 0) {
          return NONE;
        }
        return resultOf(verify(bytes, from, from + total, endLength), total, false);
      },
    },
    formOf: (frame) => form(headAt(frame, 0, frame.length)),
    isCut(frame) {
      if (frame.length < needed || (starts.length > 0 && markerAt(starts, frame, 0, frame.length) < 0)) {
        return false;
      }
      const total = lengthAt(frame, 0);
      return isPossible(total) && total > frame.length;
    },
  };
}

const lengthSizes = { u8: 1, u16: 2, u24: 3, u32: 4 } as const;

function lengthReader(
  length: Extract<DecoderFraming, { kind: 'length' }>['length'],
): (bytes: Uint8Array, from: number) => number {
  if (typeof length === 'number') {
    return () => length;
  }
  const { at, type, order, multiply, add } = length;
  const size = lengthSizes[type];
  return (bytes, from) => {
    let value = 0;
    for (let index = 0; index < size; index++) {
      value = value * 256 + (bytes[from + at + (order === 'big' ? index : size - 1 - index)] as number);
    }
    return value * multiply + add;
  };
}

/** Finds the first of several markers, and remembers how far it has looked. */
class MarkerSearch {
  readonly #markers: readonly (readonly number[])[];
  readonly #longest: number;
  /** No marker begins from `#from` up to `#to`. Positions in the stream. */
  #from = 0;
  #to = 0;

  constructor(markers: readonly (readonly number[])[]) {
    this.#markers = markers;
    this.#longest = Math.max(...markers.map(({ length }) => length));
  }

  /** Returns the offset after the first marker that begins at `from` or later; −1: none. */
  find(bytes: Uint8Array, from: number, to: number, base: number): number {
    const start = base + from >= this.#from && base + from <= this.#to ? this.#to - base : from;
    if (this.#longest === 1 && this.#markers.length <= 2) {
      const first = this.#markers[0]?.[0];
      const second = this.#markers[1]?.[0] ?? first;
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
          return at + (this.#markers[index] as readonly number[]).length;
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

function untilKind(framing: Extract<DecoderFraming, { kind: 'until' }>, verify: Verify): PartialKind {
  const starts = (framing.start ?? []).map(markerBytes);
  const ends = framing.end.map(markerBytes);
  const search = new MarkerSearch(ends);
  const headOf = (bytes: Uint8Array, at: number, to: number) =>
    starts.length === 0 ? 0 : (starts[markerAt(starts, bytes, at, to)]?.length ?? 0);
  const tailOf = (frame: Uint8Array) =>
    Math.max(0, ...ends.filter((end) => endsWith(frame, end)).map((end) => end.length));
  return {
    matcher: {
      firstBytes: firstBytesOf(starts),
      isDelimited: starts.length === 0,
      match(bytes, from, to, base, isLast) {
        const start = starts.length === 0 ? 0 : markerAt(starts, bytes, from, to);
        if (start < 0) {
          return start === -2 && !isLast ? UNDECIDED : NONE;
        }
        const head = starts[start]?.length ?? 0;
        const end = search.find(bytes, from + head, to, base);
        if (end === -1) {
          return to - from < framing.longest && !isLast ? UNDECIDED : NONE;
        }
        const length = end - from;
        if (length > framing.longest) {
          return starts.length === 0 ? leftOver(length) : NONE;
        }
        return resultOf(verify(bytes, from, end, tailOf(bytes.subarray(from, end))), length, starts.length === 0);
      },
    },
    formOf: (frame) => ({ ...plainForm, head: headOf(frame, 0, frame.length), tail: tailOf(frame) }),
  };
}

function endsWith(bytes: Uint8Array, end: readonly number[]): boolean {
  return end.length <= bytes.length && end.every((byte, index) => bytes[bytes.length - end.length + index] === byte);
}

const lineEnds = [[LINE_FEED], [CARRIAGE_RETURN]];

function linesKind(framing: Extract<DecoderFraming, { kind: 'lines' }>, verify: Verify): PartialKind {
  const start = framing.start === undefined ? [] : [textBytes(framing.start)];
  const search = new MarkerSearch(lineEnds);
  const isEnd = (byte: number | undefined) => byte === LINE_FEED || byte === CARRIAGE_RETURN;
  /** Line ends before a line belong to it, as V.250 sends them. */
  const skippedOf = (bytes: Uint8Array, from: number, to: number) => {
    let at = from;
    while (start.length === 0 && at < to && isEnd(bytes[at])) {
      at++;
    }
    return at - from;
  };
  return {
    matcher: {
      firstBytes: firstBytesOf(start),
      isDelimited: true,
      match(bytes, from, to, base, isLast) {
        if (start.length > 0) {
          const found = markerAt(start, bytes, from, to);
          if (found < 0) {
            return found === -2 && !isLast ? UNDECIDED : NONE;
          }
        }
        const content = from + skippedOf(bytes, from, to);
        if (content - from > framing.longest) {
          return leftOver(content - from);
        }
        const after = search.find(bytes, content, to, base);
        if (after === -1 || content === to) {
          return isLast ? NONE : to - from <= framing.longest ? UNDECIDED : leftOver(to - from);
        }
        let end = after;
        if (bytes[after - 1] === CARRIAGE_RETURN) {
          if (after === to && !isLast) {
            return UNDECIDED;
          }
          end = after < to && bytes[after] === LINE_FEED ? after + 1 : after;
        }
        const length = end - from;
        if (length > framing.longest) {
          return leftOver(length);
        }
        return resultOf(verify(bytes, content, after - 1, 0), length, true);
      },
    },
    formOf(frame) {
      let end = frame.length;
      while (end > 0 && isEnd(frame[end - 1])) {
        end--;
      }
      return { ...plainForm, skipped: skippedOf(frame, 0, frame.length), tail: frame.length - end };
    },
  };
}

function cobsKind(longest: number, verify: Verify): PartialKind {
  const search = new MarkerSearch([[0]]);
  const content = new Uint8Array(longest);
  return {
    matcher: {
      firstBytes: null,
      isDelimited: true,
      match(bytes, from, to, base, isLast) {
        if (bytes[from] === 0) {
          return NONE;
        }
        const end = search.find(bytes, from, to, base);
        if (end === -1) {
          return isLast ? NONE : to - from <= longest ? UNDECIDED : leftOver(to - from);
        }
        const length = end - from;
        const decoded = length > longest ? -1 : decodeCobs(bytes, from, end - 1, content, null);
        if (decoded < 0) {
          return leftOver(length);
        }
        return resultOf(verify(content, 0, decoded, 0), length, true);
      },
    },
    formOf: () => ({
      ...plainForm,
      decode(frame) {
        const last = frame.length - 1;
        return unescaped(frame, (target, offsets) =>
          last < 0 || frame[last] !== 0 ? -1 : decodeCobs(frame, 0, last, target, offsets),
        );
      },
    }),
  };
}

function slipKind(longest: number, verify: Verify): PartialKind {
  const search = new MarkerSearch([[SLIP_END]]);
  const content = new Uint8Array(longest);
  const startOf = (bytes: Uint8Array, from: number, to: number) => {
    let at = from;
    while (at < to && bytes[at] === SLIP_END) {
      at++;
    }
    return at;
  };
  return {
    matcher: {
      firstBytes: null,
      isDelimited: true,
      match(bytes, from, to, base, isLast) {
        const start = startOf(bytes, from, to);
        if (start - from > longest) {
          return leftOver(start - from);
        }
        const end = start === to ? -1 : search.find(bytes, start, to, base);
        if (end === -1) {
          return isLast ? NONE : to - from <= longest ? UNDECIDED : leftOver(to - from);
        }
        const length = end - from;
        const decoded = length > longest ? -1 : decodeSlip(bytes, start, end - 1, content, null);
        if (decoded < 0) {
          return leftOver(length);
        }
        return resultOf(verify(content, 0, decoded, 0), length, true);
      },
    },
    formOf: () => ({
      ...plainForm,
      decode(frame) {
        const start = startOf(frame, 0, frame.length);
        return unescaped(frame, (target, offsets) => decodeSlip(frame, start, frame.length - 1, target, offsets));
      },
    }),
  };
}

/** Decodes a frame into bytes of its own. The offsets have one more entry, for the end. */
function unescaped(
  frame: Uint8Array,
  decode: (target: Uint8Array, offsets: Uint32Array) => number,
): { content: Uint8Array; offsets: Uint32Array } | null {
  const target = new Uint8Array(frame.length);
  const offsets = new Uint32Array(frame.length + 1);
  const length = decode(target, offsets);
  if (length < 0) {
    return null;
  }
  offsets[length] = frame.length - 1;
  return { content: target.subarray(0, length), offsets };
}

function gapKind(longest: number, verify: Verify): PartialKind {
  return {
    matcher: {
      firstBytes: null,
      isDelimited: true,
      match(bytes, from, to, _base, isLast) {
        if (to - from > longest) {
          return leftOver(to - from);
        }
        if (!isLast) {
          return UNDECIDED;
        }
        return resultOf(verify(bytes, from, to, 0), to - from, true);
      },
    },
    formOf: () => plainForm,
  };
}

function stepKind(steps: readonly StepParts[]): PartialKind {
  const step = steps.find(({ measure }) => measure !== undefined);
  const settle = steps.find((one) => one.settle !== undefined)?.settle;
  return {
    matcher: {
      firstBytes: step?.firstBytes ?? null,
      isDelimited: false,
      match: (bytes, from, to, _base, isLast) => step?.measure?.(bytes, from, to, isLast) ?? NONE,
      ...(settle !== undefined && { settle }),
    },
    formOf: () => plainForm,
    isCut: (frame) => steps.some((one) => one.isCut?.(frame) ?? false),
  };
}
