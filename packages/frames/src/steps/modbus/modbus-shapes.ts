/**
 * Lengths and forms of Modbus RTU frames by function (MODBUS Application Protocol Specification V1.1b3, section 6;
 * MODBUS over Serial Line V1.02, section 2.5.1). Offsets count from the unit's address; the checksum is included.
 */
import { calculatorOf } from '../../checksums.ts';
import { MAX_BITS, MAX_REGISTERS, word } from './register-tables.ts';

/** Longest frame (V1.02, section 2.5.1), and the shortest one: address, function, checksum. */
export const LONGEST = 256;
export const SHORTEST = 4;
export const CRC = 2;
export const EXCEPTION_LENGTH = 5;
export const EXCEPTION = 0x80;

const DIAGNOSTICS = 8;
const TRANSPORT = 43;

const crc = calculatorOf('crc16-modbus');

/** Returns true if the bytes end with their checksum, low byte first. */
export function isChecked(bytes: Uint8Array, from: number, to: number): boolean {
  return crc(bytes, from, to - CRC) === ((bytes[to - CRC] as number) | ((bytes[to - 1] as number) << 8));
}

/** Length of a frame that begins at `from`, from the bytes up to `to`; 0: more bytes are needed. */
type Length = (bytes: Uint8Array, from: number, to: number) => number;

const fixed =
  (length: number): Length =>
  () =>
    length;

/** A frame with a byte that counts those after it, and the checksum. */
const counted =
  (at: number): Length =>
  (bytes, from, to) =>
    from + at < to ? at + 1 + (bytes[from + at] as number) + CRC : 0;

export interface ModbusFunction {
  readonly name: string;
  readonly request: Length;
  readonly answer: Length;
  /** Returns true if a whole request can be one: its counts fit. Omitted: any. */
  isRequest?(bytes: Uint8Array, from: number): boolean;
  isAnswer?(bytes: Uint8Array, from: number): boolean;
  /** True: a request with counts that fit, which are there with its length, is awaited before an answer is taken. */
  readonly isLongRequest?: boolean;
}

const counts = (at: number, most: number) => (bytes: Uint8Array, from: number) => {
  const count = word(bytes, from + at);
  return count >= 1 && count <= most;
};

const readBits = (name: string): ModbusFunction => ({
  name,
  request: fixed(8),
  answer: counted(2),
  isRequest: counts(4, MAX_BITS),
  isAnswer: (bytes, from) => bytes[from + 2] !== 0 && (bytes[from + 2] as number) <= MAX_BITS / 8,
});

const isWords = (bytes: Uint8Array, from: number) => bytes[from + 2] !== 0 && (bytes[from + 2] as number) % 2 === 0;

const readRegisters = (name: string): ModbusFunction => ({
  name,
  request: fixed(8),
  answer: counted(2),
  isRequest: counts(4, MAX_REGISTERS),
  isAnswer: isWords,
});

const echoed = (name: string, length: number): ModbusFunction => ({
  name,
  request: fixed(length),
  answer: fixed(length),
});

/** Encapsulated interface transport: type 14 is the identification of a device. */
const IDENTIFICATION = 14;

/** Objects of an identification, each with a number, a length and its bytes. */
function identificationLength(bytes: Uint8Array, from: number, to: number): number {
  if (from + 8 > to) {
    return 0;
  }
  let at = from + 8;
  for (let left = bytes[from + 7] as number; left > 0; left--) {
    if (at + 2 > to) {
      return at - from > LONGEST ? LONGEST + 1 : 0;
    }
    at += 2 + (bytes[at + 1] as number);
  }
  return at - from + CRC;
}

