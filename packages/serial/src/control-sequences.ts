/**
 * Finds control functions of terminals in bytes: the end of each, and its effect on a line. Sources: ECMA-48,
 * sections 5 and 8; xterm's "Control Sequences" for BEL as the end of a string. The 8-bit forms are not recognised:
 * in UTF-8 they are parts of characters.
 */

/**
 * Fills time and is not drawn (ECMA-48, 8.3.94; VT100 User Guide, table 3-10: ignored on input). Boards send it that write the end of a
 * C string with the string. Text has it nowhere; hex and files of raw bytes have it.
 */
export const NUL = 0x00;
export const ESCAPE = 0x1b;
export const BELL = 0x07;
export const BACKSPACE = 0x08;
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
export const SPACE = 0x20;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const SEMICOLON = 0x3b;
const LETTER_M = 0x6d;
export const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
/**
 * Parameter bytes of a control sequence are 30 to 3F, intermediate bytes 20 to 2F, final bytes 40 to 7E (ECMA-48,
 * 5.4).
 */
const LAST_PARAMETER = 0x3f;
const FIRST_FINAL = 0x40;
export const LAST_FINAL = 0x7e;
/** Bytes that begin a control string behind ESC: DCS `P`, SOS `X`, OSC `]`, PM `^`, APC `_` (ECMA-48, 5.6). */
const strings = new Set([...'PX]^_'].map((letter) => letter.charCodeAt(0)));

/** Returns true if the byte begins a control string behind ESC. */
export const beginsString = (byte: number): boolean => strings.has(byte);

/** Returns true for CAN and SUB, which cancel a control string. */
export const cancelsString = (byte: number): boolean => byte === CANCEL || byte === SUBSTITUTE;

/** Returns true for an intermediate byte of an escape sequence (ECMA-48, 5.3). */
export const isIntermediate = (byte: number): boolean => byte >= SPACE && byte < DIGIT_ZERO;

/** Returns true for the final byte of a control sequence. */
export const isFinal = (byte: number): boolean => byte >= FIRST_FINAL && byte <= LAST_FINAL;

/**
 * Finds the end of the control function that the ESC at `at` begins.
 *
 * @returns Offset after it; `to` if the line ends inside of it; `at` if this ESC begins no control function.
 */
export function controlEnd(bytes: Uint8Array, at: number, to: number): number {
  if (at + 1 >= to) {
    return to;
  }
  const kind = bytes[at + 1] as number;
  if (kind === OPEN_BRACKET) {
    return sequenceEnd(bytes, at + 2, to);
  }
  if (strings.has(kind)) {
    return stringEnd(bytes, at + 2, to);
  }
  if (kind === ESCAPE) {
    // The second ESC starts over.
    return at + 1;
  }
  let end = at + 1;
  while (end < to && isIntermediate(bytes[end] as number)) {
    end++;
  }
  if (end === to) {
    return to;
  }
  const final = bytes[end] as number;
  return final >= DIGIT_ZERO && final <= LAST_FINAL ? end + 1 : at;
}

/** @returns Offset after the final byte, or of the byte that cannot be in a control sequence. */
function sequenceEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (isFinal(byte)) {
      return at + 1;
    }
    if (byte < SPACE || byte > LAST_FINAL) {
      return at;
    }
  }
  return to;
}

/** @returns Offset after BEL or ESC \, or of the byte that cancels the string: another ESC, CAN or SUB. */
function stringEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === BELL || cancelsString(byte as number)) {
      return at + 1;
    }
    if (byte === ESCAPE) {
      return at + 1 === to || bytes[at + 1] === BACKSLASH ? Math.min(to, at + 2) : at;
    }
  }
  return to;
}

/**
 * Returns the length of the end of a control string at the start of a line, up to its BEL or ESC \; 0 if no string
 * ends here.
 */
