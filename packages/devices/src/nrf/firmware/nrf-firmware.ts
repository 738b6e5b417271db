/** Firmware for a simulated board, in the file format of the real board. */
import { type NrfBoardName, nrfBoards } from '../boards.ts';
import { demoKey, type SigningKey } from '../crypto/signing-key.ts';
import { mcubootImage } from '../mcuboot/image.ts';
import { adafruitDfuPackage } from './adafruit-package.ts';
import { applicationImage } from './application.ts';
import { secureDfuPackage } from './secure-package.ts';

export interface NrfFirmwareOptions {
  readonly board: NrfBoardName;
  /** Printed at the start. */
  readonly text?: string;
  /** Size of the application in bytes, a multiple of 4. Default 60 KiB. */
  readonly size?: number;
  /**
   * Secure DFU and MCUboot: key that signs the firmware; null: unsigned. Default: the demo key, which the boards
   * accept.
   */
  readonly key?: SigningKey | null;
  /** Secure DFU: version of the application. MCUboot: first number of the version. Default 2. */
  readonly version?: number;
  /** Secure DFU: required hardware version. Default 52. */
  readonly hardwareVersion?: number;
  /** FWIDs of compatible SoftDevices. Default: no SoftDevice needed (secure DFU), any (Adafruit). */
  readonly softDevices?: readonly number[];
  /** Seed of the content. Default 2. */
  readonly seed?: number;
}

export interface NrfFirmware {
  /** Suggested file name. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Content of the flash after the update. */
  readonly image: Uint8Array<ArrayBuffer>;
}

/** Returns a DFU package for secure DFU and Adafruit's bootloader, or a signed image for MCUboot. */
export function nrfFirmware(options: NrfFirmwareOptions): NrfFirmware {
  const { board, size = 61_440, key = demoKey, version = 2, hardwareVersion = 52, softDevices, seed = 2 } = options;
  const { bootloader, chip } = nrfBoards[board];
  const { text = `*** ${chip.name}, demo firmware version ${version} ***\r\n` } = options;
  const image = applicationImage({ text, size, seed });
  switch (bootloader) {
    case 'secure': {
      const init = { fwVersion: version, hwVersion: hardwareVersion, key, ...(softDevices && { sdReq: softDevices }) };
      return { name: 'demo-secure-dfu.zip', bytes: secureDfuPackage([{ kind: 'application', image }], init), image };
    }
    case 'adafruit': {
      const bytes = adafruitDfuPackage(image, softDevices && { softDevices });
      return { name: 'demo-adafruit-dfu.zip', bytes, image };
    }
    default: {
      const signed = mcubootImage(image, { version: `${version}.0.0`, key });
      return { name: 'demo-mcuboot.bin', bytes: signed, image: signed };
    }
  }
}
