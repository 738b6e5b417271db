/**
 * Recognises what builds for boards with an AVR leave behind: arduino-cli (`build/arduino.avr.uno/Blink.ino.hex`, after
 * the board's FQBN), the Arduino IDE 1.8 (`Blink.ino.standard.hex`) and PlatformIO (`.pio/build/uno/firmware.hex`, after
 * the environment, which usually has the board's ID).
 */
import { boardsOf, chipOf, type DeviceModel } from '@wirebench/boards';
import type { ProjectDevice } from './build-drafts.ts';

/** Models by board ID of the Arduino cores and of PlatformIO. */
const boards: Readonly<Record<string, DeviceModel>> = {
  uno: 'uno',
  unomini: 'atmega328p',
  nano: 'nano',
  nanoatmega328: 'nano',
  nanoatmega328new: 'nano',
  pro: 'promini',
  pro16mhzatmega328: 'promini',
  mega: 'mega2560',
  megaatmega2560: 'mega2560',
  leonardo: 'leonardo',
  micro: 'micro',
  promicro: 'promicro',
  sparkfun_promicro16: 'promicro',
};

/** Folders that name their board: `<vendor>.avr.<board>/` and `.pio/build/<environment>/`. */
const boardFolder = /(?:(?:^|\/)[\w-]+\.avr\.|(?:^|\/)\.pio\/build\/)([\w-]+)\/[^/]+$/i;

/**
 * Returns the model of a file with addresses: of its folder, otherwise of a project for an AVR. Null for files of other
 * families. A board with the project's chip counts as the project's model.
 */
export function avrModelOf(path: string, { deviceFamily, deviceModel }: ProjectDevice): DeviceModel | null {
  const id = boardFolder.exec(path)?.[1]?.toLowerCase() ?? '';
  const named = Object.hasOwn(boards, id) ? boards[id] : undefined;
  if (boardsOf(deviceFamily).length === 0) {
    return named ?? null;
  }
  return named === undefined || chipOf(named) === chipOf(deviceModel) ? deviceModel : named;
}
