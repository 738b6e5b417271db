/**
 * Finds checksums by trying the ones with a name on frames: all of their places, ranges and byte orders that a decoder
 * can say. It reports on how many frames each agrees, and nothing else.
 *
 * Bounds: the 256 shortest of the different frames, 32 Mi bytes read. A search that reaches the second one says so.
 */
import { type ChecksumKind, checksumSizes, type DecoderChecksum } from '@wirebench/contract/decoders';
import { type Calculate, calculatorOf, readBig, readHex, readLittle } from '../checksums.ts';

/** A checksum that agrees with frames. */
export interface ChecksumFinding {
  readonly checksum: DecoderChecksum;
  /** Frames with which it agrees, of `of` different ones that are long enough for it. */
  readonly agreed: number;
  readonly of: number;
}

export interface ChecksumSearch {
  /** Most frames first, then the simplest. At most `MAX_FINDINGS`. */
  readonly findings: readonly ChecksumFinding[];
  /** Different frames that were tried. */
  readonly frames: number;
  /** False: the frames are so long that not every checksum was tried. */
  readonly isComplete: boolean;
}

/** Place of the checksum in one of the frames. */
export interface ChecksumPlace {
  readonly from: number;
  readonly to: number;
  /** Length of that frame's content. */
  readonly length: number;
}

const MAX_FRAMES = 256;
const MAX_WORK = 1 << 25;
const MAX_FINDINGS = 12;
/** Frames that decide early which ways are tried on all. */
const TESTERS = 8;
/** First bytes that a checksum may leave out, and last bytes between what it covers and itself, or behind it. */
const MAX_SKIPPED = 16;
const MAX_LEFT = 2;
/** Bytes at the beginning of a frame where a checksum is looked for without a place. */
const MAX_HEAD = 4;
/** Shortest stretch of bytes that a checksum covers. */
const LEAST_COVERED = 2;
/** Chance that bytes without any checksum agree this well. Rarer ones are findings. */
const CHANCE = 1e-4;

type Form = 'big' | 'little' | 'hex';

const readers = { big: readBig, little: readLittle, hex: readHex } as const;

interface Way {
  readonly kind: Exclude<ChecksumKind, 'crc'>;
  readonly form: Form;
  readonly size: number;
  /** Offset of the checksum, and of its range; negative ones count from the end. `to`: null, up to itself. */
  readonly at: number;
  readonly from: number;
  readonly to: number | null;
}

/** Kinds with a name, by their size in bytes. */
const kindsBySize = new Map<number, Way['kind'][]>();
for (const [kind, size] of Object.entries(checksumSizes) as [ChecksumKind, number][]) {
  if (kind !== 'crc') {
    kindsBySize.set(size, [...(kindsBySize.get(size) ?? []), kind]);
  }
}

const calculators = new Map<Way['kind'], Calculate>();

function calculatorFor(kind: Way['kind']): Calculate {
  const known = calculators.get(kind);
  if (known !== undefined) {
    return known;
  }
  const made = calculatorOf(kind);
  calculators.set(kind, made);
  return made;
}

/** Pays for the bytes that are read. */
class Work {
  #left = MAX_WORK;
  isOver = false;

  pay(bytes: number): boolean {
    this.#left -= bytes;
    this.isOver ||= this.#left < 0;
    return !this.isOver;
  }
}

/**
 * Tries checksums on frames.
 *
 * @param frames Contents of frames: without escapes and line ends.
 * @param place Bytes that are the checksum in one of them; null: the last bytes, or some of the first.
 * @param tail Bytes at the end of each frame that mark it, behind a checksum without a place of its own.
 */
