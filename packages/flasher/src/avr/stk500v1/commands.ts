/**
 * Requests and answers of STK500 version 1 (AVR061). A request ends with `Sync_CRC_EOP`, an answer is
 * `Resp_STK_INSYNC`, its data, `Resp_STK_OK`. Addresses are little endian, lengths big endian.
 */

export const responses = { ok: 0x10, failed: 0x11, unknown: 0x12, noDevice: 0x13, inSync: 0x14, noSync: 0x15 } as const;

export const EOP = 0x20;

export const parameters = { hardware: 0x80, softwareMajor: 0x81, softwareMinor: 0x82 } as const;

/** Memory of a page command: flash or EEPROM. */
export type MemoryType = 'F' | 'E';

const codes = {
  getSync: 0x30,
  getParameter: 0x41,
  enterProgramming: 0x50,
  leaveProgramming: 0x51,
  loadAddress: 0x55,
  universal: 0x56,
  programPage: 0x64,
  readPage: 0x74,
  readSignature: 0x75,
} as const;

/** SPI instruction "Load Extended Address byte" (ATmega2560 data sheet, "Serial Programming Instruction Set"). */
const LOAD_EXTENDED_ADDRESS = 0x4d;

const request = (...bytes: readonly number[]) => Uint8Array.of(...bytes, EOP);

export const getSync = () => request(codes.getSync);
export const getParameter = (parameter: number) => request(codes.getParameter, parameter);
export const enterProgramming = () => request(codes.enterProgramming);
export const leaveProgramming = () => request(codes.leaveProgramming);
export const readSignature = () => request(codes.readSignature);

/** @param address Address of a word for flash, or as the bootloader counts; 16 bits. */
export const loadAddress = (address: number) => request(codes.loadAddress, address & 0xff, (address >>> 8) & 0xff);

/** Selects a section of 64 K words by the SPI instruction. Its answer has one byte. */
export const loadExtendedAddress = (section: number) => request(codes.universal, LOAD_EXTENDED_ADDRESS, 0, section, 0);

export function programPage(bytes: Uint8Array, memory: MemoryType): Uint8Array {
  const { length } = bytes;
  return request(codes.programPage, length >>> 8, length & 0xff, memory.charCodeAt(0), ...bytes);
}

/** @param length 1 to 256. */
export function readPage(length: number, memory: MemoryType): Uint8Array {
  return request(codes.readPage, length >>> 8, length & 0xff, memory.charCodeAt(0));
}
