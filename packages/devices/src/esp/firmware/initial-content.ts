/** The content of a new device's flash, by the option `flash.content`. */
import type { EspChip } from '../chips/chip.ts';
import type { EspFlashOptions, EspFlashPart } from '../options.ts';
import { demoContent } from './demo-content.ts';
import { factoryContent } from './factory.ts';

/** Content by its kind and the size of the flash. It is the same for each device, and takes longer than the device. */
const made = new WeakMap<EspChip, Map<string, readonly EspFlashPart[]>>();

/** Returns parts that several devices share: the caller must not change their bytes. */
export function initialContent(
  chip: EspChip,
  { content, size }: Required<Pick<EspFlashOptions, 'content' | 'size'>>,
): readonly EspFlashPart[] {
  if (content !== 'factory' && content !== 'demo') {
    return content === 'empty' ? [] : content;
  }
  const ofChip = made.get(chip) ?? new Map<string, readonly EspFlashPart[]>();
  made.set(chip, ofChip);
  const key = `${content} ${size}`;
  const parts = ofChip.get(key) ?? (content === 'factory' ? factoryContent : demoContent)(chip, size);
  ofChip.set(key, parts);
  return parts;
}
