/** Faults of files: a code for programs, and a sentence and a remedy for people. */
import type { FailureText } from '../core/flash-failure.ts';

export type ImageFault =
  | 'not-esp-image'
  | 'image-cut-short'
  | 'image-segments'
  | 'image-checksum'
  | 'image-hash'
  | 'image-signed'
  | 'image-digest'
  | 'image-chip-unknown'
  | 'setting-unknown'
  | 'not-partition-table'
  | 'table-cut-short'
  | 'table-without-end'
  | 'table-md5'
  | 'not-json'
  | 'not-this-list'
  | 'not-zip'
  | 'zip-damaged'
  | 'zip-encrypted'
  | 'zip-method'
  | 'zip-too-large'
  | 'zip-unsafe-name'
  | 'not-uf2'
  | 'uf2-damaged'
  | 'uf2-cut-short'
  | 'uf2-number'
  | 'uf2-incomplete'
  | 'uf2-block-twice'
  | 'uf2-no-family'
  | 'uf2-payload'
  | 'dfu-cut-short'
  | 'dfu-checksum'
  | 'dfu-damaged'
  | 'not-intel-hex'
  | 'hex-record'
  | 'hex-checksum'
  | 'hex-record-type'
  | 'hex-universal'
  | 'hex-no-end'
  | 'hex-after-end'
  | 'not-s-record'
  | 'srec-length'
  | 'srec-checksum'
  | 'srec-type'
  | 'srec-count'
  | 'srec-no-end'
  | 'srec-after-end'
  | 'not-ti-txt'
  | 'titxt-address'
  | 'titxt-no-address'
  | 'titxt-length'
  | 'titxt-no-end'
  | 'titxt-after-end'
  | 'not-elf'
  | 'elf-damaged'
  | 'elf-not-linked'
  | 'nothing-to-load'
  | 'other-chip'
  | 'several-chips'
  | 'address-range'
  | 'address-twice';

const copyAgain = 'Build it again, or get a fresh copy.';

