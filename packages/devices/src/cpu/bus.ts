/** The memory interface of a processor, and its faults. */

/** Reason for which a processor cannot continue. */
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

/** An exception of the processor. The `Stop` that carries it has the address of the instruction. */
export class CpuFault extends Error {
  readonly code: FaultCode;
  /** Address that could not be read, written or fetched. For faults without such an address: the instruction. */
  readonly address: number;

  constructor(code: FaultCode, address: number) {
    super(`${faultText[code]} (0x${(address >>> 0).toString(16).padStart(8, '0')})`);
    this.name = 'CpuFault';
    this.code = code;
    this.address = address >>> 0;
  }
}

/**
 * Memory and registers, little-endian. The lowest 32 bits of an address count, so it may be signed or unsigned. All
 * methods throw `CpuFault` if the address is not mapped or not a multiple of the access's size.
 */
export interface Bus {
  /** Returns 0 to 255. */
  read8(address: number): number;
  /** Returns 0 to 65535. */
  read16(address: number): number;
  /** Returns a word, signed or unsigned: only the lowest 32 bits count. */
  read32(address: number): number;
  /** Writes the lowest 8 bits of `value`; `write16` and `write32` write the lowest 16 and 32. */
  write8(address: number, value: number): void;
  write16(address: number, value: number): void;
  write32(address: number, value: number): void;
  /**
   * Returns the word of instruction memory at `address`, a multiple of 4. Only the lowest 32 bits count. From then on
   * each write to that word calls `overwritten`.
   */
  fetch(address: number): number;
  /**
   * Set by the processor to drop its decoded instructions.
   * @param address Address from which the word was fetched, even if only a part of the word was written.
   */
  overwritten: (address: number) => void;
}
