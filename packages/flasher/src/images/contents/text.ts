/** Text at the start of a file: told from data, decoded, and sorted by what it usually is when it comes in place of firmware. */
import { hasBytesAt } from '../../core/bytes.ts';

export type TextContents =
  | 'web-page'
  | 'web-answer'
  | 'json'
  | 'xml'
  | 'lfs-pointer'
  | 'table-source'
  | 'intel-hex'
  | 's-record'
  | 'text';

/** Bytes; fewer may be data as well as text. */
const SHORTEST_TEXT = 8;
/** Characters; fewer in a single line that says nothing may be data for a partition: a name, a key, a serial number. */
const SHORTEST_LINE = 32;
/** A short text in front of much padding may be the mark of a data format. */
const SHORTEST_PADDED_TEXT = 64;
/** Fewer characters, or fewer different bytes, are a pattern. */
const FEWEST_CHARACTERS = 4;
/** The same for text that says nothing: test data repeats a few letters. */
const FEWEST_CHARACTERS_OF_TEXT = 6;
/** Share of printable ASCII in a text of an 8-bit code page. */
const ASCII_SHARE = 0.7;

/** Control characters of texts and of terminal logs: BEL, BS, TAB, LF, FF, CR, ESC. */
const controlsOfText: readonly number[] = [7, 8, 9, 10, 12, 13, 27];

const marks = [
  ['utf-8', Uint8Array.of(0xef, 0xbb, 0xbf)],
  ['utf-16le', Uint8Array.of(0xff, 0xfe)],
  ['utf-16be', Uint8Array.of(0xfe, 0xff)],
] as const;

/**
 * Says which kind of text the bytes are; null for data.
 *
 * @param sample Start of a file. It may end inside a character.
 */
export function textContents(sample: Uint8Array): TextContents | null {
  const text = textIn(sample);
  return text === null ? startOfPage(sample) : kindOf(text.replace(/^[\s\ufeff]+/, ''));
}

/** Says whether the bytes are text, however short its lines are. For files whose names do not say that they are data. */
export function isText(sample: Uint8Array): boolean {
  return textIn(sample) !== null;
}

/** A page is told by its first characters: what follows may be in any code page. */
function startOfPage(sample: Uint8Array): TextContents | null {
  const start = new TextDecoder('latin1').decode(sample.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '');
  return webPage.test(start.trimStart()) ? 'web-page' : null;
}

/** `Saved by` is how browsers begin a page with its pictures in one file (MHTML). */
const webPage =
  /^(?:<!--[\s\S]*?(?:-->\s*|$))?<(?:!doctype\s+html|html|head|body|script|title|meta)\b|^From: <Saved by /i;

function kindOf(text: string): TextContents | null {
  if (webPage.test(text)) {
    return 'web-page';
  }
  if (/^HTTP\/\d(?:\.\d)? \d{3}\b/.test(text)) {
    return 'web-answer';
  }
  if (/^version https:\/\/git-lfs\.github\.com\/spec\/|^\/annex\/objects\//.test(text)) {
    return 'lfs-pointer';
  }
  if (/^(?:<\?xml\b|<[a-z_][\w.:-]*(?:\s[^<>]*)?\/?>)/i.test(text)) {
    return 'xml';
  }
  if (isJson(text)) {
    return 'json';
  }
  if (isRefusal(text)) {
    return 'web-answer';
  }
  if (/^:[\da-f]{10,}\s*$/im.test(text)) {
    return 'intel-hex';
  }
  if (/^S[0-9][\da-f]{6,}\s*$/im.test(text)) {
    return 's-record';
  }
  if (isTableSource(text)) {
    return 'table-source';
  }
  const isLong = text.length >= SHORTEST_LINE || /[\r\n]|^#!/.test(text);
  return isLong && new Set(text).size >= FEWEST_CHARACTERS_OF_TEXT ? 'text' : null;
}

