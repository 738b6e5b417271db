/**
 * Recognises text at the start of a file: distinguishes it from data, decodes it, and classifies the kinds that often
 * replace firmware by mistake.
 */
import { hasBytesAt } from '../../core/bytes.ts';
import type { RecordKind } from '../formats/record-text.ts';

export type TextContents =
  | 'web-page'
  | 'web-answer'
  | 'json'
  | 'xml'
  | 'lfs-pointer'
  | 'table-source'
  | RecordKind
  | 'text';

/** Shortest text in bytes. Fewer bytes may be data as well. */
const SHORTEST_TEXT = 8;
/**
 * Shortest single line of an unrecognised kind, in characters. A shorter one may be data for a partition: a name, a
 * key, a serial number.
 */
const SHORTEST_LINE = 32;
/** Shortest text before padding, in bytes. A shorter one may be the signature of a data format. */
const SHORTEST_PADDED_TEXT = 64;
/** Fewest characters, and fewest different bytes. Below that it is a pattern. */
const FEWEST_CHARACTERS = 4;
/** Fewest different characters in text of an unrecognised kind. Test data repeats a few letters. */
const FEWEST_CHARACTERS_OF_TEXT = 6;
/** Share of printable ASCII in a text of an 8-bit code page. */
const ASCII_SHARE = 0.7;

/** Control characters that occur in texts and terminal logs: BEL, BS, TAB, LF, FF, CR, ESC. */
const controlsOfText: readonly number[] = [7, 8, 9, 10, 12, 13, 27];

const marks = [
  ['utf-8', Uint8Array.of(0xef, 0xbb, 0xbf)],
  ['utf-16le', Uint8Array.of(0xff, 0xfe)],
  ['utf-16be', Uint8Array.of(0xfe, 0xff)],
] as const;

/**
 * Returns the kind of text that the bytes are; null for data.
 *
 * @param sample Start of a file. It may end inside a character.
 */
export function textContents(sample: Uint8Array): TextContents | null {
  const text = textIn(sample);
  return text === null ? startOfPage(sample) : kindOf(text.replace(/^[\s\ufeff]+/, ''));
}

/** Returns true if the bytes are text, however short. For files whose names do not suggest data. */
export function isText(sample: Uint8Array): boolean {
  return textIn(sample) !== null;
}

/** Recognises a web page by its first characters, because the rest may be in any code page. */
function startOfPage(sample: Uint8Array): TextContents | null {
  const start = new TextDecoder('latin1').decode(sample.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '');
  return webPage.test(start.trimStart()) ? 'web-page' : null;
}

/** Start of a web page. Browsers begin a page saved with its pictures (MHTML) with `From: <Saved by`. */
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

/** Returns true for a server's short error, such as `404: Not Found` or `Access denied`. */
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
    // The sample may cut a large document off, so its beginning decides.
    return /^(?:\{\s*"[^"\n]*"\s*:|\[\s*[{["])/.test(text);
  }
}

/**
 * Source of a partition table (ESP-IDF API guide, "Partition Tables"): a heading in a comment, or rows of name, type
 * and subtype.
 */
function isTableSource(text: string): boolean {
  return /^#\s*(?:Name\s*,\s*Type\s*,\s*SubType|ESP-IDF Partition Table)|^[\w-]+\s*,\s*(?:app|data|bootloader|partition_table)\s*,\s*\w+\s*,[^\n]*,[^\n]*$/im.test(
    text,
  );
}

/** Decodes the bytes as text, without trailing padding of 0x00 or 0xFF. Returns null for data. */
function textIn(sample: Uint8Array): string | null {
  let end = sample.length;
  while (end > 0 && isPadding(sample[end - 1])) {
    end--;
  }
  const bytes = sample.subarray(0, end);
  // A single zero is not padding: it may be half of the last UTF-16 character.
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

/** Recognises UTF-16 without a byte order mark: in ASCII text every other byte is zero. */
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

/** Returns null if the bytes are invalid in this encoding, or contain characters that texts do not have. */
function decoded(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string | null {
  try {
    // Decoded as a stream, because the last character may be cut.
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

/** Noncharacters and private use: a sign of data, not text. */
function isNoCharacter(code: number): boolean {
  return (code & 0xfffe) === 0xfffe || (code >= 0xe000 && code < 0xf900) || code >= 0xf0000;
}

/**
 * Decodes text of an 8-bit code page (Latin-1, Windows-1252, GBK and others): no control characters, and mostly
 * ASCII.
 */
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
