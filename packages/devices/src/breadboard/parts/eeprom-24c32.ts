/** 24C32, 4 KiB of EEPROM. Microchip DS21713, sections 5 "Device Addressing", 6 "Write Operations" and 8 "Read Operations". */
import type { I2cTarget } from '../buses.ts';

const size = 4_096;
const pageSize = 32;
/**
 * Length of a write cycle in milliseconds. The part does not acknowledge during it (section 7 "Acknowledge Polling").
 */
const writeTime = 5;

export class Eeprom24c32 implements I2cTarget {
  readonly address: number;
  /** The memory's content; erased cells are FF. */
  readonly content = new Uint8Array(size).fill(0xff);
  #pointer = 0;
  #addressBytes = 0;
  #page: { start: number; bytes: Map<number, number> } | null = null;
  #busyUntil = Number.NEGATIVE_INFINITY;

  /** @param address 0x50 to 0x57, set by three pins. */
  constructor(address = 0x50) {
    this.address = address;
  }

  powerUp(): void {
    this.#busyUntil = Number.NEGATIVE_INFINITY;
    this.#page = null;
    this.#pointer = 0;
  }

  select(reading: boolean, time: number): boolean {
    // A start without a stop before it discards a page that has not been written.
    this.#page = null;
    this.#addressBytes = reading ? 2 : 0;
    return time >= this.#busyUntil;
  }

  write(byte: number): boolean {
    if (this.#addressBytes < 2) {
      this.#pointer =
        (this.#addressBytes++ === 0 ? (byte << 8) | (this.#pointer & 0xff) : (this.#pointer & 0xff00) | byte) % size;
      return true;
    }
    this.#page ??= { start: this.#pointer - (this.#pointer % pageSize), bytes: new Map() };
    this.#page.bytes.set(this.#pointer, byte);
    // The address wraps within the page.
    this.#pointer = this.#page.start + ((this.#pointer + 1) % pageSize);
    return true;
  }

  read(): number {
    const byte = this.content[this.#pointer] ?? 0xff;
    this.#pointer = (this.#pointer + 1) % size;
    return byte;
  }

  stop(time: number): void {
    if (this.#page !== null) {
      for (const [at, byte] of this.#page.bytes) {
        this.content[at] = byte;
      }
      this.#page = null;
      this.#busyUntil = time + writeTime;
    }
  }
}
