/**
 * Allowlist of register accesses: a rule for each register of the chip's table. Every other address is refused. The
 * runner checks before sending, and the tests check each frame on the wire.
 */
import type { LabChip } from '../chips/lab-chip.ts';
import { hexNumber, type RegisterEntry } from '../macro.ts';
import { rulesOf } from './register-rules.ts';

export interface Policy {
  /** Returns the reason for which this entry must not be sent, as a sentence; null if it may. */
  writeRefusal(entry: RegisterEntry): string | null;
  /** Returns the reason for which this address must not be read, as a sentence; null if it may. */
  readRefusal(address: number): string | null;
  /** Returns the pins that an allowed entry can drive, pull or route. */
  pinsMovedBy(entry: RegisterEntry): readonly number[];
}

/** Maximum delay of one entry, in microseconds, so that a lost link is noticed soon. */
const longestDelay = 1_000_000;

const WORD = 0x1_0000_0000;

export function policyOf(chip: LabChip): Policy {
  const rules = rulesOf(chip);
  const rangeOf = (address: number) => chip.reachable.find(({ first, last }) => address >= first && address <= last);
  return {
    writeRefusal(entry) {
      const { address, value, mask, delay } = entry;
      if (!isAddress(address)) {
        return misplaced(address);
      }
      if (!(isWord(value) && isWord(mask))) {
        return 'Values and masks have 32 bits.';
      }
      if (!(Number.isInteger(delay) && delay >= 0 && delay <= longestDelay)) {
        return 'A delay is 0 to 1,000,000 µs.';
      }
      const rule = rules.get(address);
      if (rule !== undefined) {
        return rule.refusal(entry);
      }
      const range = rangeOf(address);
      if (range === undefined) {
        return unreachable(chip, address);
      }
      return range.writable ? null : `${hexNumber(address, 8)} (${range.what}) can only be read.`;
    },
    readRefusal(address) {
      if (!isAddress(address)) {
        return misplaced(address);
      }
      return rules.has(address) || rangeOf(address) !== undefined ? null : unreachable(chip, address);
    },
    pinsMovedBy: (entry) => rules.get(entry.address)?.pins(entry) ?? [],
  };
}

function isWord(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < WORD;
}

function isAddress(address: number): boolean {
  return isWord(address) && address % 4 === 0;
}

function misplaced(address: number): string {
  return isWord(address) ? `${hexNumber(address, 8)} is not a multiple of 4.` : 'An address has 32 bits.';
}

function unreachable({ label, reserved }: LabChip, address: number): string {
  const area = reserved.find(({ first, last }) => address >= first && address <= last);
  return area === undefined
    ? `The bench does not know ${hexNumber(address, 8)} on the ${label}: a wrong address crashes its ROM.`
    : `${hexNumber(address, 8)} belongs to ${area.what}.`;
}
