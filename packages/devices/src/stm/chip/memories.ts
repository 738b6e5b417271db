/**
 * The memories of a part other than flash and option bytes: RAM, system memory, OTP, data memory, and the identity
 * registers.
 */
import { createRandom, mix32 } from '../../random.ts';
import { isIn, type StmPart, type StmRange } from '../parts/part.ts';

export class Memories {
  readonly #part: StmPart;
  readonly #seed: number;
  readonly #ram: readonly Memory[];
  readonly #otp: Memory | null;
  readonly #data: Memory | null;
  /** Identity registers: their bytes by address. */
  readonly #identity = new Map<number, number>();

  /**
   * @param part Facts of the part.
   * @param flashSize Size of the flash in bytes.
   * @param seed Decides the default unique id and the content of system memory.
   * @param uniqueId 24 hexadecimal digits. Default: from the seed.
   */
  constructor(part: StmPart, flashSize: number, seed: number, uniqueId = randomId(seed)) {
    this.#part = part;
    this.#seed = seed;
    this.#ram = part.ram.map((range) => new Memory(range, 0));
    this.#otp = part.otp && new Memory(part.otp, 0xff);
    this.#data = part.dataMemory && new Memory(part.dataMemory, 0);
    this.#setRegister(part.sizeRegister, flashSize / 1_024, 2);
    for (const [index, address] of part.uniqueId.entries()) {
      this.#setRegister(address, Number.parseInt(uniqueId.slice(index * 8, index * 8 + 8), 16), 4);
    }
    if (part.bootloaderId !== null) {
      this.#setRegister(part.bootloaderId.address, part.bootloaderId.value, 1);
    }
  }

  /** 24 upper-case hexadecimal digits: the three words, each with the most significant byte first. */
  get uniqueId(): string {
    const { uniqueId } = this.#part;
    return uniqueId.map((word) => [3, 2, 1, 0].map((byte) => hex(this.at(word + byte))).join('')).join('');
  }

  /** True if a read may start here. */
  mayRead(address: number): boolean {
    const { systemMemory, identityStarts } = this.#part;
    return isIn(systemMemory, address) || this.#of(address) !== null || (identityStarts && this.#identity.has(address));
  }

  /** True if a write may start here. */
  mayWrite(address: number): boolean {
    return this.#of(address) !== null;
  }

  /** Returns the byte at an address; 0xff for unmapped addresses. */
  at(address: number): number {
    const known = this.#identity.get(address) ?? this.#of(address)?.at(address);
    if (known !== undefined) {
      return known;
    }
    return isIn(this.#part.systemMemory, address) ? mix32(this.#seed ^ address) & 0xff : 0xff;
  }

  /**
   * Writes the bytes that fit; bits of OTP can only change to 0. Returns the duration in programming times of one
   * flash unit.
   */
  write(address: number, data: Uint8Array): number {
    const memory = this.#of(address);
    if (memory === null || this.#ram.includes(memory)) {
      memory?.write(address, data);
      return 0;
    }
    const falling = memory === this.#otp;
    memory.write(address, falling ? data.map((byte, index) => byte & this.at(address + index)) : data);
    return data.length / this.#part.flash.unit;
  }

  clearRam(): void {
    for (const ram of this.#ram) {
      ram.fill(0);
    }
  }

  clearData(): void {
    this.#data?.fill(0);
  }

  #of(address: number): Memory | null {
    const all = [...this.#ram, this.#otp, this.#data];
    return all.find((memory) => memory !== null && isIn(memory.range, address)) ?? null;
  }

  /** Stores the bytes of a register, little-endian. */
  #setRegister(address: number, value: number, length: number): void {
    for (let byte = 0; byte < length; byte++) {
      this.#identity.set(address + byte, (value >>> (byte * 8)) & 0xff);
    }
  }
}

class Memory {
  readonly range: StmRange;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(range: StmRange, content: number) {
    this.range = range;
    this.#bytes = new Uint8Array(range.length).fill(content);
  }

  at(address: number): number | undefined {
    return this.#bytes[address - this.range.start];
  }

  write(address: number, data: Uint8Array): void {
    const at = address - this.range.start;
    this.#bytes.set(data.subarray(0, this.range.length - at), at);
  }

  fill(byte: number): void {
    this.#bytes.fill(byte);
  }
}

function randomId(seed: number): string {
  const random = createRandom(seed, 'stm32 unique id');
  return Array.from({ length: 12 }, () => hex(random.below(256))).join('');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
