/**
 * Packages for the simulated Nordic boards, in the form that a build writes. The application is not a demo program,
 * because a flasher would refuse to write one to a real port. It prints nothing at its start.
 */
import { adafruitDfuPackage, applicationImage, secureDfuPackage } from '@wirebench/devices';

export interface NrfPackage {
  readonly name: string;
  readonly bytes: Buffer;
  /** Expected content of the flash afterwards. */
  readonly image: Buffer;
}

/** Offset and length of the greeting in an application (`applicationImage`), which is erased here. */
const vectors = 256;
const said = 'wirebench-boot-text:x'.length;

function application(size: number): Uint8Array<ArrayBuffer> {
  return applicationImage({ text: 'x', size }).fill(0xff, vectors, vectors + said);
}

/**
 * Makes a package.
 *
 * @param size Bytes of the application, a multiple of 4.
 */
export function nrfPackage(bootloader: 'secure' | 'adafruit', size: number): NrfPackage {
  const image = application(size);
  const bytes =
    bootloader === 'secure'
      ? secureDfuPackage([{ kind: 'application', image }], { fwVersion: 2 })
      : adafruitDfuPackage(image);
  return { name: `${bootloader}-dfu.zip`, bytes: Buffer.from(bytes), image: Buffer.from(image) };
}
