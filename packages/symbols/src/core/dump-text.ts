/**
 * Core dumps printed by firmware: lines of Base64 between two marks (ESP-IDF, `core_dump_uart.c`). The text may be a
 * log of any tool, may lack a mark, and may contain other lines. The length in the dump's header reveals lines that
 * are Base64 by chance, such as `wifiDone`.
 */
import { type LogLine, logLines } from '../log-text/log-lines.ts';
import { base64Size, decodeBase64 } from './base64-line.ts';
import { isSound } from './core-checksum.ts';
import { CoreDumpError } from './core-failure.ts';
import { isElf, readHeader } from './core-header.ts';
import { refuseForeignText } from './foreign-file.ts';
import { joined } from './joined-bytes.ts';

const START = /=+ CORE DUMP START =+/;
const END = /=+ CORE DUMP END =+/;
/** Marks that a board prints before and after a dump, as openings of lines. */
export const dumpMarks: readonly RegExp[] = [START, END];
const MARK = /(=+ CORE DUMP (?:START|END) =+)/;

/** Minimum Base64 characters that count as part of a dump beside other words on a line, or without any mark. */
const MIN_ALONE = 16;
/** Maximum foreign lines that only the checksum tells, and maximum lines considered for removal. Lines of another form are any number. */
const [MAX_FOREIGN, MAX_SUSPECTS] = [3, 40];
/** Maximum combinations whose checksum is calculated, and maximum bytes of which it is calculated in all. */
const [MAX_TRIES, MAX_CHECKED] = [64, 256 * 1024 * 1024];

interface Part extends LogLine {
  /** Number of encoded bytes. */
  readonly size: number;
  /** True: its line holds nothing else. */
  readonly isAlone: boolean;
}

interface Stretch {
  readonly parts: readonly Part[];
  /** Lines before the last part that are not Base64. */
  readonly others: readonly LogLine[];
  /** True: nothing follows the dump. False: its end is missing, and other lines may follow. */
  readonly hasEnd: boolean;
}

/** A dump found in a text. */
export interface TextDump {
  readonly bytes: Uint8Array;
  /** Lines within the dump that are Base64 and not part of it, in their order. */
  readonly skipped: readonly LogLine[];
}

/**
 * Returns the last complete dump in a text.
 *
 * @param pause Awaited between slices of a large dump.
 * @throws CoreDumpError `no-dump`; `foreign` for a document of another kind; `truncated` or `checksum`, with the
 *   offending line if there is one.
 */
export async function dumpOfText(text: string, pause?: () => Promise<void>): Promise<TextDump> {
  const stretch = stretchIn(text);
  if (stretch === null) {
    refuseForeignText(text);
    throw new CoreDumpError('no-dump');
  }
  const parts = fromHeader(stretch.parts);
  const bytes = decoded(parts);
  const length = readHeader(bytes)?.length;
  if (length === undefined) {
    return { bytes, skipped: [] };
  }
  const whole = await wholeDump(parts, stretch.hasEnd, pause);
  if (whole !== null) {
    return whole;
  }
  if (bytes.length < length) {
    throw new CoreDumpError('truncated', { missing: length - bytes.length, line: stretch.others[0] });
  }
  throw new CoreDumpError('checksum', { line: stretch.others[0] ?? suspects(parts)[0] });
}

const decoded = (parts: readonly Part[]) => joined(parts.map(({ text }) => decodeBase64(text)));

/** Drops lines before the header that are Base64 by chance. */
function fromHeader(parts: readonly Part[]): readonly Part[] {
  const isHead = (at: number) => {
    const bytes = decoded(parts.slice(at, at + MAX_FOREIGN));
    return isElf(bytes) || readHeader(bytes) !== null;
  };
  const at = [...parts.keys()].slice(0, MAX_FOREIGN + 1).find(isHead);
  return at === undefined ? parts : parts.slice(at);
}

/**
 * Returns the dump in `parts`, without foreign lines inside it and after it; null if no combination has the right
 * length and checksum.
 */
async function wholeDump(
  parts: readonly Part[],
  hasEnd: boolean,
  pause?: () => Promise<void>,
): Promise<TextDump | null> {
  const bytes = decoded(parts);
  const length = readHeader(bytes)?.length ?? 0;
  if (bytes.length < length) {
    return null;
  }
  const most = Math.min(MAX_TRIES, Math.ceil(MAX_CHECKED / length));
  let tries = 0;
  for (const rest of choices(parts, length, hasEnd)) {
    const found = decoded(rest);
    if (await hasRightChecksum(found, pause)) {
      return { bytes: found, skipped: skippedIn(parts, rest, hasEnd) };
    }
    tries++;
    if (tries === most) {
      return null;
    }
  }
  return null;
}

