/** What a processor reads and writes, and what becomes of it where that is not possible. */

/** Why a processor cannot go on. */
export type FaultCode =
  | 'fetch-refused'
  | 'illegal-instruction'
  | 'load-refused'
  | 'load-misaligned'
  | 'store-refused'
  | 'store-misaligned'
  | 'divided-by-zero'
  | 'breakpoint'
  | 'system-call';

const faultText = {
  'fetch-refused': 'There is no instruction memory at this address.',
  'illegal-instruction': 'The processor does not know this instruction.',
  'load-refused': 'Nothing can be read at this address.',
  'load-misaligned': 'The address of a read is not a multiple of its size.',
  'store-refused': 'Nothing can be written at this address.',
  'store-misaligned': 'The address of a write is not a multiple of its size.',
  'divided-by-zero': 'A number was divided by zero.',
  breakpoint: 'The program ran into a breakpoint.',
  'system-call': 'The program called a system that is not there.',
} satisfies Record<FaultCode, string>;

/** An exception of the processor. What the program was at is in the stop that carries it. */
export class CpuFault extends Error {
  readonly code: FaultCode;
  /** What could not be read, written or fetched; where there is no such address, the instruction. */
  readonly address: number;

  constructor(code: FaultCode, address: number) {
    super(`${faultText[code]} (0x${(address >>> 0).toString(16).padStart(8, '0')})`);
    this.name = 'CpuFault';
    this.code = code;
    this.address = address >>> 0;
  }
}

/**
 * Memory and registers, lowest byte first. Addresses are unsigned or signed: their lowest 32 bits count.
 * All methods throw `CpuFault` where nothing answers, or where the address is not a multiple of the size.
 */
export interface Bus {
  /** 0 to 255. */
  read8(address: number): number;
  /** 0 to 65535. */
  read16(address: number): number;
  /** The lowest 32 bits count. */
  read32(address: number): number;
  /** The lowest 8 bits of `value` count; in the two below the lowest 16 and 32. */
  write8(address: number, value: number): void;
  write16(address: number, value: number): void;
  write32(address: number, value: number): void;
  /**
   * The word of instruction memory at `address`, a multiple of 4; the lowest 32 bits count. From then on `overwritten` is called
   * after each write to it.
   */
  fetch(address: number): number;
  /** Set by the processor. @param address as it was fetched from: of a word, also when less was written. */
  overwritten: (address: number) => void;
}
