import { memoryText } from '../../../../../shared/format/bytes.ts';
import type { OwnSettings } from '../../../../../workbench/families.ts';

const eraseTags = { none: 'Erase only what is written', needed: null, all: 'Erase whole flash' } as const;

/** Returns what differs from the default settings: `DIO`, `40 MHz`, `NVS not kept`. */
export function settingTags(own: OwnSettings): readonly string[] {
  if (own.family !== 'esp') {
    return [];
  }
  const { flash, erase, keepNvs, encrypt } = own;
  return [
    flash.mode === 'keep' ? null : flash.mode.toUpperCase(),
    flash.frequency === 'keep' ? null : `${flash.frequency} MHz`,
    flash.size === 'keep' ? null : flash.size === 'detect' ? 'Size detected' : memoryText(flash.size),
    eraseTags[erase],
    keepNvs ? null : 'NVS not kept',
    encrypt === true ? 'Encrypt on the board' : null,
  ].filter((tag) => tag !== null);
}
