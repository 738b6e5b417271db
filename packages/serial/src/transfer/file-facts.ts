/**
 * Name, size and time of a file as YMODEM and ZMODEM announce it: `name NUL size SP mtime …` (Forsberg, "XMODEM/YMODEM
 * Protocol Reference", chapter 5; "The ZMODEM Inter Application File Transfer Protocol", section 8.2).
 */
import type { FileOffer, OutgoingFile } from './transfer-types.ts';

/** Longest name that file systems take, in bytes of UTF-8 (Linux, `NAME_MAX`). */
const MAX_NAME = 255;
/**
 * Longest name that is sent, in bytes of UTF-8. With the other fields it fits in 1,024 bytes: those of a block 0 that is beyond 128
 * (YMODEM, chapter 5, note 4), and of a subpacket of ZMODEM (section 7.4). Names of 255 UTF-16 units, as Windows has them, have up to 765.
 */
const MAX_SENT_NAME = 765;
/** Name of a file whose sender gives none, or none that is left after cleaning. */
const NAMELESS = 'received.bin';
/** Mode that is announced: a regular file, readable by all, writable by its owner. Octal. */
const MODE = '100644';
/** Names that Windows takes for devices, with any ending. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Makes a file name safe: no folders, no control characters, nothing that a file system refuses, no leading dot.
 *
 * @param most Longest name, in bytes of UTF-8. A longer one is shortened in front of its ending.
 * @returns At least one character.
 */
export function safeFileName(name: string, most = MAX_NAME): string {
  const cleaned = cleanedName(name);
  const short = sizeOf(cleaned) > most ? shortened(cleaned, most) : cleaned;
  return short === '' ? NAMELESS : DEVICE_NAME.test(short) ? `_${short}` : short;
}

function cleanedName(name: string): string {
  const base = name.split(/[/\\]/).findLast((part) => part.length > 0) ?? '';
  return (
    base
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replaceAll(/[<>:"|?*]/g, '_')
      .replace(/^[\s.]+/, '')
      .replace(/[\s.]+$/, '')
  );
}

/** Shortens the stem and keeps the ending. */
function shortened(name: string, most: number): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  let left = most - sizeOf(ending);
  let stem = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= sizeOf(character);
    if (left < 0) {
      break;
    }
    stem += character;
  }
  return stem + ending;
}

const encoder = new TextEncoder();
const sizeOf = (text: string) => encoder.encode(text).length;

/** Encodes the announcement, ended by NUL. @param more Further fields of ZMODEM: files and bytes left. */
export function encodeFileFacts({ name, size, modified }: OutgoingFile, more = ''): Uint8Array<ArrayBuffer> {
  const seconds = modified === null ? 0 : Math.max(0, Math.floor(modified / 1_000));
  const text = `${safeFileName(name, MAX_SENT_NAME)}\0${size} ${seconds.toString(8)} ${MODE} 0${more}\0`;
  return encoder.encode(text);
}

/**
 * Decodes an announcement. A field that runs up to the end of the bytes may be cut, as `sb` of lrzsz cuts the size
 * behind a name of 123 characters, so its value is unknown. It cuts a longer name at 128 bytes.
 *
 * @returns Null for an empty name, which ends a batch.
 */
export function decodeFileFacts(bytes: Uint8Array): FileOffer | null {
  const end = bytes.indexOf(0);
  const name = textOf(end === -1 ? bytes : bytes.subarray(0, end));
  if (name === '') {
    return null;
  }
  const rest = end === -1 ? bytes.subarray(bytes.length) : bytes.subarray(end + 1);
  const restEnd = rest.indexOf(0);
  const fields = textOf(restEnd === -1 ? rest : rest.subarray(0, restEnd))
    .trimStart()
    .split(/ +/);
  if (restEnd === -1) {
    fields.pop();
  }
  const [size = '', modified = ''] = fields;
  const seconds = /^[0-7]{1,16}$/.test(modified) ? Number.parseInt(modified, 8) : 0;
  return {
    name: safeFileName(name),
    ...((end === -1 || sizeOf(cleanedName(name)) > MAX_NAME) && { isNameCut: true }),
    size: /^\d{1,15}$/.test(size) ? Number(size) : null,
    modified: seconds > 0 ? seconds * 1_000 : null,
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
