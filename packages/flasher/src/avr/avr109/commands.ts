/** Requests of AVR109 (sections "Commands" and "Block commands"). Numbers are big endian. */

const code = (character: string) => character.charCodeAt(0);
const plain = (character: string) => Uint8Array.of(code(character));

/** Answer to a request without data. */
export const CARRIAGE_RETURN = 0x0d;
/** Answer to `supportsBlocks`. */
export const YES = code('Y');

export const identifier = () => plain('S');
export const softwareVersion = () => plain('V');
export const supportsBlocks = () => plain('b');
export const readSignature = () => plain('s');
export const enterProgramming = () => plain('P');
export const leaveProgramming = () => plain('L');
export const exitBootloader = () => plain('E');

export const fuseReads = {
  low: () => plain('F'),
  high: () => plain('N'),
  extended: () => plain('Q'),
  lock: () => plain('r'),
} as const;

/** @param address Number of a word of flash, or of a byte of EEPROM; 16 bits. */
export const setAddress = (address: number) => Uint8Array.of(code('A'), (address >>> 8) & 0xff, address & 0xff);

export const writeBlock = (bytes: Uint8Array, memory: 'F' | 'E') =>
  Uint8Array.of(code('B'), bytes.length >>> 8, bytes.length & 0xff, code(memory), ...bytes);

export const readBlock = (length: number, memory: 'F' | 'E') =>
  Uint8Array.of(code('g'), length >>> 8, length & 0xff, code(memory));
