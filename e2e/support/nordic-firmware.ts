/**
 * Packages for the simulated Nordic boards, as a build leaves them. The application is no program for demo boards, which a
 * flasher would refuse to write to a real port: it says nothing at its start.
 */
import { adafruitDfuPackage, applicationImage, secureDfuPackage } from '@wirebench/devices';

export interface NordicPackage {
  readonly name: string;
  readonly bytes: Buffer;
  /** What is in flash afterwards. */
  readonly image: Buffer;
}

/** Where an application says what it says, and as what (`applicationImage`): nothing of it may stay. */
const vectors = 256;
const said = 'wirebench-boot-text:x'.length;

function application(size: number): Uint8Array<ArrayBuffer> {
  return applicationImage({ text: 'x', size }).fill(0xff, vectors, vectors + said);
}

/** @param size bytes of the application, a multiple of 4 */
export function nordicPackage(bootloader: 'secure' | 'adafruit', size: number): NordicPackage {
  const image = application(size);
  const bytes =
    bootloader === 'secure'
      ? secureDfuPackage([{ kind: 'application', image }], { fwVersion: 2 })
      : adafruitDfuPackage(image);
  return { name: `${bootloader}-dfu.zip`, bytes: Buffer.from(bytes), image: Buffer.from(image) };
}
