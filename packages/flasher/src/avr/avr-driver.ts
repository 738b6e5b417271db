/**
 * Interface of a bootloader over any of the three protocols, used for comparing, writing and reading. Types only;
 * `stk500v1`, `stk500v2` and `avr109` implement it.
 */
import type { AvrBootloader, AvrFuses, AvrProtocol } from './avr-board.ts';
import type { AvrPart } from './parts/part-table.ts';

/** Facts that the bootloader tells about itself and its part. */
export interface AvrFacts {
  readonly bootloader: AvrBootloader;
  readonly name: string;
  readonly version: string | null;
  /** Three signature bytes as one number. */
  readonly signature: number;
  readonly fuses: AvrFuses | null;
}

/**
 * A bootloader. One call at a time. Every call rejects with an AvrError, a PortError, or the reason of its signal.
 * After a rejection, `resync` is called before any other.
 */
export interface AvrDriver {
  readonly protocol: AvrProtocol;
  /** Milliseconds between two calls of `keepAwake`. */
  readonly awakeInterval: number;
  /** True: frames have a checksum. False: one reading proves nothing. */
  readonly isChecked: boolean;
  /** True: pages are erased in order from 0 on, whatever address is written. */
  readonly writesInOrder: boolean;

  identify(signal: AbortSignal): Promise<AvrFacts>;
  /** Sets the part, whose sizes the other calls need. */
  usePart(part: AvrPart): void;
  /** Finds out if EEPROM commands reach the EEPROM. `bootStart` is an address of flash that is never empty. */
  hasEeprom(bootStart: number, signal: AbortSignal): Promise<boolean>;
  /** Reads up to a page of flash that begins at an even address. */
  readFlash(address: number, length: number, signal: AbortSignal): Promise<Uint8Array>;
  /** Prepares for `writePage`. @param isFresh True: the bootloader has been reset and nothing written since. */
  beginWrite(isFresh: boolean, signal: AbortSignal): Promise<void>;
  /** Erases and writes a whole page. */
  writePage(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Reads EEPROM from 0 to `length`. */
  readEeprom(length: number, signal: AbortSignal, read: (done: number) => void): Promise<Uint8Array>;
  /** Writes EEPROM from 0 on, at least the bytes of `changed`. `bytes` has the contents from 0 to their end. */
  writeEeprom(
    bytes: Uint8Array,
    changed: readonly boolean[],
    signal: AbortSignal,
    written: (done: number) => void,
  ): Promise<void>;
  /** Sends a request without an effect, which restarts the time-out of the bootloader. */
  keepAwake(signal: AbortSignal): Promise<void>;
  /** Gets the bootloader to answer again without a reset. Returns false if it does not. */
  resync(signal: AbortSignal): Promise<boolean>;
  /** Leaves the bootloader, which starts the sketch. */
  leave(signal: AbortSignal): Promise<void>;
}
