/**
 * What a chip's processor sees: RAM, fuses and registers as words. Registers that do something are in register files of
 * their own (`Peripheral`); all others keep what is written. An address that leads nowhere is a crash for who asks.
 */
import { joined, viewOf } from '../byte-fields.ts';
import type { AddressRange, EspChip } from './chips/chip.ts';

/** A register that does something when it is read or written. */
export interface Register {
  read?(): number;
  write?(value: number): void;
}

export class Memory {
  readonly #ram: readonly AddressRange[];
  readonly #known: readonly AddressRange[];
  readonly #words = new Map<number, number>();
  readonly #fixed: ReadonlyMap<number, number>;
  readonly #registers = new Map<number, Register>();
  /** What was uploaded, in the order of arrival. */
  readonly #uploads: { readonly address: number; readonly data: Uint8Array }[] = [];

  /** @param fixed words that cannot be changed. */
  constructor(chip: EspChip, fixed: ReadonlyMap<number, number>) {
    this.#ram = chip.ram;
    this.#known = [...chip.ram, ...chip.readable];
    this.#fixed = fixed;
  }

  attach(address: number, register: Register): void {
    this.#registers.set(address, register);
  }

  /** Puts a value where the program in ROM would. */
  set(address: number, value: number): void {
    this.#words.set(address, value >>> 0);
  }

  /** The word at `address`, or null where nothing answers: the processor takes an exception. */
  read(address: number): number | null {
    if (!this.#leadsSomewhere(address)) {
      return null;
    }
    const value = this.#registers.get(address)?.read?.() ?? this.#fixed.get(address) ?? this.#words.get(address) ?? 0;
    return value >>> 0;
  }

  /** False where nothing answers. */
  write(address: number, value: number): boolean {
    if (!this.#leadsSomewhere(address)) {
      return false;
    }
    this.#words.set(address, value >>> 0);
    this.#registers.get(address)?.write?.(value >>> 0);
    return true;
  }

  /** Whether all of a piece of code or data fits into RAM. */
  isRam(address: number, length: number): boolean {
    return this.#ram.some(([start, end]) => address >= start && address + length <= end);
  }

  /** Takes a piece of what is uploaded. */
  upload(address: number, data: Uint8Array): void {
    this.#uploads.push({ address, data: data.slice() });
    const view = viewOf(data);
    for (let at = 0; at + 4 <= data.length; at += 4) {
      this.#words.set(address + at, view.getUint32(at, true));
    }
  }

  /** Whether code has been uploaded to `address`. */
  isUploaded(address: number): boolean {
    return this.#uploads.some((upload) => address >= upload.address && address < upload.address + upload.data.length);
  }

  /** All that was uploaded, one after the other. */
  get uploaded(): Uint8Array {
    return joined(...this.#uploads.map(({ data }) => data));
  }

  /** The words of RAM that something was written to. */
  *ramWords(): Iterable<readonly [address: number, word: number]> {
    for (const [address, word] of this.#words) {
      if (this.isRam(address, 4)) {
        yield [address, word];
      }
    }
  }

  #leadsSomewhere(address: number): boolean {
    return address % 4 === 0 && this.#known.some(([start, end]) => address >= start && address < end);
  }
}
