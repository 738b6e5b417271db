/** Faults of files that no Nordic bootloader accepts: a code for programs, and a sentence and a remedy for people. */
import type { FailureText } from '../../core/flash-failure.ts';

export type PackageFault =
  | 'not-a-package'
  | 'package-damaged'
  | 'several-packages'
  | 'manifest-damaged'
  | 'manifest-conflict'
  | 'image-twice'
  | 'chips-differ'
  | 'no-images'
  | 'file-missing'
  | 'image-empty'
  | 'size-mismatch'
  | 'hash-mismatch'
  | 'crc-mismatch'
  | 'init-packet-damaged'
  | 'init-packet-type'
  | 'formats-mixed'
  | 'mcuboot-damaged'
  | 'mcuboot-no-hash'
  | 'not-mcuboot'
  | 'data-behind-image'
  | 'several-images'
  | 'plain-bin'
  | 'plain-hex'
  | 'plain-s-record'
  | 'plain-elf'
  | 'text-damaged'
  | 'dfu-damaged'
  | 'dfuse-file'
  | 'uf2-file'
  | 'uf2-other-chip'
  | 'not-firmware';

const makeAgain = 'Make the package again, or get a fresh copy.';
const makePackage =
  'Turn it into a DFU package: "nrfutil pkg generate" for the nRF5 SDK, "adafruit-nrfutil dfu genpkg" for Adafruit boards. ' +
  'nRF Connect SDK writes dfu_application.zip and zephyr.signed.bin automatically when MCUboot is enabled.';

export const packageFaultText = {
  'not-a-package': {
    what: 'This is neither a DFU package nor an MCUboot image.',
    remedy: 'Choose the .zip of nrfutil, dfu_application.zip, or zephyr.signed.bin.',
  },
  'package-damaged': { what: 'The package is damaged.', remedy: makeAgain },
  'several-packages': {
    what: 'The archive contains several packages.',
    remedy: 'Unpack it, and choose the package for your board.',
  },
  'manifest-conflict': {
    what: 'The manifest contradicts itself about the place of this image.',
    remedy:
      'Make the package again: image_index, slot_index_primary, slot_index_secondary and slot have to fit together.',
  },
  'image-twice': {
    what: 'The manifest lists several files for the same image.',
    remedy: 'Make the package again, with image_index or slot_index_primary for each file.',
  },
  'chips-differ': {
    what: 'The images of the package are for different chips.',
    remedy: 'Make one package for each board.',
  },
  'manifest-damaged': { what: 'The manifest of the package cannot be read.', remedy: makeAgain },
  'no-images': { what: 'The package lists no image.', remedy: makeAgain },
  'file-missing': { what: 'A file that the manifest lists is not in the package.', remedy: makeAgain },
  'image-empty': { what: 'An image in the package is empty.', remedy: makeAgain },
  'size-mismatch': { what: 'The size of an image is not what the package says.', remedy: makeAgain },
  'hash-mismatch': { what: 'An image does not match its hash.', remedy: makeAgain },
  'crc-mismatch': { what: 'An image does not match its checksum.', remedy: makeAgain },
  'init-packet-damaged': { what: 'The init packet of an image cannot be read.', remedy: makeAgain },
  'init-packet-type': {
    what: 'The init packet is for a different kind of image from the one in the manifest.',
    remedy: makeAgain,
  },
  'formats-mixed': {
    what: 'The package contains images for different bootloaders.',
    remedy: 'Make one package for each bootloader.',
  },
  'mcuboot-damaged': {
    what: 'The MCUboot image ends too early, or its header is damaged.',
    remedy: 'Build it again, or get a fresh copy.',
  },
  'mcuboot-no-hash': {
    what: 'The MCUboot image has no hash, so no bootloader will start it.',
    remedy: 'Choose the signed image: zephyr.signed.bin or app_update.bin.',
  },
  'not-mcuboot': {
    what: 'A file in the package is not an MCUboot image.',
    remedy: 'Build with MCUboot enabled and choose dfu_application.zip.',
  },
  'data-behind-image': {
    what: 'There is data behind the MCUboot image that is neither padding nor a boot trailer.',
    remedy: 'Choose the signed image as imgtool wrote it: zephyr.signed.bin or app_update.bin.',
  },
  'several-images': {
    what: 'The file contains several MCUboot images.',
    remedy: 'Choose dfu_application.zip, which says which image is which, or the file of one image.',
  },
  'plain-bin': {
    what: 'This is a bare program: no bootloader accepts it over a serial port as it is.',
    remedy: makePackage,
  },
  'plain-hex': {
    what: 'This is an Intel HEX file: it is for a debug probe, or must be packaged first.',
    remedy: makePackage,
  },
  'plain-s-record': {
    what: 'This is an S-record file: it is for a debug probe, or must be packaged first.',
    remedy: makePackage,
  },
  'text-damaged': { what: 'This file is damaged.', remedy: 'Build it again, or get a fresh copy.' },
  'dfu-damaged': { what: 'This DFU file is damaged.', remedy: 'Build it again, or get a fresh copy.' },
  'dfuse-file': {
    what: 'This is a DfuSe file: it is for the USB bootloader of an STM32.',
    remedy: 'Open the flasher for STM32, or choose a package for a Nordic chip.',
  },
  'plain-elf': { what: 'This is an ELF file: it is for a debugger, or must be packaged first.', remedy: makePackage },
  'uf2-file': {
    what: "This is a UF2 file: it is not sent over a serial port, but copied to the board's drive.",
    remedy:
      'Press reset twice within half a second: a drive with INFO_UF2.TXT appears. ' +
      'Copy the file there; the board restarts automatically.',
  },
  'uf2-other-chip': {
    what: 'This UF2 file is not for a Nordic chip.',
    remedy: 'Choose the file for your board.',
  },
  'not-firmware': {
    what: 'This is not firmware.',
    remedy: 'Choose the .zip of nrfutil, dfu_application.zip, or zephyr.signed.bin.',
  },
} satisfies Record<PackageFault, FailureText>;

export interface PackageErrorOptions extends ErrorOptions {
  /** File of the package, or place in it. */
  readonly where?: string;
  /** Replaces the code's sentence with a more precise one. */
  readonly what?: string;
  /** Replaces the code's remedy. */
  readonly remedy?: string;
}

/** Error about a package. Its message is the sentence of the fault, preceded by `where` if known. */
export class PackageError extends Error {
  readonly code: PackageFault;
  /** File of the package, or place in it. */
  readonly where: string | null;
  readonly remedy: string;

  constructor(code: PackageFault, { where, what, remedy, ...options }: PackageErrorOptions = {}) {
    const sentence = what ?? packageFaultText[code].what;
    super(where === undefined ? sentence : `${where}: ${sentence}`, options);
    this.name = 'PackageError';
    this.code = code;
    this.where = where ?? null;
    this.remedy = remedy ?? packageFaultText[code].remedy;
  }
}
