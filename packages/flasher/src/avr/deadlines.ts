/**
 * Time limits of each step in milliseconds, after which the board counts as silent. The time on the wire is added.
 *
 * - Optiboot: 8 MHz to 16 MHz, watchdog of 1 s since the last byte, LED blinks for 6 × 1/16 s at the start
 *   (`optiboot.c`, `LED_START_FLASHES`).
 * - ATmegaBOOT: leaves after some seconds without a byte (`MAX_TIME_COUNT`).
 * - stk500boot: waits 1 s or 7 s for the first byte (`boot_timeout`).
 * - Caterina: 8 s since the last block was read or written (`TIMEOUT_PERIOD`).
 * - ATmega328P data sheet, "SPM Programming Time" and "EEPROM Programming Time": 4.5 ms for an erase or a write of a
 *   page, 3.4 ms for a byte of EEPROM.
 */
export const deadlines = {
  /** Answer to the first request after a reset. Optiboot may still blink its LED for 320 ms. */
  firstSync: 420,
  /** Answer to a further request of the search. */
  sync: 120,
  /** Answer to the sign-on of STK500 v2 or to the identifier of AVR109. */
  signOn: 160,
  /** Any command that neither writes nor reads memory. */
  command: 500,
  read: 500,
  /** Erase and write of a page: 9 ms, 100 times of that as a margin. */
  writePage: 1_000,
  /** Least time for EEPROM. `eepromByte` is added for each byte. */
  writeEeprom: 1_000,
  eepromByte: 10,
  /** Until a board on its own USB is back after a touch, before a person is asked to press reset. */
  returns: 5_000,
} as const;

/** Reset pulse on DTR and RTS, in milliseconds. The capacitor of the boards needs some milliseconds to discharge. */
export const RESET_PULSE = 100;
/** Time from the edge of DTR until a bootloader listens: the start-up time of the part is 65 ms (SUT fuses). */
export const RESET_START = 120;
/** Time for a person to press the reset button. */
export const usualResetWindow = 20_000;
