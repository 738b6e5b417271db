/**
 * Names and remedies for files that are certainly not firmware of a family. The flashers, the form of a release, the
 * server and `publish-release` use this table.
 */
import { type FamilyId, familyWords } from '@wirebench/boards';
import type { FailureText } from '../../core/flash-failure.ts';
import { contentsOf, type FileContents } from './contents.ts';
import { elfTargetOf } from './elf-target.ts';

export interface NotFirmware {
  readonly contents: FileContents;
  /** Completes "This is …", such as `a web page`. */
  readonly name: string;
  /** Likely cause, and the next step. */
  readonly remedy: string;
}

const chooseBin = 'Choose the .bin file that your build wrote.';

const openOther = (family: FamilyId) =>
  `Open the flasher for ${familyWords[family].all}, or choose the firmware for this board.`;

const contentsText = {
  'web-page': {
    name: 'a web page',
    remedy:
      'A download that needed a sign-in, or a link to a page about the file, often saves one. ' +
      'Open the link in the browser and download the file itself.',
  },
  'web-answer': {
    name: 'the answer of a web server',
    remedy: 'The download failed and its error was saved in place of the file. Check the link, and download it again.',
  },
  json: {
    name: 'JSON text',
    remedy:
      'A link to the API of a site, or a download that was refused, often saves it in place of the file. ' +
      'Download the file itself.',
  },
  xml: {
    name: 'XML text',
    remedy: 'Storage servers answer with it when a link has expired. Get a new link, and download the file again.',
  },
  'lfs-pointer': {
    name: 'a Git LFS pointer',
    remedy: 'The file itself is stored elsewhere. Run "git lfs pull" in the repository, then choose the file again.',
  },
  'table-source': {
    name: 'the source text of a partition table',
    remedy: 'The build turns it into partition-table.bin or partitions.bin: choose that.',
  },
  'intel-hex': {
    name: 'an Intel HEX file',
    remedy: 'It holds addresses and data as text. Rename it to end in .hex, or convert it to a .bin.',
  },
  's-record': {
    name: 'an S-record file',
    remedy: 'It holds addresses and data as text. Rename it to end in .srec, or convert it to a .bin.',
  },
  'ti-txt': {
    name: 'a TI-TXT file',
    remedy:
      'It holds addresses and data as text, mostly for an MSP430. Rename it to end in .txt, or convert it to a .bin.',
  },
  text: {
    name: 'a text file',
    remedy: `A failed download often leaves one in place of the file. ${chooseBin}`,
  },
  zip: { name: 'a zip archive', remedy: 'Unpack it, and choose the files inside.' },
  compressed: { name: 'a compressed file', remedy: 'Unpack it, and choose the file inside.' },
  archive: { name: 'an archive', remedy: 'Unpack it, and choose the files inside.' },
  picture: { name: 'a picture', remedy: chooseBin },
  media: { name: 'a sound or video file', remedy: chooseBin },
  document: { name: 'a document', remedy: chooseBin },
  'computer-program': {
    name: 'a program for a computer',
    remedy: 'Tools and firmware are often offered side by side. Choose the firmware for your board.',
  },
  'mac-metadata': {
    name: 'what macOS stores beside a file',
    remedy: 'Choose the file of the same name that does not begin with "._".',
  },
  elf: { name: 'an ELF file', remedy: `It is for a debugger. ${chooseBin}` },
  'esp-elf': { name: 'an ELF file for an Espressif chip', remedy: `It is for a debugger. ${chooseBin}` },
  'stm-elf': { name: 'an ELF file for an STM32', remedy: openOther('stm') },
  'nrf-elf': { name: 'an ELF file for a Nordic chip', remedy: openOther('nrf') },
  'avr-elf': { name: 'an ELF file for an Arduino board with an AVR', remedy: openOther('avr') },
  'rp-elf': { name: 'an ELF file for an RP2040 or RP2350', remedy: openOther('rp') },
  'other-elf': {
    name: 'an ELF file for another chip',
    remedy:
      'Its processor or its addresses are those of no board that is written here. Choose the file of a build for your board.',
  },
  uf2: {
    name: 'a UF2 file',
    remedy: 'It holds addresses between its data. Rename it to end in .uf2, or convert it to a .bin.',
  },
  dfuse: {
    name: 'a DfuSe file',
    remedy: 'It holds addresses of an STM32. Choose the .bin or .hex file of the same build.',
  },
  'esp-image': {
    name: 'an image for an Espressif chip',
    remedy: 'Open the flasher for Espressif chips, or choose the firmware for this board.',
  },
  'stm-program': {
    name: 'a program for an STM32',
    remedy: 'Open the flasher for STM32, or choose the firmware for this board.',
  },
  'arm-program': {
    name: 'a program for an Arm processor',
    remedy: 'Open the flasher for STM32 or for Nordic, or choose the firmware for this board.',
  },
  erased: { name: 'nothing but 0xFF', remedy: `It holds no program. ${chooseBin}` },
  zeros: { name: 'nothing but zeros', remedy: `It holds no program. ${chooseBin}` },
} as const satisfies Record<FileContents, { readonly name: string; readonly remedy: string }>;

