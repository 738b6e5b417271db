/** AVR models in releases, and AVR chips in files for several chips. */
import type { OwnChips } from '../../images/formats/image-format.ts';
import { type AvrModel, avrModels } from './part-table.ts';

export function isAvrModel(text: string): text is AvrModel {
  return avrModels.some((model) => model === text);
}

/** Selects the AVR parts of a file that names its target chips. */
export const avrChips: OwnChips = { includes: (family) => family.startsWith('ATmega') };