export const functions: ReadonlyMap<number, ModbusFunction> = new Map<number, ModbusFunction>([
  [1, readBits('read coils')],
  [2, readBits('read discrete inputs')],
  [3, readRegisters('read holding registers')],
  [4, readRegisters('read input registers')],
  [5, echoed('write single coil', 8)],
  [6, echoed('write single register', 8)],
  [7, { name: 'read exception status', request: fixed(4), answer: fixed(5) }],
  [DIAGNOSTICS, echoed('diagnostics', 8)],
  [11, { name: 'get comm event counter', request: fixed(4), answer: fixed(8) }],
  [12, { name: 'get comm event log', request: fixed(4), answer: counted(2) }],
  [
    15,
    {
      name: 'write multiple coils',
      request: counted(6),
      answer: fixed(8),
      isRequest: (bytes, from) => bytes[from + 6] === Math.ceil(word(bytes, from + 4) / 8),
      isLongRequest: true,
    },
  ],
  [
    16,
    {
      name: 'write multiple registers',
      request: counted(6),
      answer: fixed(8),
      isRequest: (bytes, from) => bytes[from + 6] === 2 * word(bytes, from + 4),
      isLongRequest: true,
    },
  ],
  [17, { name: 'report server id', request: fixed(4), answer: counted(2) }],
  [20, { name: 'read file record', request: counted(2), answer: counted(2) }],
  [21, { name: 'write file record', request: counted(2), answer: counted(2) }],
  [22, echoed('mask write register', 10)],
  [
    23,
    {
      name: 'read and write registers',
      request: counted(10),
      answer: counted(2),
      isRequest: (bytes, from) => bytes[from + 10] === 2 * word(bytes, from + 8),
      isLongRequest: true,
      isAnswer: isWords,
    },
  ],
  [
    24,
    {
      name: 'read fifo queue',
      request: fixed(6),
      answer: (bytes, from, to) => (from + 4 > to ? 0 : 4 + word(bytes, from + 2) + CRC),
      isAnswer: (bytes, from) => word(bytes, from + 2) === 2 + 2 * word(bytes, from + 4),
    },
  ],
  [
    TRANSPORT,
    {
      name: 'read device identification',
      request: (bytes, from, to) => (from + 2 < to ? (bytes[from + 2] === IDENTIFICATION ? 7 : LONGEST + 1) : 0),
      answer: (bytes, from, to) =>
        from + 2 < to && bytes[from + 2] !== IDENTIFICATION ? LONGEST + 1 : identificationLength(bytes, from, to),
    },
  ],
]);

/**
 * Returns true for a frame whose length the specification leaves open: functions of vendors, diagnostics that are a
 * loopback or reserved (V1.1b3, section 6.8), transports other than the identification (section 6.19).
 *
 * @param end Offset of the checksum.
 */
export function hasOpenLength(bytes: Uint8Array, end: number): boolean {
  const code = bytes[1] as number;
  if (code === DIAGNOSTICS && end >= 4) {
    const subFunction = word(bytes, 2);
    const isCounter = subFunction >= 10 && subFunction <= 20 && subFunction !== 19;
    return !isCounter && (subFunction === 0 || subFunction > 4);
  }
  return code === TRANSPORT && end >= 3 ? bytes[2] !== IDENTIFICATION : !functions.has(code);
}

/** Exceptions (V1.1b3, section 7). */
export const exceptions: ReadonlyMap<number, string> = new Map([
  [1, 'illegal function'],
  [2, 'illegal data address'],
  [3, 'illegal data value'],
  [4, 'server device failure'],
  [5, 'acknowledge'],
  [6, 'server device busy'],
  [7, 'negative acknowledge'],
  [8, 'memory parity error'],
  [10, 'gateway path unavailable'],
  [11, 'gateway target device failed to respond'],
]);

/** Returns the name of a function: `read holding registers`, `function 100`. */
export function functionName(code: number): string {
  return functions.get(code)?.name ?? `function ${code}`;
}

/** Returns true if a whole frame has the form of a request. */
export function isRequestForm(frame: Uint8Array, isStrict: boolean): boolean {
  const known = functions.get(frame[1] as number);
  return (
    known !== undefined &&
    known.request(frame, 0, frame.length) === frame.length &&
    (!isStrict || (known.isRequest?.(frame, 0) ?? true))
  );
}

/** Returns true if a whole frame has the form of an answer. */
export function isAnswerForm(frame: Uint8Array): boolean {
  return hasAnswerLength(frame) && (functions.get(frame[1] as number)?.isAnswer?.(frame, 0) ?? true);
}

/** Returns true if a whole frame has the length of an answer of a known function. */
export function hasAnswerLength(frame: Uint8Array): boolean {
  return functions.get(frame[1] as number)?.answer(frame, 0, frame.length) === frame.length;
}
