/** Why a file is not firmware that a Nordic bootloader takes: a code for programs, a sentence and a remedy for people. */
import type { FailureText } from '../../core/flash-failure.ts';

export type PackageFault =
  | 'not-a-package'
  | 'package-damaged'
  | 'manifest-damaged'
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
  | 'plain-bin'
  | 'plain-hex'
  | 'plain-elf'
  | 'uf2-file'
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
  'plain-bin': {
    what: 'This is a bare program: no bootloader accepts it over a serial port as it is.',
    remedy: makePackage,
  },
  'plain-hex': {
    what: 'This is an Intel HEX file: it is for a debug probe, or must be packaged first.',
    remedy: makePackage,
  },
  'plain-elf': { what: 'This is an ELF file: it is for a debugger, or must be packaged first.', remedy: makePackage },
  'uf2-file': {
    what: "This is a UF2 file: it is not sent over a serial port, but copied to the board's drive.",
    remedy:
      'Press reset twice within half a second: a drive with INFO_UF2.TXT appears. ' +
      'Copy the file there; the board restarts automatically.',
  },
  'not-firmware': {
    what: 'This is not firmware.',
    remedy: 'Choose the .zip of nrfutil, dfu_application.zip, or zephyr.signed.bin.',
  },
} satisfies Record<PackageFault, FailureText>;

export interface PackageErrorOptions extends ErrorOptions {
  readonly where?: string;
  /** In place of the code's own sentences: names what a file is. */
  readonly text?: FailureText;
}

/** Its message is the sentence that says what is wrong, with the name of the file of the package in front where there is one. */
export class PackageError extends Error {
  readonly code: PackageFault;
  /** Which file of the package. */
  readonly where: string | null;
  /** What to do. */
  readonly remedy: string;

  constructor(code: PackageFault, { where, text = packageFaultText[code], ...options }: PackageErrorOptions = {}) {
    super(where === undefined ? text.what : `${where}: ${text.what}`, options);
    this.name = 'PackageError';
    this.code = code;
    this.where = where ?? null;
    this.remedy = text.remedy;
  }
}
