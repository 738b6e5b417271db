/** Estimates the duration of a write before it begins. Everything differs, is written and read back. */
import type { AvrProtocol } from '../avr-board.ts';

/** Bits on the wire per byte: start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Milliseconds per byte on the chip's own USB: a packet of 64 bytes in each frame of 1 ms. */
const USB_BYTE = 1 / 64;
/** Milliseconds to erase and to write a page (ATmega328P data sheet, "SPM Programming Time": 3.7 to 4.5 ms each). */
const PAGE_TIME = 9;
/** Milliseconds to write a byte of EEPROM (ATmega328P data sheet, "EEPROM Programming Time": 26,368 cycles at 8 MHz). */
const EEPROM_BYTE = 3.4;
/** Bytes that are compared of a page whose predecessor differed. */
const LOOK_BYTES = 16;
/** Milliseconds between an answer and the next request, through the USB bridge of a board and on the chip's own USB. */
const TURN = { bridge: 2, usb: 1 } as const;

/** Bytes on the wire besides the data, for loading an address and for reading or writing: requests and answers. */
const framing = { stk500v1: 14, stk500v2: 38, avr109: 9 } satisfies Record<AvrProtocol, number>;

export interface AvrTimeInput {
  readonly protocol: AvrProtocol;
  /** In baud; null on the chip's own USB. */
  readonly baudRate: number | null;
  readonly pages: number;
  readonly pageSize: number;
  readonly eepromBytes: number;
}

/** Returns the estimated duration in milliseconds. */
export function estimateAvrTime({ protocol, baudRate, pages, pageSize, eepromBytes }: AvrTimeInput): number {
  const byteTime = baudRate === null ? USB_BYTE : (BITS_A_BYTE * 1_000) / baudRate;
  const turn = baudRate === null ? TURN.usb : TURN.bridge;
  const exchangeOf = (bytes: number) => (bytes + framing[protocol]) * byteTime + 2 * turn;
  const exchange = exchangeOf(pageSize);
  const eepromPages = Math.ceil(eepromBytes / pageSize);
  return (
    pages * (exchangeOf(LOOK_BYTES) + 2 * exchange + PAGE_TIME) + eepromPages * 3 * exchange + eepromBytes * EEPROM_BYTE
  );
}
