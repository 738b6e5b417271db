/** JKits of type `chip` as bus transfers, in plain data. Nothing here depends on the chip that drives the bus. */
export { chipFailureText } from './chip-error.ts';
export { describedChip, type ReadingResult, readingText } from './chip-jkit.ts';
export { pictureTransfers } from './ssd1306-picture.ts';
export type { ChipJob, ChipTransfer } from './transfers.ts';
