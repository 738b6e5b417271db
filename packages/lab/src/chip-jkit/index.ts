/** What JKits of type `chip` do on a bus, as plain data. Knows no chip of Espressif, no link and no traffic. */

export { ChipError, type ChipFailure, chipFailureText } from './chip-error.ts';
export {
  type ChipCertainty,
  type DescribedChip,
  describedChip,
  fieldValue,
  type ReadingResult,
  readingText,
} from './chip-jkit.ts';
export type { ChipJob, ChipTransfer, RegisterValues } from './transfers.ts';