export function findChecksums(
  frames: readonly Uint8Array[],
  place: ChecksumPlace | null = null,
  tail = 0,
): ChecksumSearch {
  const different = differentFrames(frames);
  const work = new Work();
  const hasOneLength = different.every(({ length }) => length === different[0]?.length);
  const ways = place === null ? waysAnywhere(different, tail, hasOneLength) : waysAt(place, hasOneLength);
  const testers = different.slice(0, TESTERS);
  const findings: (ChecksumFinding & { readonly way: Way })[] = [];
  for (const way of ways) {
    if (work.isOver) {
      break;
    }
    if (isPromising(way, testers, work)) {
      const found = countAgreement(way, different, work);
      if (found !== null && chanceOf(found, way, ways.length) < CHANCE) {
        findings.push({ checksum: checksumOf(way, different, tail), agreed: found.agreed, of: found.of, way });
      }
    }
  }
  findings.sort((one, other) => other.agreed - one.agreed || oddness(one.way, tail) - oddness(other.way, tail));
  return {
    findings: findings.slice(0, MAX_FINDINGS).map(({ checksum, agreed, of }) => ({ checksum, agreed, of })),
    frames: different.length,
    isComplete: !work.isOver,
  };
}

/** Returns the shortest frames, each content once. Equal frames show nothing twice. */
function differentFrames(frames: readonly Uint8Array[]): Uint8Array[] {
  const seen = new Set<string>();
  const different: Uint8Array[] = [];
  for (const frame of frames.toSorted((one, other) => one.length - other.length)) {
    const key = String.fromCharCode(...frame.subarray(0, 4_096)) + frame.length;
    if (frame.length > 0 && !seen.has(key)) {
      seen.add(key);
      different.push(frame);
      if (different.length === MAX_FRAMES) {
        break;
      }
    }
  }
  return different;
}

/** Ways at the last bytes, with up to `MAX_LEFT` behind them, and at the first ones. The likeliest come first. */
function waysAnywhere(frames: readonly Uint8Array[], tail: number, hasOneLength: boolean): Way[] {
  const least = frames[0]?.length ?? 0;
  const ends = [...new Set([tail, ...Array.from({ length: MAX_LEFT + 1 }, (_, left) => left)])];
  const ways: Way[] = [];
  for (const left of ends) {
    for (const size of [2, 1, 4, 8]) {
      if (size + left + LEAST_COVERED <= least) {
        ways.push(...waysOf(-size - left, size, hasOneLength ? least : null));
      }
    }
  }
  for (let at = 0; at < MAX_HEAD; at++) {
    for (const size of [2, 1, 4]) {
      if (hasOneLength && at + size + LEAST_COVERED <= least) {
        ways.push(...waysBehind(at, size, least));
      }
    }
  }
  return ways;
}

/** Ways at the bytes that a person has named: from the start of the frame, or from its end if lengths differ. */
function waysAt({ from, to, length }: ChecksumPlace, hasOneLength: boolean): Way[] {
  const size = to - from;
  const ways = waysOf(from - length, size, hasOneLength ? length : null);
  if (hasOneLength) {
    return [...ways, ...waysBehind(from, size, length)];
  }
  return [...ways, ...waysOf(from, size, null)];
}

/** Ways of a checksum that covers bytes before itself. */
function waysOf(at: number, size: number, length: number | null): Way[] {
  const ways: Way[] = [];
  const place = at < 0 && length !== null ? length + at : at;
  for (let left = 0; left <= MAX_LEFT; left++) {
    for (let from = 0; from <= MAX_SKIPPED; from++) {
      const covered = place < 0 ? LEAST_COVERED : place - left - from;
      if (covered >= LEAST_COVERED) {
        ways.push(...kindsOf(size).map((kind) => ({ ...kind, at, from, to: left === 0 ? null : at - left })));
      }
    }
  }
  return ways;
}

/** Ways of a checksum that covers bytes behind itself, in frames of one length. */
function waysBehind(at: number, size: number, length: number): Way[] {
  const ways: Way[] = [];
  for (let left = 0; left <= MAX_LEFT; left++) {
    for (let from = at + size; from <= at + size + MAX_LEFT && from + LEAST_COVERED <= length - left; from++) {
      ways.push(...kindsOf(size).map((kind) => ({ ...kind, at, from, to: length - left })));
    }
  }
  return ways;
}

