/** Choices of the flash settings, for the settings card and the documentation. */
import type { FlashMode } from '@wirebench/flasher/esp';

export const modeChoices = ['dio', 'dout', 'qio', 'qout'] as const satisfies readonly FlashMode[];
/** In MHz. */
export const frequencyChoices = [20, 26, 40, 80] as const;
/** In bytes. */
export const sizeChoices = [1, 2, 4, 8, 16].map((megabytes) => megabytes * 2 ** 20);
/**
 * Names of the further choices: the value of the build (`keepChoice`), or the size of the board's flash
 * (`detectChoice`).
 */
export const keepChoice = 'Keep';
export const detectChoice = 'Detect';
