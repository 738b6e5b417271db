/**
 * Decides if a file is not flashed to an Espressif chip, and says what to flash instead. Names that builds use come
 * first, then contents. A text or picture with a data file's name is kept, because it may be for its own partition.
 * The plan refuses it in a program's place.
 */

import { baseName } from '../../core/base-name.ts';
import { contentsOf, contentsSampleSize, type FileContents } from '../../images/contents/contents.ts';
import { foreignElf, isBlank, notFirmwareBy, notFirmwareText } from '../../images/contents/not-firmware.ts';
import { isText } from '../../images/contents/text.ts';
import { memoryFileExtensions } from '../../images/formats/file-extensions.ts';
import { formatOf } from '../../images/formats/formats.ts';
import { besidesReason } from './file-name.ts';
import type { DroppedFile } from './placement.ts';

/** Contents that are never flashed, whatever the file's name. The files inside are flashed instead. */
const packed: readonly (FileContents | null)[] = ['zip', 'compressed', 'archive'];

/**
 * Returns the reason in one or two sentences; null if the file may be flashed.
 *
 * @param all The files that were dropped together.
 */
export function notFlashedReason(file: DroppedFile, all: readonly DroppedFile[]): string | null {
  const { name, bytes } = file;
  if (bytes.length === 0) {
    return 'The file is empty. Build it again, or get a fresh copy.';
  }
  const contents = contentsOf(bytes);
  const foreign = foreignElf(bytes, 'esp');
  if (foreign !== null) {
    const { what, remedy } = notFirmwareText(foreign);
    return `${what} ${remedy}`;
  }
  if (formatOf(bytes)?.kind === 'elf') {
    return hasBinary(name, all) ? besidesReason('program.elf') : elfText;
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

/** Returns the reason for these contents. Blank data is always accepted, because it is written on purpose, to erase. */
function contentsReason(contents: FileContents | null): string | null {
  const not = isBlank(contents) ? null : notFirmwareBy(contents, 'esp');
  return not === null ? null : `It is ${not.name}, not firmware. ${not.remedy}`;
}

const elfText =
  'An ELF file is flashed as the .bin that is made from it. ESP-IDF puts it in build/, PlatformIO at ' +
  '.pio/build/…/firmware.bin, and Arduino creates it with Sketch > Export Compiled Binary. To create it yourself, run ' +
  'esptool --chip esp32s3 elf2image program.elf with the name of your chip.';

/** Returns true if a .bin file of the same name was dropped too. */
function hasBinary(name: string, all: readonly DroppedFile[]): boolean {
  const wanted = `${baseName(name)
    .toLowerCase()
    .replace(/\.[^.]*$/, '')}.bin`;
  return all.some((other) => baseName(other.name).toLowerCase() === wanted);
}

const binaryName = new RegExp(`\\.(${['bin', 'img', 'raw', 'dat', ...memoryFileExtensions].join('|')})\\b`, 'i');

const isBinaryByName = (name: string) => binaryName.test(baseName(name));
