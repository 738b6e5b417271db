/** Recognises the display that the bench can draw on. */
import type { ChipContent } from '@wirebench/contract/chips';

/** Name of a part whose pixels can be lit. Any JKit for it counts, from any author. */
const displayPart = 'SSD1306';

export const isDisplay = ({ name, bus }: Pick<ChipContent, 'name' | 'bus'>) => name === displayPart && bus === 'i2c';
