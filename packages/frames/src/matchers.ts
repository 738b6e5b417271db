/** Finds the frames of one decoder in a stream: one matcher for each kind of framing. */
import type { DecoderContent, DecoderFraming, DecoderShape } from '@wirebench/contract/decoders';
import { type ContentCheck, checksOf } from './checksums.ts';
import { escapedKind } from './escaped-framing.ts';
import { decodeCobs, decodeHex, decodeSlip } from './escapes.ts';
import type { FrameForm, PartialKind, Verdict, Verify } from './frame-form.ts';
import { plainForm, resultOf, unescaped } from './frame-form.ts';
import { lengthNeeds, lengthReader } from './frame-length.ts';
import type { Direction } from './frame-types.ts';
import { endsWith, exactMarker, firstBytesOf, MarkerSearch, markerAt, markerBytes, textMarker } from './markers.ts';
import { NONE, type StepParts, UNDECIDED } from './steps/step-types.ts';
import { type Budget, leftOver, type Matcher } from './stream-cutter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLIP_END = 0xc0;

/** Frames of one shape. */
export interface FrameKind {
  readonly matcher: Matcher;
  /** Direction of its frames; null: both. */
  readonly direction: Direction | null;
  /** Checksums of its frames that need no question. */
  readonly checks: readonly ContentCheck[];
  /** Checksums of its frames over their questions. */
  readonly questionChecks: readonly ContentCheck[];
  /** Returns the form of a frame that the matcher found. */
  formOf(frame: Uint8Array): FrameForm;
  /** Returns true for the bytes of one right frame, no more and no less. */
  isFrame(frame: Uint8Array): boolean;
  /** Returns true for the beginning of a frame whose own length says that its end is missing. */
  isCut(frame: Uint8Array): boolean;
}

/** A shape with its checksums and direction. */
type ShapeParts = Pick<DecoderContent, 'checksum' | 'checksums'> & { readonly direction?: Direction | undefined };

/** Prepares the framing of a decoder: one kind for each of its shapes. */
export function frameKinds(decoder: DecoderContent, steps: readonly StepParts[], budget: Budget): FrameKind[] {
  const { framing } = decoder;
  const shapes: readonly (DecoderFraming | DecoderShape)[] = framing.kind === 'any' ? framing.of : [framing];
  const kinds = shapes.map((shape) => {
    const parts: ShapeParts = framing.kind === 'any' ? (shape as DecoderShape) : {};
    const hasOwn = parts.checksum !== undefined || parts.checksums !== undefined;
    const checks = checksOf(hasOwn ? parts : decoder);
    return frameKind(shape, checks, parts.direction ?? null, decoder.when, steps, budget);
  });
  const isChecked = kinds.some(({ checks }) => checks.length > 0);
  return kinds.map((kind) =>
    isChecked && kind.checks.length === 0 ? { ...kind, matcher: { ...kind.matcher, isUnchecked: true } } : kind,
  );
}

function frameKind(
  shape: DecoderFraming,
  all: readonly ContentCheck[],
  direction: Direction | null,
  when: DecoderContent['when'],
  steps: readonly StepParts[],
  budget: Budget,
): FrameKind {
  const checks = all.filter(({ needsQuestion }) => !needsQuestion);
  const kind = kindOf(shape, verifierOf(checks, when, budget), checks, steps, budget);
  /** Position of the next frame. Each has one of its own, because matchers remember positions. */
  let base = 0;
  return {
    isCut: () => false,
    ...kind,
    direction,
    checks,
    questionChecks: all.filter(({ needsQuestion }) => needsQuestion),
    isFrame(frame) {
      budget.earn(frame.length);
      const at = base;
      base += frame.length + 2;
      return frame.length > 0 && kind.matcher.match(frame, 0, frame.length, at, true) === frame.length;
    },
  };
}

