/** Tells the display that the bench can draw on. */
import type { ChipContent } from '@wirebench/contract/chips';

/** A part whose points can be lit, whoever described it. */
const displayPart = 'SSD1306';

export const isDisplay = ({ name, bus }: Pick<ChipContent, 'name' | 'bus'>) => name === displayPart && bus === 'i2c';
