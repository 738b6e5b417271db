/** The content of a new device's flash, by the option `flash.content`. */
import type { EspChip } from '../chips/chip.ts';
import type { EspFlashOptions, EspFlashPart } from '../options.ts';
import { demoContent } from './demo-content.ts';
import { factoryContent } from './factory.ts';

export function initialContent(
  chip: EspChip,
  { content, size }: Required<Pick<EspFlashOptions, 'content' | 'size'>>,
): readonly EspFlashPart[] {
  if (content === 'factory') {
    return factoryContent(chip, size);
  }
  if (content === 'demo') {
    return demoContent(chip, size);
  }
  return content === 'empty' ? [] : content;
}