/** Yields parts that encode `length` bytes, the most likely first: all, those of one form, and all but a few. */
function* choices(parts: readonly Part[], length: number, hasEnd: boolean): Generator<readonly Part[], void> {
  const all = upTo(length, parts);
  if (all !== null) {
    yield all;
  }
  yield* byForm(parts, length);
  const doubtful = suspects(parts);
  const excess = parts.reduce((sum, { size }) => sum + size, 0) - length;
  for (const some of hasEnd ? combinations(doubtful, excess) : doubtful.map((part) => [part])) {
    const rest = upTo(
      length,
      parts.filter((part) => !some.includes(part)),
    );
    if (rest !== null) {
      yield rest;
    }
  }
}

/**
 * Yields the parts without those of another form, however many these are: beside other words, then also of another size, then also
 * text. The first part, with the header, and the last one have sizes of their own.
 */
function* byForm(parts: readonly Part[], length: number): Generator<readonly Part[], void> {
  const usual = mostFrequent(parts.map(({ size }) => size));
  const hasNeighbours = mostStandAlone(parts);
  const isBeside = ({ isAlone }: Part) => hasNeighbours && !isAlone;
  const forms: readonly ((part: Part) => boolean)[] = [
    isBeside,
    (part) => isBeside(part) || part.size !== usual,
    (part) => isBeside(part) || part.size !== usual || isReadable(decodeBase64(part.text)),
  ];
  for (const isForeign of forms) {
    const rest: Part[] = [];
    let missing = length;
    for (const [index, part] of parts.entries()) {
      if (part.size <= missing && (index === 0 || !isForeign(part))) {
        rest.push(part);
        missing -= part.size;
      }
    }
    const end = parts.indexOf(rest.at(-1) as Part);
    const last =
      missing === 0 ? undefined : parts.slice(end + 1).find((part) => part.size === missing && !isBeside(part));
    if (missing === 0 || last !== undefined) {
      yield last === undefined ? rest : [...rest, last];
    }
  }
}

/** Returns the lines that were left out. Without an end, those behind the dump are another log. */
function skippedIn(parts: readonly Part[], rest: readonly Part[], hasEnd: boolean): readonly LogLine[] {
  const taken = new Set(rest);
  const last = rest.at(-1)?.number ?? 0;
  return parts
    .filter((part) => !taken.has(part) && (hasEnd || part.number < last))
    .map(({ number, text }) => ({ number, text }));
}

/** Returns true if more than half of the parts have a line to themselves. */
const mostStandAlone = (parts: readonly Part[]): boolean =>
  parts.filter(({ isAlone }) => isAlone).length * 2 > parts.length;

/** Returns the first parts that encode exactly `length` bytes; null if no line ends there. */
function upTo(length: number, parts: readonly Part[]): readonly Part[] | null {
  let sum = 0;
  const end = parts.findIndex(({ size }) => {
    sum += size;
    return sum >= length;
  });
  return sum === length ? parts.slice(0, end + 1) : null;
}

async function hasRightChecksum(bytes: Uint8Array, pause?: () => Promise<void>): Promise<boolean> {
  const header = readHeader(bytes);
  if (header === null) {
    return false;
  }
  const { checksum, checksumAt } = header;
  return isSound(checksum, bytes.subarray(0, checksumAt), bytes.subarray(checksumAt), pause);
}

/**
 * Returns the last stretch of a dump, with both marks if possible. Otherwise it takes the text after the last start,
 * the text before the first end, or Base64 alone.
 */
