/** The choices of the flash settings, as they are offered and documented. */
import type { FlashMode } from '@wirebench/flasher/espressif';

export const modeChoices = ['dio', 'dout', 'qio', 'qout'] as const satisfies readonly FlashMode[];
/** MHz. */
export const frequencyChoices = [20, 26, 40, 80] as const;
/** Bytes. */
export const sizeChoices = [1, 2, 4, 8, 16].map((megabytes) => megabytes * 2 ** 20);
/** What is offered besides: as the build has it, and as the board has it. */
export const keepChoice = 'Keep';
export const detectChoice = 'Detect';