function verifierOf(checks: readonly ContentCheck[], when: DecoderContent['when'], budget: Budget): Verify {
  const first = when.first.map(markerBytes);
  const isOwn = (bytes: Uint8Array, from: number, to: number) =>
    to - from >= when.shortest &&
    to - from <= when.longest &&
    (first.length === 0 || markerAt(first, bytes, from, to) >= 0);
  return (bytes, from, to, tail, wire): Verdict => {
    if (!isOwn(bytes, from, to)) {
      return 'other';
    }
    if (!budget.pay(to - from)) {
      return 'wrong';
    }
    for (const check of checks) {
      const isRight =
        check.isOfWire && wire !== undefined
          ? check.isRight(wire.bytes, wire.from, wire.to, 0)
          : check.isRight(bytes, from, to, tail);
      if (!isRight) {
        return 'wrong';
      }
    }
    return 'right';
  };
}

function kindOf(
  framing: DecoderFraming,
  verify: Verify,
  checks: readonly ContentCheck[],
  steps: readonly StepParts[],
  budget: Budget,
): PartialKind {
  switch (framing.kind) {
    case 'length':
      return lengthKind(framing, verify, checks);
    case 'until':
      return untilKind(framing, verify);
    case 'lines':
      return linesKind(framing, verify);
    case 'escaped':
      return escapedKind(framing, verify, checks, budget);
    case 'cobs':
      return cobsKind(framing.longest, verify);
    case 'slip':
      return slipKind(framing.longest, verify);
    case 'gap':
      return gapKind(framing.longest, verify);
    case 'step':
    // The shapes of `any` are kinds of their own.
    case 'any':
      return stepKind(steps);
  }
}