export function stringEndOf(line: Uint8Array): number {
  const bell = line.indexOf(BELL);
  const control = line.indexOf(ESCAPE);
  if (control !== -1 && (bell === -1 || control < bell)) {
    return line[control + 1] === BACKSLASH ? control + 2 : 0;
  }
  return bell + 1;
}

/** Returns true if the line ends inside of a control string. */
export function stringGoesOn(line: Uint8Array): boolean {
  for (let at = line.indexOf(ESCAPE); at !== -1; at = line.indexOf(ESCAPE, at + 1)) {
    if (strings.has(line[at + 1] ?? 0) && stringEnd(line, at + 2, line.length) === line.length) {
      const last = line[line.length - 1];
      const isTerminated = last === BACKSLASH && line[line.length - 2] === ESCAPE;
      return !(isTerminated || last === BELL || last === CANCEL || last === SUBSTITUTE);
    }
  }
  return false;
}

/** Returns true if the control function from `at` to `end` is SGR, which sets colours and other attributes. */
export function isColour(bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[end - 1] !== LETTER_M || bytes[at + 1] !== OPEN_BRACKET) {
    return false;
  }
  for (let place = at + 2; place < end - 1; place++) {
    if (!isColourParameter(bytes[place] as number)) {
      return false;
    }
  }
  return true;
}

/** Returns the end of the colour (SGR) that the ESC at `at` begins; `at` if it begins no colour. */
export function colourEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== OPEN_BRACKET) {
    return at;
  }
  let end = at + 2;
  while (isColourParameter(bytes[end] ?? 0)) {
    end++;
  }
  return bytes[end] === LETTER_M ? end + 1 : at;
}

/** Digits, `:` and `;`, which are neighbours in ASCII. */
export const isColourParameter = (byte: number): boolean => byte >= DIGIT_ZERO && byte <= SEMICOLON;

/** Returns the end of the colours (SGR) at `at`; `at` without any. */
export function afterColours(bytes: Uint8Array, at: number, to: number): number {
  let from = at;
  while (from < to && bytes[from] === ESCAPE) {
    const end = controlEnd(bytes, from, to);
    if (!isColour(bytes, from, end)) {
      break;
    }
    from = end;
  }
  return from;
}

/** Returns the end of the control functions at `at`, such as colours; `at` without any. */
export function afterControls(bytes: Uint8Array, at: number, to: number): number {
  let from = at;
  while (from < to && bytes[from] === ESCAPE) {
    const end = controlEnd(bytes, from, to);
    if (end === from) {
      break;
    }
    from = end;
  }
  return from;
}

/** A control sequence that edits its line. */
export interface LineEdit {
  /** Final byte as a character. */
  readonly final: string;
  /** First parameter; null if omitted. */
  readonly parameter: number | null;
}

/** By byte: 1 for the final byte of a control sequence that moves in a line or changes its text (ECMA-48, 8.3). */
const edits = Uint8Array.from({ length: 256 }, (_, byte) => ('CDGJKPX@`a'.includes(String.fromCharCode(byte)) ? 1 : 0));

/** Parses the control function from `at` to `end`. Returns null if it does not change the text of its line. */
export function lineEdit(bytes: Uint8Array, at: number, end: number): LineEdit | null {
  if (bytes[at + 1] !== OPEN_BRACKET || edits[bytes[end - 1] as number] !== 1) {
    return null;
  }
  const final = String.fromCharCode(bytes[end - 1] as number);
  let parameter: number | null = null;
  for (let place = at + 2; place < end - 1; place++) {
    const byte = bytes[place] as number;
    if (byte < DIGIT_ZERO || byte > LAST_PARAMETER) {
      return null;
    }
    if (byte > DIGIT_NINE) {
      // A private parameter such as `?` has another meaning. Parameters after a `;` do not matter here.
      return byte === SEMICOLON ? { final, parameter } : null;
    }
    parameter = (parameter ?? 0) * 10 + byte - DIGIT_ZERO;
  }
  return { final, parameter };
}
