/**
 * One line between a program and a CAN adapter, without its carriage return: frames, answers and commands of the
 * serial protocol "SLCAN" (LAWICEL CANUSB manual, sections 4 and 5). CAN FD letters d, D, b and B as in the CANable
 * firmware: lower case 11-bit, upper case 29-bit identifiers, b with the bit rate switched.
 */

/** A frame of the bus. */
export interface CanFrame {
  readonly id: number;
  /** True: 29 bits. */
  readonly isExtended: boolean;
  readonly isRemote: boolean;
  /** True: CAN FD, up to 64 bytes. */
  readonly isFd: boolean;
  /** True: the data of this CAN FD frame is sent at a second bit rate. */
  readonly hasRateSwitch: boolean;
  /** Bytes of data, or the number that a remote frame asks for. */
  readonly length: number;
  readonly data: Uint8Array;
  /** Range of the digits of the identifier, the length, the data and the time stamp in the line. */
  readonly idEnd: number;
  readonly dataEnd: number;
  /** Time stamp of the adapter in ms, as sent: 0 to 59,999 by the manual, then 0 again. Null: time stamps are off. */
  readonly stamp: number | null;
}

/** Data bytes by the length code of CAN FD (ISO 11898-1). */
const fdLengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

export const BELL = 0x07;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

/** Longest line: type, 8 digits, length, 64 bytes, time stamp. */
export const MAX_SLCAN_LINE = 1 + 8 + 1 + 128 + 4;

const STAMP_DIGITS = 4;

/** Value of an ASCII hex digit; -1 for another byte. */
const digitValues = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return byte < 0x80 ? digit : -1;
});

interface FrameType {
  readonly isExtended: boolean;
  readonly isRemote: boolean;
  readonly isFd: boolean;
  readonly hasRateSwitch: boolean;
}

const frameTypes = new Map<number, FrameType>(
  [...'tTrRdDbB'].map((letter) => [
    letter.charCodeAt(0),
    {
      isExtended: letter === letter.toUpperCase(),
      isRemote: letter.toLowerCase() === 'r',
      isFd: letter.toLowerCase() === 'd' || letter.toLowerCase() === 'b',
      hasRateSwitch: letter.toLowerCase() === 'b',
    },
  ]),
);

/** @returns -1 if one of the bytes is no hex digit. At most 8 digits. */
function readHex(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = digitValues[bytes[at] ?? 0] ?? -1;
    if (digit < 0) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

/** @returns true for hex digits from `from` up to `to`. */
function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if ((digitValues[bytes[at] ?? 0] ?? -1) < 0) {
      return false;
    }
  }
  return true;
}

/** Identifier, length and end of the data of a frame; null: none begins here. */
function readHead(line: Uint8Array, from: number, to: number) {
  const type = frameTypes.get(line[from] ?? 0);
  const idEnd = from + 1 + (type?.isExtended === true ? 8 : 3);
  if (type === undefined || to <= idEnd) {
    return null;
  }
  const id = readHex(line, from + 1, idEnd - from - 1);
  const code = readHex(line, idEnd, 1);
  const length = type.isFd ? (fdLengths[code] ?? -1) : code;
  if (id < 0 || id > (type.isExtended ? 0x1fff_ffff : 0x7ff) || length < 0 || (!type.isFd && length > 8)) {
    return null;
  }
  return { type, id, idEnd, length, dataEnd: idEnd + 1 + (type.isRemote ? 0 : length * 2) };
}

/** @returns true for a letter of frames with the hex digits of an identifier, as far as the line has them. */
export function isFrameLike(line: Uint8Array, from: number, to: number): boolean {
  const type = frameTypes.get(line[from] ?? 0);
  const idDigits = type?.isExtended === true ? 8 : 3;
  return type !== undefined && to > from + 1 && areDigits(line, from + 1, Math.min(to, from + 1 + idDigits));
}

/**
 * Finds the end of a frame that begins at `from`.
 *
 * @returns the offset of its carriage return; 0: more bytes are needed; −1: no frame.
 */
export function findCanFrameEnd(bytes: Uint8Array, from: number, to: number): number {
  const type = frameTypes.get(bytes[from] ?? 0);
  if (type === undefined) {
    return -1;
  }
  const headEnd = from + 1 + (type.isExtended ? 9 : 4);
  if (to < headEnd) {
    return areDigits(bytes, from + 1, to) ? 0 : -1;
  }
  const dataEnd = readHead(bytes, from, to)?.dataEnd;
  if (dataEnd === undefined || !areDigits(bytes, headEnd, Math.min(to, dataEnd))) {
    return -1;
  }
  if (to <= dataEnd) {
    return 0;
  }
  if (bytes[dataEnd] === CARRIAGE_RETURN) {
    return dataEnd;
  }
  const stampEnd = dataEnd + STAMP_DIGITS;
  if (!areDigits(bytes, dataEnd, Math.min(to, stampEnd))) {
    return -1;
  }
  return to <= stampEnd ? 0 : bytes[stampEnd] === CARRIAGE_RETURN ? stampEnd : -1;
}

/**
 * Reads the line as a frame. The number of digits says whether there is a time stamp.
 *
 * @returns null if the line is no frame: another letter, fewer or more digits than the length says, an identifier
 * beyond its 11 or 29 bits.
 */