function stretchIn(text: string): Stretch | null {
  let best: { readonly rank: number; readonly at: number; readonly stretch: Stretch } | null = null;
  for (const port of logLines(text, dumpMarks)) {
    const lines = port.flatMap(({ number, text: line }) =>
      line.split(MARK).flatMap((piece) => (piece.trim() === '' ? [] : [{ number, text: piece.trim() }])),
    );
    const end = lastIndexOf(lines, END);
    const start = lastIndexOf(lines.slice(0, end < 0 ? undefined : end), START);
    const within = lines.slice(start + 1, end < 0 ? undefined : end);
    const isMarked = start >= 0 || end >= 0;
    const stretch = { ...partsOf(within, isMarked), hasEnd: end >= 0 || !isMarked };
    const rank = (start >= 0 ? 2 : 0) + (end >= 0 ? 1 : 0);
    const at = lines.at(end)?.number ?? 0;
    if (stretch.parts.length > 0 && (best === null || rank > best.rank || (rank === best.rank && at > best.at))) {
      best = { rank, at, stretch };
    }
  }
  return best?.stretch ?? null;
}

function partsOf(lines: readonly LogLine[], isMarked: boolean): Omit<Stretch, 'hasEnd'> {
  const parts: Part[] = [];
  const others: LogLine[] = [];
  for (const line of lines) {
    const found = base64In(line.text);
    const isAlone = found.join(' ').length === line.text.length;
    parts.push(...found.map((text) => ({ number: line.number, text, size: base64Size(text) ?? 0, isAlone })));
    if (found.length === 0) {
      others.push(line);
    }
  }
  // Without a mark most lines must be Base64, or a log of words would count as a dump.
  const isDump = isMarked || (parts.length > 4 * others.length && parts.some(({ text }) => text.length >= MIN_ALONE));
  return { parts: isDump ? parts : [], others: others.filter(({ number }) => number < (parts.at(-1)?.number ?? 0)) };
}

/** Returns the Base64 of a line: all of its words, or the longest one. */
function base64In(line: string): readonly string[] {
  const words = line.split(/\s+/);
  const encoded = words.filter((word) => base64Size(word) !== null);
  const longest = encoded.reduce((best, word) => (word.length > best.length ? word : best), '');
  if (encoded.length === words.length && (words.length === 1 || longest.length >= MIN_ALONE)) {
    return encoded;
  }
  return longest.length >= MIN_ALONE ? [longest] : [];
}

/**
 * Returns parts that may be foreign, the most likely first. Lines of a dump stand alone, are equally long but for the
 * first and the last one, encode whole words of 4 bytes, and hold memory, which is seldom text.
 */
function suspects(parts: readonly Part[]): readonly Part[] {
  const usual = mostFrequent(parts.map(({ size }) => size));
  const hasNeighbours = mostStandAlone(parts);
  const weights = new Map(
    parts.map((part) => [
      part,
      (hasNeighbours && !part.isAlone ? 8 : 0) +
        (part.size > usual ? 4 : 0) +
        (part.size % 4 === 0 ? 0 : 2) +
        (part.size === usual ? 0 : 1) +
        (isReadable(decodeBase64(part.text)) ? 3 : 0),
    ]),
  );
  const weightOf = (part: Part) => weights.get(part) ?? 0;
  return parts
    .filter((part) => weightOf(part) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a) || a.size - b.size)
    .slice(0, MAX_SUSPECTS);
}

function mostFrequent(sizes: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const size of sizes) {
    counts.set(size, (counts.get(size) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** Returns true for bytes that are nearly all printable ASCII, such as encoded JSON. */
function isReadable(bytes: Uint8Array): boolean {
  return bytes.filter((byte) => byte >= 0x20 && byte < 0x7f).length > 0.9 * bytes.length;
}

/** Yields combinations of up to `MAX_FOREIGN` parts that encode `sum` bytes, small ones first. */
function* combinations(parts: readonly Part[], sum: number): Generator<readonly Part[], void> {
  for (let count = 1; count <= MAX_FOREIGN; count++) {
    yield* combinationsOf(parts, sum, count);
  }
}

function* combinationsOf(parts: readonly Part[], sum: number, count: number): Generator<readonly Part[], void> {
  for (const [index, part] of parts.entries()) {
    if (count === 1) {
      if (part.size === sum) {
        yield [part];
      }
    } else if (part.size < sum) {
      for (const rest of combinationsOf(parts.slice(index + 1), sum - part.size, count - 1)) {
        yield [part, ...rest];
      }
    }
  }
}

/**
 * Returns the index of the last line that matches `mark`; -1 without one. Replaces `findLastIndex`, which the
 * supported browsers may lack.
 */
function lastIndexOf(lines: readonly { readonly text: string }[], mark: RegExp): number {
  const behind = lines.toReversed().findIndex(({ text }) => mark.test(text));
  return behind < 0 ? -1 : lines.length - 1 - behind;
}
