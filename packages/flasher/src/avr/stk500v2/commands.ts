/** Bodies of requests of STK500 version 2 (AVR068, "Commands"). Numbers are big endian. */

const v2Codes = {
  signOn: 0x01,
  getParameter: 0x03,
  loadAddress: 0x06,
  enterProgramming: 0x10,
  leaveProgramming: 0x11,
  chipErase: 0x12,
  programFlash: 0x13,
  readFlash: 0x14,
  programEeprom: 0x15,
  readEeprom: 0x16,
  readFuse: 0x18,
  readLock: 0x1a,
  readSignature: 0x1b,
} as const;

export const STATUS_OK = 0x00;

/** `targetVoltage` is in tenths of a volt. A bootloader has none. */
export const v2Parameters = { softwareMajor: 0x91, softwareMinor: 0x92, targetVoltage: 0x94 } as const;

/** Bit 31 of an address: the part has more than 64 K words, so the extended address is loaded (AVR068, `CMD_LOAD_ADDRESS`). */
const EXTENDED = 0x8000_0000;
/** Bytes of an answer before the byte that an SPI instruction reads (AVR068, `CMD_READ_FUSE_ISP`, "RetAddr"). */
const RETURNED_BYTE = 4;
/** Mode of programming: a page, written at the end of the command, with a wait for a fixed time (AVR068, "Mode byte"). */
const PAGE_MODE = 0xc1;
const WRITE_DELAY = 10;

export const signOn = () => Uint8Array.of(v2Codes.signOn);
export const getV2Parameter = (parameter: number) => Uint8Array.of(v2Codes.getParameter, parameter);

/**
 * Parameters as AVR Studio sends them for AVR parts: time-out, stabilisation, delays, synchronising, poll value and
 * index, then the SPI instruction "Programming Enable".
 */
export const enterV2Programming = () =>
  Uint8Array.of(v2Codes.enterProgramming, 200, 100, 25, 32, 0, 0x53, 3, 0xac, 0x53, 0, 0);
export const leaveV2Programming = () => Uint8Array.of(v2Codes.leaveProgramming, 1, 1);
/** Erase delay, poll method, then the SPI instruction "Chip Erase". */
export const chipErase = () => Uint8Array.of(v2Codes.chipErase, WRITE_DELAY, 0, 0xac, 0x80, 0, 0);

/**
 * Loads an address.
 *
 * @param address Number of a word of flash, or of a byte of EEPROM.
 * @param isExtended True for flash of parts with more than 64 K words.
 */
export function loadV2Address(address: number, isExtended: boolean): Uint8Array {
  const body = new Uint8Array(5);
  body[0] = v2Codes.loadAddress;
  new DataView(body.buffer).setUint32(1, address + (isExtended ? EXTENDED : 0));
  return body;
}

/** SPI instructions "Load Program Memory Page", "Write Program Memory Page" and "Read Program Memory". */
export const programV2Flash = (bytes: Uint8Array) => programV2(v2Codes.programFlash, [0x40, 0x4c, 0x20], bytes);
/** SPI instructions "Load EEPROM Memory Page", "Write EEPROM Memory Page" and "Read EEPROM Memory". */
export const programV2Eeprom = (bytes: Uint8Array) => programV2(v2Codes.programEeprom, [0xc1, 0xc2, 0xa0], bytes);

function programV2(code: number, instructions: readonly number[], bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const head = [code, length >>> 8, length & 0xff, PAGE_MODE, WRITE_DELAY, ...instructions, 0, 0];
  return Uint8Array.of(...head, ...bytes);
}

export const readV2Flash = (length: number) => Uint8Array.of(v2Codes.readFlash, length >>> 8, length & 0xff, 0x20);
export const readV2Eeprom = (length: number) => Uint8Array.of(v2Codes.readEeprom, length >>> 8, length & 0xff, 0xa0);

/** SPI instruction "Read Signature Byte". @param index 0 to 2. */
export const readV2Signature = (index: number) =>
  Uint8Array.of(v2Codes.readSignature, RETURNED_BYTE, 0x30, 0, index, 0);

/** SPI instructions "Read Fuse bits", "Read Fuse High bits", "Read Extended Fuse Bits" and "Read Lock bits". */
export const fuseReads = {
  low: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x50, 0x00, 0, 0),
  high: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x58, 0x08, 0, 0),
  extended: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x50, 0x08, 0, 0),
  lock: () => Uint8Array.of(v2Codes.readLock, RETURNED_BYTE, 0x58, 0x00, 0, 0),
} as const;