/** Family → contents that are or may be its firmware. */
const taken: Readonly<Record<FamilyId, readonly FileContents[]>> = {
  esp: ['esp-image'],
  stm: ['stm-program', 'arm-program'],
  nrf: ['arm-program'],
  avr: [],
  rp: ['arm-program'],
};

/** Contents without a program that are written on purpose, for example to erase a range. */
const blank: readonly FileContents[] = ['erased', 'zeros'];

/** Returns true for contents that are all 0xFF or all zeros. They are written on purpose, to erase. */
export function isBlank(contents: FileContents | null): boolean {
  return contents !== null && blank.includes(contents);
}

/**
 * Names the contents if they are certainly not firmware of the family.
 *
 * @param contents Result of `contentsOf`.
 * @returns null for contents that may be firmware of the family, or data for it.
 */
export function notFirmwareBy(contents: FileContents | null, family: FamilyId): NotFirmware | null {
  return contents === null || taken[family].includes(contents) ? null : { contents, ...contentsText[contents] };
}

/** Does the same for the bytes of a file that would be written unchanged. */
export function notFirmware(bytes: Uint8Array, family: FamilyId): NotFirmware | null {
  return notFirmwareBy(contentsOf(bytes), family);
}

/**
 * Names an ELF file whose processor or addresses are not those of the family's chips.
 *
 * @returns null for a file that is or may be for the family, for one that does not say it, and for other formats.
 */
export function foreignElf(bytes: Uint8Array, family: FamilyId): NotFirmware | null {
  const target = elfTargetOf(bytes);
  if (target === null || target.families.includes(family)) {
    return null;
  }
  const contents = contentsOf(bytes) ?? 'elf';
  return contents === 'elf'
    ? { contents, name: 'an ELF file for another processor', remedy: 'Choose the firmware for this board.' }
    : { contents, ...contentsText[contents] };
}

/** Firmware, but of other chips. */
const isOfOthers = ({ contents, name }: NotFirmware): boolean =>
  contents.endsWith('-elf') ? contents !== 'esp-elf' : contents === 'elf' && name !== contentsText.elf.name;

/** Returns the sentence about a file, without its name: `This is a web page, not firmware.` */
export function notFirmwareText(not: NotFirmware): FailureText {
  return { what: `This is ${not.name}${isOfOthers(not) ? '' : ', not firmware'}.`, remedy: not.remedy };
}

/** Returns a short form for lists of files: `Web page, not firmware`. */
export function notFirmwareTitle({ name }: NotFirmware): string {
  const noun = name.replace(/^(?:an?|the) /, '');
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}, not firmware`;
}