/** What servers answer in place of a file, in one short line: `404: Not Found`, `Access denied`. */
function isRefusal(text: string): boolean {
  const line = text.trim();
  return (
    line.length < 200 &&
    !line.includes('\n') &&
    /^(?:error:?\s*)?[45]\d\d[\s:.-]+[a-z]|\b(?:not found|forbidden|unauthori[sz]ed|access denied|bad gateway|too many requests|service unavailable|rate limit exceeded)\b/i.test(
      line,
    )
  );
}

function isJson(text: string): boolean {
  if (!/^[{[]/.test(text)) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The rest of a large one is not in the sample.
    return /^(?:\{\s*"[^"\n]*"\s*:|\[\s*[{["])/.test(text);
  }
}

/** ESP-IDF API guide, "Partition Tables": a heading in a comment, or rows of name, type and subtype. */
function isTableSource(text: string): boolean {
  return /^#\s*(?:Name\s*,\s*Type\s*,\s*SubType|ESP-IDF Partition Table)|^[\w-]+\s*,\s*(?:app|data|bootloader|partition_table)\s*,\s*\w+\s*,[^\n]*,[^\n]*$/im.test(
    text,
  );
}

/** The text of the bytes without padding of 0x00 or 0xFF behind it; null for data. */
function textIn(sample: Uint8Array): string | null {
  let end = sample.length;
  while (end > 0 && isPadding(sample[end - 1])) {
    end--;
  }
  const bytes = sample.subarray(0, end);
  // One zero may be half of a last character in UTF-16.
  const shortest = end + 1 < sample.length ? SHORTEST_PADDED_TEXT : SHORTEST_TEXT;
  if (bytes.length < shortest || new Set(bytes.subarray(0, 4_096)).size < FEWEST_CHARACTERS) {
    return null;
  }
  const [encoding, mark] = marks.find(([, bom]) => hasBytesAt(sample, 0, bom)) ?? [null, null];
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    return decoded(encoding, sample.subarray(mark.length, end + (end % 2)));
  }
  const wide = wideEncoding(sample.subarray(0, end + (end % 2)));
  if (wide !== null) {
    return decoded(wide, sample.subarray(0, end + (end % 2)));
  }
  const plain = bytes.subarray(mark?.length ?? 0);
  return decoded('utf-8', plain) ?? codePageText(plain);
}

const isPadding = (byte: number | undefined) => byte === 0 || byte === 0xff;

/** UTF-16 without a mark: every other byte of a text in ASCII is zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0) {
      zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
    }
  }
  const half = Math.floor(bytes.length / 2);
  const [even = 0, odd = 0] = zeros;
  return half < SHORTEST_TEXT
    ? null
    : odd === half && even === 0
      ? 'utf-16le'
      : even >= half && odd === 0
        ? 'utf-16be'
        : null;
}

/** Null when the bytes are not of this encoding, or hold what no text has. */
function decoded(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string | null {
  try {
    // As a stream, because the last character may be cut.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    const isText = text.length >= FEWEST_CHARACTERS && [...text].every(isCharacter);
    return isText ? text : null;
  } catch {
    return null;
  }
}

function isCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20
    ? controlsOfText.includes(code)
    : code !== 0x7f && !(code >= 0x80 && code < 0xa0) && !isNoCharacter(code);
}

/** Unassigned for ever, or for private use: data, and not text. */
function isNoCharacter(code: number): boolean {
  return (code & 0xfffe) === 0xfffe || (code >= 0xe000 && code < 0xf900) || code >= 0xf0000;
}

/** Latin-1, Windows-1252, GBK and others: no control characters, and mostly ASCII. */
function codePageText(bytes: Uint8Array): string | null {
  let ascii = 0;
  for (const byte of bytes) {
    if (byte < 0x20 ? !controlsOfText.includes(byte) : byte === 0x7f) {
      return null;
    }
    ascii += byte < 0x80 ? 1 : 0;
  }
  const isText = bytes.length >= SHORTEST_PADDED_TEXT && ascii >= ASCII_SHARE * bytes.length;
  return isText ? new TextDecoder('latin1').decode(bytes) : null;
}
