/**
 * Reads a chip's boot messages for the reason why it does not answer. The ROMs print `rst:0x1 (POWERON_RESET),
 * boot:0x3 (DOWNLOAD_BOOT(…))`, then `waiting for download` (ESP32) or `wait uart0 download` (C3). The ESP8266 prints
 * `boot mode:(1,6)`. `boot-verdict.ts` judges the start of the program instead.
 */

import type { EspFailure } from '../esp-failure.ts';
import { readEspBoot } from './boot-verdict.ts';

export interface BootLog {
  /** The last boot mode in the text, such as `SPI_FAST_FLASH_BOOT`; null if there is no boot mode. */
  readonly mode: string | null;
  readonly download: boolean;
}

const modePattern = /boot:0x[0-9a-f]+ ?\(([A-Z0-9_/]+(?:\([^)\r\n]*\))?)/gi;
/** Boot mode of the ESP8266: 1 is the UART bootloader, 3 the flash chip. */
const mode8266Pattern = /boot mode:\((\d+),\d+\)/g;
const waitingPattern = /wait(?:ing for| (?:uart|usb)\S*) ?download/i;
/** Names of bootloader modes. On the C3 and related chips, UART0_BOOT and USB_BOOT are among them. */
const downloadModePattern = /DOWNLOAD|UART0?_BOOT|USB_BOOT/i;

export function readBootLog(text: string): BootLog {
  const mode = [...text.matchAll(modePattern)].at(-1)?.[1] ?? null;
  const mode8266 = [...text.matchAll(mode8266Pattern)].at(-1)?.[1];
  return {
    mode: mode ?? (mode8266 === undefined ? null : `boot mode ${mode8266}`),
    download: waitingPattern.test(text) || (mode !== null && downloadModePattern.test(mode)) || mode8266 === '1',
  };
}

/** Returns the failure of a board that printed `text` and did not answer. */
export function diagnose(
  text: string,
): Extract<
  EspFailure,
  | 'nothing-at-all'
  | 'brown-out'
  | 'no-sync-reply'
  | 'empty-flash'
  | 'nothing-to-start'
  | 'boot-loop'
  | 'normal-boot'
  | 'garbage'
  | 'no-answer'
> {
  const log = readBootLog(text);
  const verdict = readEspBoot(text);
  switch (verdict.kind) {
    case 'silence':
      return 'nothing-at-all';
    case 'brown-out':
      return 'brown-out';
    case 'unreadable':
      return 'garbage';
    case 'download':
      return 'no-sync-reply';
    case 'invalid-header':
      return verdict.empty ? 'empty-flash' : 'nothing-to-start';
    case 'no-partition-table':
    case 'no-app':
    case 'bad-image':
      return 'nothing-to-start';
    case 'boot-loop':
      return 'boot-loop';
    case 'starting':
    case 'app':
    case 'panic':
      return log.mode === null ? 'no-answer' : 'normal-boot';
  }
}
