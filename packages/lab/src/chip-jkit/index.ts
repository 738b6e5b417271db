/** What JKits of type `chip` do on a bus, as plain data. Knows no chip of Espressif, no link and no traffic. */
export { chipFailureText } from './chip-error.ts';
export { describedChip, type ReadingResult, readingText } from './chip-jkit.ts';
export { pictureTransfers } from './ssd1306-picture.ts';
export type { ChipJob, ChipTransfer } from './transfers.ts';