export const imageFaultText = {
  'not-esp-image': {
    what: 'This is not an image for an Espressif chip.',
    remedy: 'Choose the .bin file that your build wrote.',
  },
  'image-cut-short': { what: 'The image ends too early.', remedy: copyAgain },
  'image-segments': { what: 'The header of the image contains impossible values.', remedy: copyAgain },
  'image-checksum': { what: 'The image is damaged: its checksum does not match its contents.', remedy: copyAgain },
  'image-hash': { what: 'The image is damaged: its SHA-256 does not match its contents.', remedy: copyAgain },
  'image-signed': {
    what: 'The image is signed: a change would break its signature.',
    remedy: 'Leave mode, frequency and size at "keep", or set them in the build.',
  },
  'image-digest': {
    what: 'A digest of the image for Secure Boot V1 is in front of it: after a change it would not match.',
    remedy: 'Leave mode, frequency and size at "keep", or set them in the build.',
  },
  'image-chip-unknown': {
    what: 'The image is for a chip whose flash settings are not known here.',
    remedy: 'Leave mode, frequency and size at "keep".',
  },
  'setting-unknown': {
    what: 'This chip does not have the flash frequency or size that was chosen.',
    remedy: 'Choose another one, or "keep".',
  },
  'not-partition-table': {
    what: 'This is not a partition table.',
    remedy: 'Choose partition-table.bin or partitions.bin from your build.',
  },
  'table-cut-short': { what: 'The partition table ends in the middle of an entry.', remedy: copyAgain },
  'table-without-end': {
    what: 'The partition table fills its 3 KB without an end, so a bootloader refuses it.',
    remedy: 'Use fewer partitions, and build it again.',
  },
  'table-md5': { what: 'The partition table is damaged: its MD5 does not match its entries.', remedy: copyAgain },
  'not-json': { what: 'This file is not valid JSON.', remedy: copyAgain },
  'not-this-list': {
    what: 'This file does not list files and offsets the way its name suggests.',
    remedy: 'Drop the .bin files and set their offsets by hand.',
  },
  'not-zip': {
    what: 'This is not a zip archive.',
    remedy: 'Unpack it with the program that made it, and drop the files.',
  },
  'zip-damaged': { what: 'The archive is damaged.', remedy: 'Download or pack it again.' },
  'zip-encrypted': {
    what: 'The archive is protected by a password.',
    remedy: 'Unpack it with the password, and drop the files.',
  },
  'zip-method': {
    what: 'A file in the archive uses an unsupported compression method.',
    remedy: 'Unpack the archive, and drop the files.',
  },
  'zip-too-large': {
    what: 'The archive contains more data than any flash chip holds.',
    remedy: 'Unpack it, and drop only the files you want to flash.',
  },
  'zip-unsafe-name': {
    what: 'The archive contains a file whose path points outside the archive.',
    remedy: 'Do not use this archive unless you know who made it.',
  },
  'not-uf2': { what: 'This is not a UF2 file.', remedy: 'Choose a file that ends in .uf2.' },
  'uf2-damaged': { what: 'A block of the UF2 file is damaged.', remedy: copyAgain },
  'uf2-cut-short': {
    what: 'The UF2 file ends inside this block: it was cut off.',
    remedy: copyAgain,
  },
  'uf2-number': {
    what: 'The numbers of the UF2 file do not fit together: they begin at 0 and end below the total.',
    remedy: 'Make the file again, or get a fresh copy: a bootloader waits for blocks that never come.',
  },
  'uf2-incomplete': { what: 'Blocks of the UF2 file are missing.', remedy: copyAgain },
  'uf2-block-twice': {
    what: 'The UF2 file has two different blocks with this number.',
    remedy: 'Use one file for each program: two files for the same chip cannot be put together.',
  },
  'uf2-no-family': {
    what: 'The UF2 file does not say which chip it is for, so no board takes it.',
    remedy: 'Build it again for your board, with the family of its chip.',
  },
  'uf2-payload': {
    what: 'This block of the UF2 file does not have 256 bytes of data, so the chip ignores it.',
    remedy: 'Make the file again with 256 bytes in each block.',
  },
  'dfu-cut-short': { what: 'The DFU file ends too early: its suffix is missing.', remedy: copyAgain },
  'dfu-checksum': { what: 'The DFU file is damaged: its checksum does not match its contents.', remedy: copyAgain },
  'dfu-damaged': { what: 'The DFU file contradicts itself: its sizes do not fit together.', remedy: copyAgain },
  'not-intel-hex': {
    what: 'This line is not an Intel HEX record.',
    remedy: 'Choose a .hex file, or write it again: each line starts with a colon.',
  },
  'hex-record': { what: 'The length of this record is not what it says.', remedy: copyAgain },
  'hex-checksum': { what: 'The checksum of this record does not match.', remedy: copyAgain },
  'hex-record-type': { what: 'This record is of a type that Intel HEX does not have.', remedy: copyAgain },
  'hex-universal': {
    what: 'This is a Universal Hex for a BBC micro:bit: it holds a program for each version of the board.',
    remedy: 'Connect the micro:bit over USB, and copy the file to its drive, MICROBIT.',
  },
  'hex-no-end': { what: 'The end record is missing: the file ends too early.', remedy: copyAgain },
  'hex-after-end': { what: 'There are records after the end record.', remedy: copyAgain },
  'not-s-record': {
    what: 'This line is not an S-record.',
    remedy: 'Choose an .s19, .s28, .s37 or .srec file, or write it again: each line starts with the letter S.',
  },
  'srec-length': { what: 'The length of this record is not what it says.', remedy: copyAgain },
  'srec-checksum': { what: 'The checksum of this record does not match.', remedy: copyAgain },
  'srec-type': { what: 'This record is of a type that S-records do not have.', remedy: copyAgain },
  'srec-count': {
    what: 'Records are missing: the file counts more or fewer of them than there are.',
    remedy: copyAgain,
  },
  'srec-no-end': { what: 'The end record is missing: the file ends too early.', remedy: copyAgain },
  'srec-after-end': { what: 'There are records after the end record.', remedy: copyAgain },
  'not-ti-txt': {
    what: 'This line is not TI-TXT: it is neither an address nor a line of bytes.',
    remedy: 'Write the file again: an address follows an @, bytes are pairs of hex digits with a space between them.',
  },
  'titxt-address': {
    what: 'The address after the @ is not a hexadecimal number of up to 8 digits.',
    remedy: copyAgain,
  },
  'titxt-no-address': { what: 'There is no address in front of these bytes.', remedy: copyAgain },
  'titxt-length': {
    what: 'This line is longer than the lines before it, or follows a shorter one: bytes are missing.',
    remedy: copyAgain,
  },
  'titxt-no-end': { what: 'The q at the end is missing: the file ends too early.', remedy: copyAgain },
  'titxt-after-end': { what: 'There are lines after the q that ends the file.', remedy: copyAgain },
  'not-elf': { what: 'This is not an ELF file.', remedy: 'Choose the .elf file that your build wrote.' },
  'elf-damaged': { what: 'The ELF file ends too early, or its header is damaged.', remedy: copyAgain },
  'elf-not-linked': {
    what: 'This is an object file that has not been linked yet.',
    remedy: 'Choose the .elf file of the whole program.',
  },
  'nothing-to-load': {
    what: 'The file contains nothing that can be written.',
    remedy: 'Choose the file of the whole program.',
  },
  'other-chip': {
    what: 'The file was built for another kind of chip.',
    remedy: 'Choose the .bin of a build for your board, or the flasher for the chip that the file is for.',
  },
  'several-chips': {
    what: 'The file holds programs for several kinds of chips that this flasher writes.',
    remedy: 'Choose a file for the chip on your board.',
  },
  'address-range': {
    what: 'The file has data at an address beyond 32 bits.',
    remedy: 'Choose a file for this kind of chip.',
  },
  'address-twice': {
    what: 'The file contains conflicting data for the same address.',
    remedy: 'Build it again: two parts of the program were put in the same place.',
  },
} satisfies Record<ImageFault, FailureText>;

export interface ImageErrorOptions extends ErrorOptions {
  /** Line of a text file, counted from 1. */
  readonly line?: number;
  /** Place in the file, such as the name of a file in an archive or an address. */
  readonly where?: string;
}

/** Error about a file. Its message is the sentence of the fault, preceded by the line or the place if known. */
export class ImageError extends Error {
  readonly code: ImageFault;
  readonly line: number | null;
  readonly where: string | null;

  constructor(code: ImageFault, { line, where, ...options }: ImageErrorOptions = {}) {
    const place = line === undefined ? where : `Line ${line}`;
    super(place === undefined ? imageFaultText[code].what : `${place}: ${imageFaultText[code].what}`, options);
    this.name = 'ImageError';
    this.code = code;
    this.line = line ?? null;
    this.where = where ?? null;
  }
}

/** Returns the result of reading a file; null if that fails with an `ImageError`. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
