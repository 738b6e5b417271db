/** Reasons for which a chip's description or its answers gave no value. A closed list with one sentence each. */
import { CodedError } from '../coded-error.ts';

export type ChipFailure =
  | 'division-by-zero'
  | 'shift'
  | 'bit-range'
  | 'not-bcd'
  | 'not-a-number'
  | 'not-read'
  | 'not-measured'
  | 'not-described'
  | 'wrong-address'
  | 'wrong-answer';

export const chipFailureText = {
  'division-by-zero': 'The formula divides by zero.',
  shift: 'The formula shifts by less than 0 or more than 63 bits.',
  'bit-range': 'The formula takes bits that no number has.',
  'not-bcd': 'The formula expects decimal digits, and the chip sent something else.',
  'not-a-number': 'The formula has no result for what the chip sent.',
  'not-measured': 'The chip has not measured yet: initialise it.',
  'not-read': 'A register that the formula needs was not read.',
  'not-described': 'The description does not have what was asked for.',
  'wrong-address': 'The description does not list this address.',
  'wrong-answer': 'The chip sent another number of bytes than was asked for.',
} satisfies Record<ChipFailure, string>;

export class ChipError extends CodedError<ChipFailure> {
  constructor(code: ChipFailure, options?: ErrorOptions) {
    super('ChipError', code, chipFailureText, options);
  }
}