function lengthKind(
  framing: Extract<DecoderFraming, { kind: 'length' }>,
  verify: Verify,
  checks: readonly ContentCheck[],
): PartialKind {
  const { length, longest } = framing;
  const starts = (framing.start ?? []).map(markerBytes);
  const ends = (framing.end ?? []).map(markerBytes);
  const endLength = ends[0]?.length ?? 0;
  const headAt = (bytes: Uint8Array, at: number, to: number) =>
    starts.length === 0 ? 0 : (starts[markerAt(starts, bytes, at, to)]?.length ?? 0);
  const lengthAt = lengthReader(length);
  const needed = lengthNeeds(length);
  // With others, a checksum in the header says whether its length is one.
  const headers = typeof length === 'number' || checks.length < 2 ? [] : checks.filter(({ header }) => header !== null);
  const header = Math.max(needed, ...headers.map((check) => check.header ?? 0));
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
        if (from + header > to) {
          return isLast ? NONE : UNDECIDED;
        }
        if (headers.some((check) => !check.isRight(bytes, from, from + header, 0))) {
          return NONE;
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

function untilKind(framing: Extract<DecoderFraming, { kind: 'until' }>, verify: Verify): PartialKind {
  const { after = 0, longest, hex = false } = framing;
  const starts = (framing.start ?? []).map(markerBytes);
  const ends = framing.end.map(markerBytes);
  const search = new MarkerSearch(ends);
  const isDelimited = starts.length === 0;
  const content = new Uint8Array(hex ? longest : 0);
  const headOf = (bytes: Uint8Array, at: number, to: number) =>
    starts.length === 0 ? 0 : (starts[markerAt(starts, bytes, at, to)]?.length ?? 0);
  /** Bytes of the end marker, without those behind it. */
  const endOf = (frame: Uint8Array) => {
    const body = after === 0 ? frame : frame.subarray(0, Math.max(0, frame.length - after));
    return Math.max(0, ...ends.filter((end) => endsWith(body, end)).map((end) => end.length));
  };
  return {
    matcher: {
      firstBytes: firstBytesOf(starts),
      isDelimited,
      match(bytes, from, to, base, isLast) {
        const start = starts.length === 0 ? 0 : markerAt(starts, bytes, from, to);
        if (start < 0) {
          return start === -2 && !isLast ? UNDECIDED : NONE;
        }
        const head = starts[start]?.length ?? 0;
        const found = search.find(bytes, from + head, to, base);
        const end = found + after;
        if (found === -1 || end > to) {
          return to - from < longest && !isLast ? UNDECIDED : NONE;
        }
        const length = end - from;
        if (length > longest) {
          return isDelimited ? leftOver(length) : NONE;
        }
        const frame = bytes.subarray(from, end);
        if (hex) {
          const size = decodeHex(bytes, from + head, found - endOf(frame), content, null);
          return size <= 0
            ? resultOf('other', length, isDelimited)
            : resultOf(verify(content, 0, size, 0, { bytes, from, to: end }), length, isDelimited);
        }
        // A checksum without a place is the last of the bytes behind the end.
        return resultOf(verify(bytes, from, end, after > 0 ? 0 : endOf(frame)), length, isDelimited);
      },
    },
    formOf: (frame) => ({
      ...plainForm,
      ...(hex
        ? { decode: hexDecoder(headOf(frame, 0, frame.length), endOf(frame) + after) }
        : { head: headOf(frame, 0, frame.length), tail: endOf(frame) + after, after }),
    }),
  };
}

/** Returns what decodes the hex digits of a frame between `head` bytes before and `tail` bytes behind them. */
function hexDecoder(head: number, tail: number): FrameForm['decode'] {
  return (frame) => {
    const end = frame.length - tail;
    return unescaped(frame, end, (target, offsets) => decodeHex(frame, head, end, target, offsets));
  };
}

const lineEnds = [exactMarker([LINE_FEED]), exactMarker([CARRIAGE_RETURN])];

function linesKind(framing: Extract<DecoderFraming, { kind: 'lines' }>, verify: Verify): PartialKind {
  const { hex = false } = framing;
  const start = framing.start === undefined ? [] : [textMarker(framing.start)];
  const startLength = start[0]?.length ?? 0;
  const digits = new Uint8Array(hex ? framing.longest : 0);
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
        if (hex) {
          const size = decodeHex(bytes, content + startLength, after - 1, digits, null);
          if (size > 0) {
            return resultOf(verify(digits, 0, size, 0, { bytes, from, to: end }), length, true);
          }
          // A start inside of a line begins a line of its own.
          const fault = -1 - size;
          const isStart = size < 0 && startLength > 0 && markerAt(start, bytes, fault, to) >= 0;
          return leftOver(isStart ? fault - from : length);
        }
        return resultOf(verify(bytes, content, after - 1, 0, { bytes, from, to: end }), length, true);
      },
      lead: skippedOf,
    },
    formOf(frame) {
      let end = frame.length;
      while (end > 0 && isEnd(frame[end - 1])) {
        end--;
      }
      const skipped = skippedOf(frame, 0, frame.length);
      return hex
        ? { ...plainForm, decode: hexDecoder(skipped + startLength, frame.length - end) }
        : { ...plainForm, isLine: true, skipped, tail: frame.length - end };
    },
  };
}

function cobsKind(longest: number, verify: Verify): PartialKind {
  const search = new MarkerSearch([exactMarker([0])]);
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
        return resultOf(verify(content, 0, decoded, 0, { bytes, from, to: end }), length, true);
      },
    },
    formOf: () => ({
      ...plainForm,
      decode(frame) {
        const last = frame.length - 1;
        return unescaped(frame, last, (target, offsets) =>
          last < 0 || frame[last] !== 0 ? -1 : decodeCobs(frame, 0, last, target, offsets),
        );
      },
    }),
  };
}

function slipKind(longest: number, verify: Verify): PartialKind {
  const search = new MarkerSearch([exactMarker([SLIP_END])]);
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
        return resultOf(verify(content, 0, decoded, 0, { bytes, from, to: end }), length, true);
      },
    },
    formOf: () => ({
      ...plainForm,
      decode(frame) {
        const start = startOf(frame, 0, frame.length);
        const last = frame.length - 1;
        return unescaped(frame, last, (target, offsets) => decodeSlip(frame, start, last, target, offsets));
      },
    }),
  };
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
