/**
 * One action of an instrument as data: lists of register writes, registers to read, and the meaning of the words
 * read. A pure function of chip and arguments makes a macro. The runner checks it against the policy and sends it.
 */

/** One entry of a WRITE_REG list. The ROM first waits for `delay`, then writes `(old & ~mask) | (value & mask)`. */
export interface RegisterEntry {
  readonly address: number;
  readonly value: number;
  /** Bits to change. The ROM reads and writes the register even if the mask covers all bits or no bit. */
  readonly mask: number;
  /**
   * Minimum delay in microseconds. The runner converts it into the units of the answering program. Rely on the order
   * of writes, not on exact delays.
   */
  readonly delay: number;
}

export type MacroStep =
  | { readonly kind: 'write'; readonly entries: readonly RegisterEntry[] }
  | { readonly kind: 'read'; readonly addresses: readonly number[] }
  /** Reads `address` until `until` returns true, at most `tries` times. The last word counts as the word read. */
  | {
      readonly kind: 'poll';
      readonly address: number;
      readonly until: (word: number) => boolean;
      readonly tries: number;
    };

export interface Macro<T> {
  /** Description for the log: `I2C: read 2 bytes from 0x48`. */
  readonly title: string;
  readonly steps: readonly MacroStep[];
  /**
   * True: the runner may repeat the macro from its beginning after a lost answer. A second run then ends in the same
   * state and takes nothing away: setting pins, setting up, probing an address, converting, reading levels.
   *
   * False: the wires carry data, or a read takes it, as in transfers on I2C and SPI and the bytes of the UART bridge.
   * Such a macro fails with `outcome-unknown` instead.
   */
  readonly repeatable: boolean;
  /**
   * Calculates the macro's result.
   *
   * @param words Words read, in order: one for each address of a `read`, one for each `poll`.
   */
  readonly value: (words: readonly number[]) => T;
}

/** Mask of all bits of a register. */
export const wholeWord = 0xffff_ffff;

export interface EntryOptions {
  /** Bits to change; defaults to all. */
  readonly mask?: number;
  /** Microseconds to wait before the write; defaults to 0. */
  readonly delay?: number;
}

export function entry(
  address: number,
  value: number,
  { mask = wholeWord, delay = 0 }: EntryOptions = {},
): RegisterEntry {
  return { address, value: value >>> 0, mask: mask >>> 0, delay };
}

/** Makes a macro of one list, without a result. */
export function setting(title: string, entries: readonly RegisterEntry[]): Macro<void> {
  return { title, steps: [{ kind: 'write', entries }], repeatable: true, value: () => undefined };
}

/**
 * Returns the word at `index`.
 *
 * @throws RangeError if it was not read, which is a defect of the macro.
 */
export function wordAt(words: readonly number[], index: number): number {
  const word = words[index];
  if (word === undefined) {
    throw new RangeError(`Word ${index} of ${words.length} is missing.`);
  }
  return word;
}

/** Formats a number for titles and refusals: `0x3FF44004`. */
export function hexNumber(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0').toUpperCase()}`;
}
