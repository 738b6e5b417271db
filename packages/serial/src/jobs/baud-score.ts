/**
 * Scores how much bytes look as if they were read at the correct baud rate. It uses the share of text, lines of
 * typical length, known lines, and frame errors of the driver. A binary protocol looks like rubbish at every rate;
 * only framing errors help there, and Linux never reports them.
 */
import { withoutColours } from '../line-text.ts';
import { decodeVisibly, sequenceLength } from '../visible-utf8.ts';

export interface BaudSample {
  readonly bytes: Uint8Array;
  /** Framing errors that the driver reported while listening. */
  readonly framing: number;
  readonly breaks: number;
}

/** Reason for a score. `baudReasonText` puts it into words. */
export type BaudReason =
  | { readonly code: 'silent' }
  | { readonly code: 'few-bytes'; readonly bytes: number }
  /** @property share Share of the bytes, 0 to 1. */
  | { readonly code: 'text' | 'rubbish'; readonly share: number }
  | { readonly code: 'lines'; readonly count: number }
  /** @property name Kind of line that was recognised. */
  | { readonly code: 'known-line'; readonly name: string }
  | { readonly code: 'framing-errors' | 'breaks'; readonly count: number };

export interface BaudScore {
  /** 0 to 1; 0 for silence. */
  readonly score: number;
  readonly reasons: readonly BaudReason[];
}

/** Returns the reason as a sentence. */
export function baudReasonText(reason: BaudReason): string {
  switch (reason.code) {
    case 'silent':
      return 'Nothing received at this rate';
    case 'few-bytes':
      return reason.bytes === 1 ? 'Only 1 byte received' : `Only ${reason.bytes} bytes received`;
    case 'text':
      return `${percent(reason.share)} of the text is readable`;
    case 'rubbish':
      return `Only ${percent(reason.share)} of the text is readable`;
    case 'lines':
      return reason.count === 1 ? '1 line of typical length' : `${reason.count} lines of typical length`;
    case 'known-line':
      return `Recognised: ${reason.name}`;
    case 'framing-errors':
      return `Framing errors: ${reason.count}`;
    case 'breaks':
      return `Breaks: ${reason.count}`;
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Lines that hardly occur by chance. Sources: the boot logs of the chips' ROMs, ESP-IDF, Zephyr, U-Boot, NMEA 0183. */
const knownLines: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['ESP boot log', /ets [A-Z][a-z]{2} +\d|rst:0x[0-9a-f]+ \(|ESP-ROM:|waiting for download|boot mode:\(\d,\d\)/],
  ['ESP-IDF log', /^[EWIDV] \([\d:.]+\) [\w.-]+: /m],
  ['Zephyr log', /\*\*\* Booting (?:Zephyr|nRF)|^\[[\d:.,]+\] <(?:err|wrn|inf|dbg)> /m],
  ['U-Boot', /^U-Boot (?:SPL )?\d{4}\.\d\d/m],
  ['Linux kernel log', /^\[ *\d+\.\d{6}\] /m],
  ['NMEA sentence', /^\$[A-Z]{2}[A-Z]{3},[^\n*]*\*[0-9A-F]{2}\r?$/m],
];

/** Bytes needed for a full score. With fewer, the score is reduced. */
const ENOUGH_BYTES = 24;
/**
 * Share of text bytes from which a sample resembles text, and from which it counts as text. A wrong rate rarely gives
 * more than half.
 */
const TEXT_FROM = 0.6;
const TEXT_AT = 0.97;
/** Longest line of typical length, in bytes. */
const LONGEST_LINE = 200;
const weights = { text: 0.75, lines: 0.15, known: 0.1 };
const NEWLINE = 0x0a;
/** Tab, line feed, carriage return and ESC, which begins a colour. */
const usualControls = new Set([0x09, NEWLINE, 0x0d, 0x1b]);
/** Share of faulty frames from which a rate counts as refuted. */
const MAX_FAULTY = 0.1;
/** Factor that remains of the score of a refuted rate. */
const REFUTED = 0.4;

export function scoreBaud({ bytes, framing, breaks }: BaudSample): BaudScore {
  const errors: BaudReason[] = [];
  if (framing > 0) {
    errors.push({ code: 'framing-errors', count: framing });
  }
  if (breaks > 0) {
    errors.push({ code: 'breaks', count: breaks });
  }
  if (bytes.length === 0) {
    return { score: 0, reasons: [{ code: 'silent' }, ...errors] };
  }
  const share = textShare(bytes);
  const reasons: BaudReason[] = [{ code: share < TEXT_FROM ? 'rubbish' : 'text', share }];
  const looksLikeText = Math.min(1, Math.max(0, (share - TEXT_FROM) / (TEXT_AT - TEXT_FROM)));
  const lines = usualLines(bytes);
  if (lines > 0) {
    reasons.push({ code: 'lines', count: lines });
  }
  const text = withoutColours(decodeVisibly(bytes));
  const known = knownLines.find(([, pattern]) => pattern.test(text));
  if (known !== undefined) {
    reasons.push({ code: 'known-line', name: known[0] });
  }
  // In rubbish, a line or a known word is chance.
  const likeness =
    looksLikeText * (weights.text + (lines > 0 ? weights.lines : 0) + (known === undefined ? 0 : weights.known));
  const faults = framing + breaks;
  const doubt = Math.min(1, faults / (bytes.length + faults) / MAX_FAULTY);
  const certainty = Math.min(1, bytes.length / ENOUGH_BYTES);
  if (certainty < 1) {
    reasons.push({ code: 'few-bytes', bytes: bytes.length });
  }
  return { score: likeness * certainty * (1 - doubt * (1 - REFUTED)), reasons: [...reasons, ...errors] };
}

/** Returns the share of the bytes that belong to text: printable ASCII, the usual controls, and characters of UTF-8. */
export function textShare(bytes: Uint8Array): number {
  let text = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 1 || (length === 1 && isText(bytes[at] ?? 0))) {
      text += length;
    }
    at += Math.max(1, length);
  }
  return text / bytes.length;
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || usualControls.has(byte);
}

function usualLines(bytes: Uint8Array): number {
  let count = 0;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (end - start >= 2 && end - start <= LONGEST_LINE) {
      count++;
    }
    start = end + 1;
  }
  return count;
}