/** Kinds and forms of a checksum that takes so many bytes. */
function kindsOf(size: number): Pick<Way, 'kind' | 'form' | 'size'>[] {
  const plain = (kindsBySize.get(size) ?? []).flatMap((kind) =>
    (size === 1 ? (['big'] as const) : (['big', 'little'] as const)).map((form) => ({ kind, form, size })),
  );
  const hex = size % 2 === 0 ? (kindsBySize.get(size / 2) ?? []) : [];
  return [...plain, ...hex.map((kind) => ({ kind, form: 'hex' as const, size }))];
}

/** Returns true if a way agrees with most of the first frames. */
function isPromising(way: Way, testers: readonly Uint8Array[], work: Work): boolean {
  let wrong = 0;
  const most = testers.length * 0.4;
  for (const frame of testers) {
    if (agrees(way, frame, work) !== true) {
      wrong++;
      if (wrong > most) {
        return false;
      }
    }
  }
  return testers.length > 0;
}

interface Agreement {
  readonly agreed: number;
  readonly of: number;
  /** Agreeing frames of which no two have the same covered bytes. */
  readonly different: number;
}

/** Returns null if the work is over before all frames were tried. */
function countAgreement(way: Way, frames: readonly Uint8Array[], work: Work): Agreement | null {
  let agreed = 0;
  let of = 0;
  const covered = new Set<string>();
  for (const frame of frames) {
    const result = agrees(way, frame, work);
    if (work.isOver) {
      return null;
    }
    of += result === null ? 0 : 1;
    if (result === true) {
      agreed++;
      const { from, to } = rangeIn(way, frame);
      covered.add(String.fromCharCode(...frame.subarray(from, Math.min(to, from + 4_096))));
    }
  }
  return { agreed, of, different: covered.size };
}

function rangeIn({ at, from, to }: Way, { length }: Uint8Array): { place: number; from: number; to: number } {
  const place = at < 0 ? length + at : at;
  return { place, from, to: to === null ? place : to < 0 ? length + to : to };
}

/** Returns null for a frame that is too short for the way. */
function agrees(way: Way, frame: Uint8Array, work: Work): boolean | null {
  const { place, from, to } = rangeIn(way, frame);
  if (place < 0 || place + way.size > frame.length || to - from < LEAST_COVERED || to > frame.length) {
    return null;
  }
  return work.pay(to - from) && calculatorFor(way.kind)(frame, from, to) === readers[way.form](frame, place, way.size);
}

/**
 * Returns an upper bound of the chance that random bytes agree as often, by one of all ways: C(n, k) × ways × 2^−bits·k.
 */
function chanceOf({ different, of }: Agreement, { size, form }: Way, ways: number): number {
  const bits = (form === 'hex' ? 4 : 8) * size;
  let logarithm = Math.log2(ways) - bits * different;
  for (let index = 0; index < different; index++) {
    logarithm += Math.log2(of - index) - Math.log2(index + 1);
  }
  return 2 ** logarithm;
}

/** Counts what is unusual about a way: the simplest of several that agree comes first. */
function oddness({ at, from, to, size }: Way, tail: number): number {
  return (at === -size - tail ? 0 : 100) + (to === null ? 0 : 20) + from;
}

function checksumOf(
  { kind, form, size, at, from, to }: Way,
  frames: readonly Uint8Array[],
  tail: number,
): DecoderChecksum {
  const isLast = at === -size - tail || (at >= 0 && frames.every(({ length }) => at + size + tail === length));
  return {
    kind,
    order: form === 'little' ? 'little' : 'big',
    form: form === 'hex' ? 'hex' : 'bytes',
    ...(!isLast && { at }),
    from,
    ...(to !== null && { to }),
  };
}
