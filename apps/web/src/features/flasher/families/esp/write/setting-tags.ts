import type { EspEraseChoice } from '@wirebench/flasher/esp';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import type { OwnSettings } from '../../../../../workbench/families.ts';

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
    eraseTag(erase, keepNvs),
    keepNvs ? null : 'NVS not kept',
    encrypt === true ? 'Encrypt on the board' : null,
  ].filter((tag) => tag !== null);
}

function eraseTag(erase: EspEraseChoice, keepNvs: boolean): string | null {
  switch (erase) {
    case 'none':
      return 'Erase only what is written';
    case 'needed':
      return null;
    default:
      return keepNvs ? 'Erase all but NVS' : 'Erase whole flash';
  }
}
