/**
 * Why a file is not flashed to an Espressif chip, and what is to be flashed instead. Goes by names first, as a build gives them,
 * then by contents. A text or picture whose name says that it is data stays in the list: it may be for a partition of its own, and
 * the plan refuses it where a program belongs.
 */
import { contentsOf, contentsSampleSize, type FileContents } from '../../images/contents/contents.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import { isText } from '../../images/contents/text.ts';
import { memoryFileExtensions } from '../../images/formats/file-extensions.ts';
import { formatOf } from '../../images/formats/formats.ts';
import { baseName, besidesReason } from './file-name.ts';
import type { DroppedFile } from './placement.ts';

/** `e_machine` of an ELF file (System V ABI, chapter 4) and its number for Arm. */
const MACHINE_OFFSET = 18;
const MACHINE_ARM = 40;

/** Never flashed, whatever the file is called: what is inside is. */
const packed: readonly (FileContents | null)[] = ['zip', 'compressed', 'archive'];

/** One or two sentences; null for what may be flashed. @param all the files that it came with */
export function notFlashedReason(file: DroppedFile, all: readonly DroppedFile[]): string | null {
  const { name, bytes } = file;
  if (bytes.length === 0) {
    return 'The file is empty. Build it again, or get a fresh copy.';
  }
  const contents = contentsOf(bytes);
  if (contents !== 'computer-program' && formatOf(bytes)?.kind === 'elf') {
    return hasBinary(name, all) ? besidesReason('program.elf') : elfReason(bytes);
  }
  if (packed.includes(contents)) {
    return contentsReason(contents);
  }
  const reason = besidesReason(name);
  if (reason !== null || isBinaryByName(name)) {
    return reason;
  }
  const isPlain = contents === 'text' || (contents === null && isText(bytes.subarray(0, contentsSampleSize)));
  return isPlain ? besidesReason('text.txt') : contentsReason(contents);
}

/** Data that erases is left to a person, under any name. */
function contentsReason(contents: FileContents | null): string | null {
  const not = isBlank(contents) ? null : notFirmwareBy(contents, 'espressif');
  return not === null ? null : `It is ${not.name}, not firmware. ${not.remedy}`;
}

function elfReason(bytes: Uint8Array): string {
  if ((bytes[MACHINE_OFFSET] ?? 0) === MACHINE_ARM) {
    return 'It is a program for an Arm processor, such as an STM32 or an nRF: open the flasher for these.';
  }
  return (
    'An ELF file is flashed as the .bin that is made from it. ESP-IDF puts it in build/, PlatformIO at ' +
    '.pio/build/…/firmware.bin, and Arduino creates it with Sketch > Export Compiled Binary. To create it yourself, run ' +
    'esptool --chip esp32s3 elf2image program.elf with the name of your chip.'
  );
}

/** The .bin beside it, of the same name. */
function hasBinary(name: string, all: readonly DroppedFile[]): boolean {
  const wanted = `${baseName(name)
    .toLowerCase()
    .replace(/\.[^.]*$/, '')}.bin`;
  return all.some((other) => baseName(other.name).toLowerCase() === wanted);
}

const binaryName = new RegExp(`\\.(${['bin', 'img', 'raw', 'dat', ...memoryFileExtensions].join('|')})\\b`, 'i');

const isBinaryByName = (name: string) => binaryName.test(baseName(name));