export function readCanFrame(line: Uint8Array, from = 0, to = line.length): CanFrame | null {
  const head = readHead(line, from, to);
  if (head === null || (to !== head.dataEnd && to !== head.dataEnd + STAMP_DIGITS)) {
    return null;
  }
  const { type, id, idEnd, length, dataEnd } = head;
  const data = new Uint8Array((dataEnd - idEnd - 1) / 2);
  for (let index = 0; index < data.length; index++) {
    const byte = readHex(line, idEnd + 1 + index * 2, 2);
    if (byte < 0) {
      return null;
    }
    data[index] = byte;
  }
  const stamp = to > dataEnd ? readHex(line, dataEnd, STAMP_DIGITS) : null;
  const { isExtended, isRemote, isFd, hasRateSwitch } = type;
  return stamp === -1 ? null : { id, isExtended, isRemote, isFd, hasRateSwitch, length, data, idEnd, dataEnd, stamp };
}

/** An answer of the adapter, or a command to it. */
export interface AdapterWords {
  /** Text as sent; `OK` for a carriage return alone, `OK, sent` for z and Z. */
  readonly text: string;
  /** In words: `hardware 1.0, software 1.3`. */
  readonly meaning: string;
  /** Bits of the status flags; null for other answers. */
  readonly status: number | null;
}

/** Status flags by bit (LAWICEL CANUSB manual, command F). Bit 4 is not used. */
const statusFlags: readonly (string | null)[] = [
  'receive queue full',
  'transmit queue full',
  'error warning',
  'data overrun',
  null,
  'error passive',
  'arbitration lost',
  'bus error',
];

/** @returns the set flags in words; `no error` for 0. */
export function nameStatus(status: number): string {
  const names = statusFlags.flatMap((name, bit) => ((status >> bit) & 1 ? [name ?? `bit ${bit}`] : []));
  return names.length === 0 ? 'no error' : names.join(', ');
}

/**
 * Reads what an adapter answers besides frames.
 *
 * @returns null if the protocol has no such answer.
 */
export function readAdapterAnswer(text: string): AdapterWords | null {
  const answer = (meaning: string, status: number | null = null) => ({ text, meaning, status });
  if (text === '' || /^[zZ]$/.test(text)) {
    const meaning = text === '' ? 'OK' : 'OK, sent';
    return { text: meaning, meaning, status: null };
  }
  const version = /^V([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])$/.exec(text);
  if (version !== null) {
    return answer(`hardware ${version[1]}.${version[2]}, software ${version[3]}.${version[4]}`);
  }
  if (/^[vV][\x20-\x7e]{1,60}$/.test(text)) {
    return answer(`version ${text.slice(1)}`);
  }
  const serial = /^N(\w{4,16})$/.exec(text);
  if (serial !== null) {
    return answer(`serial number ${serial[1]}`);
  }
  const status = /^F([0-9A-Fa-f]{2})$/.exec(text);
  if (status !== null) {
    const flags = Number.parseInt(status[1] ?? '', 16);
    return answer(`status: ${nameStatus(flags)}`, flags);
  }
  return null;
}

/** Bit rates of the command S, in kbit/s. */
const bitRates = ['10', '20', '50', '100', '125', '250', '500', '800', '1000'];

const commands: readonly (readonly [RegExp, (digits: string) => string])[] = [
  [/^$/, () => 'empty line'],
  [/^S([0-8])$/, (rate) => `bit rate ${bitRates[Number(rate)]} kbit/s`],
  [/^s([0-9A-Fa-f]{4,8})$/, (registers) => `bit timing registers ${registers}`],
  [/^Y([0-9])$/, (rate) => `data bit rate ${rate}`],
  [/^O()$/, () => 'open the channel'],
  [/^L()$/, () => 'open the channel, listen only'],
  [/^C()$/, () => 'close the channel'],
  [/^P()$/, () => 'poll one frame'],
  [/^A()$/, () => 'poll all frames'],
  [/^F()$/, () => 'ask for status flags'],
  [/^V()$/, () => 'ask for the version'],
  [/^v()$/, () => 'ask for the version'],
  [/^N()$/, () => 'ask for the serial number'],
  [/^X([01])$/, (on) => `send received frames at once: ${on === '1' ? 'on' : 'off'}`],
  [/^Z([012])$/, (on) => `time stamps: ${on === '0' ? 'off' : 'on'}`],
  [/^Q([0-2])$/, (on) => `open at power on: ${on === '0' ? 'off' : 'on'}`],
  [/^U([0-6])$/, (rate) => `rate of the serial port ${rate}`],
  [/^W([0-3])$/, (mode) => `filter mode ${mode}`],
  [/^M([0-9A-Fa-f]{8})$/, (code) => `acceptance code ${code}`],
  [/^m([0-9A-Fa-f]{8})$/, (mask) => `acceptance mask ${mask}`],
];

/**
 * Reads what a program tells an adapter besides frames.
 *
 * @returns null if the protocol has no such command.
 */
export function readAdapterCommand(text: string): AdapterWords | null {
  for (const [pattern, meaning] of commands) {
    const match = pattern.exec(text);
    if (match !== null) {
      return { text, meaning: meaning(match[1] ?? ''), status: null };
    }
  }
  return null;
}

/** Text of a line within its bytes. */
export interface LineText {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the text of a line.
 *
 * @param line With its carriage return. A line feed of the line before may be in front.
 * @returns null for a bell.
 */
export function lineText(line: Uint8Array): LineText | null {
  return line[0] === BELL ? null : { from: line[0] === LINE_FEED ? 1 : 0, to: line.length - 1 };
}

export function wordsOf(line: Uint8Array, { from, to }: LineText): string {
  return String.fromCharCode(...line.subarray(from, to));
}
