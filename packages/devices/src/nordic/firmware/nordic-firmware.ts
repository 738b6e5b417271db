/** Firmware for a simulated board, in the form in which people have it for the real one. */
import { type NordicBoardName, nordicBoards } from '../boards.ts';
import { demoKey, type SigningKey } from '../crypto/signing-key.ts';
import { mcubootImage } from '../mcuboot/image.ts';
import { adafruitDfuPackage } from './adafruit-package.ts';
import { applicationImage } from './application.ts';
import { secureDfuPackage } from './secure-package.ts';

export interface NordicFirmwareOptions {
  readonly board: NordicBoardName;
  /** What it says at its start. */
  readonly text?: string;
  /** Bytes of the application, a multiple of 4. Default 60 KiB. */
  readonly size?: number;
  /** Secure DFU and MCUboot: whose signature it has; null: none. Default: the demo key, which the boards take. */
  readonly key?: SigningKey | null;
  /** Secure DFU: of the application; MCUboot: the first number of its version. Default 2. */
  readonly version?: number;
  /** Secure DFU: of the hardware that it is for. Default 52. */
  readonly hardwareVersion?: number;
  /** FWIDs of the SoftDevices that it goes with. Default: needs none (secure DFU), any (Adafruit). */
  readonly softDevices?: readonly number[];
  /** Another number, other content. Default 2. */
  readonly seed?: number;
}

export interface NordicFirmware {
  /** A file name. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is in flash afterwards. */
  readonly image: Uint8Array<ArrayBuffer>;
}

/** A DFU package for secure DFU and Adafruit's bootloader, a signed image for MCUboot. */
export function nordicFirmware(options: NordicFirmwareOptions): NordicFirmware {
  const { board, size = 61_440, key = demoKey, version = 2, hardwareVersion = 52, softDevices, seed = 2 } = options;
  const { bootloader, chip } = nordicBoards[board];
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
