/**
 * What an instrument does in one go, as data: lists of register writes, registers to read, and what the words that were read mean.
 * A macro is made by a pure function of chip and arguments; the runner checks it against the policy and sends it.
 */

/** One entry of a WRITE_REG list. The ROM waits for `delay` first, then writes `(old & ~mask) | (value & mask)`. */
export interface RegisterEntry {
  readonly address: number;
  readonly value: number;
  /** Bits to change. The register is read and written also where the mask covers all bits, or none. */
  readonly mask: number;
  /** Microseconds, at least: the runner converts them into the units of the program that answers. Trust the order, not the length. */
  readonly delay: number;
}

export type MacroStep =
  | { readonly kind: 'write'; readonly entries: readonly RegisterEntry[] }
  | { readonly kind: 'read'; readonly addresses: readonly number[] }
  /** Reads `address` until `until` is true of its word, `tries` times at most; its last word counts as the one that was read. */
  | {
      readonly kind: 'poll';
      readonly address: number;
      readonly until: (word: number) => boolean;
      readonly tries: number;
    };

export interface Macro<T> {
  /** What it does, for the log: `I2C: read 2 bytes from 0x48`. */
  readonly title: string;
  readonly steps: readonly MacroStep[];
  /**
   * Whether the runner may do it again from its beginning when an answer was lost. True where a second time ends in the same state as
   * the first and takes nothing away: setting pins, setting up, probing an address, converting, reading levels. False where the wires
   * carry data or a read takes it: transfers on I2C and SPI, what the UART bridge sends and receives. A macro that is false fails with
   * `outcome-unknown` instead.
   */
  readonly repeatable: boolean;
  /** @param words what was read, in order: one for each address of a `read`, one for each `poll`. */
  readonly value: (words: readonly number[]) => T;
}

/** All bits of a register. */
export const wholeWord = 0xffff_ffff;

export interface EntryOptions {
  /** Bits to change; all when left out. */
  readonly mask?: number;
  /** Microseconds to wait before the write; 0 when left out. */
  readonly delay?: number;
}

export function entry(
  address: number,
  value: number,
  { mask = wholeWord, delay = 0 }: EntryOptions = {},
): RegisterEntry {
  return { address, value: value >>> 0, mask: mask >>> 0, delay };
}

/** A macro of one list that gives nothing. */
export function setting(title: string, entries: readonly RegisterEntry[]): Macro<void> {
  return { title, steps: [{ kind: 'write', entries }], repeatable: true, value: () => undefined };
}

/** The word at `index` of those that were read. @throws RangeError when it was not read: a defect of the macro. */
export function wordAt(words: readonly number[], index: number): number {
  const word = words[index];
  if (word === undefined) {
    throw new RangeError(`Word ${index} of ${words.length} is missing.`);
  }
  return word;
}

/** As titles and refusals write it: `0x3FF44004`. */
export function hexNumber(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0').toUpperCase()}`;
}
