/**
 * Why a file is not flashed to an Espressif chip, and what is to be flashed instead. Goes by names first, as a build gives them,
 * then by contents, of which the beginning is enough.
 */
import { hasBytesAt } from '../../core/bytes.ts';
import { memoryFileExtensions } from '../../images/formats/file-extensions.ts';
import { formatOf } from '../../images/formats/formats.ts';
import { baseName, besidesReason } from './file-name.ts';
import type { DroppedFile } from './placement.ts';

/** Bytes at the beginning that tell text from data. */
const SAMPLE_SIZE = 4_096;
/** `e_machine` of an ELF file (System V ABI, chapter 4) and its number for Arm. */
const MACHINE_OFFSET = 18;
const MACHINE_ARM = 40;

/** What other programs pack with: gzip, xz, bzip2, 7-Zip, RAR. */
const packed = [
  [0x1f, 0x8b],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x42, 0x5a, 0x68],
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  [0x52, 0x61, 0x72, 0x21],
].map((magic) => Uint8Array.from(magic));

/** One or two sentences; null for what may be flashed. @param all the files that it came with */
export function notFlashedReason(file: DroppedFile, all: readonly DroppedFile[]): string | null {
  const { name, bytes } = file;
  if (bytes.length === 0) {
    return 'The file is empty. Build it again, or get a fresh copy.';
  }
  const format = formatOf(bytes)?.kind;
  if (format === 'elf') {
    return hasBinary(name, all) ? besidesReason('program.elf') : elfReason(bytes);
  }
  if (format === 'zip' || packed.some((magic) => hasBytesAt(bytes, 0, magic))) {
    return 'It is compressed. Unpack it, and drop the files inside.';
  }
  const reason = besidesReason(name);
  return reason === null && !isBinaryByName(name) && isText(bytes) ? besidesReason('text.txt') : reason;
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

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function isText(bytes: Uint8Array): boolean {
  return bytes
    .subarray(0, SAMPLE_SIZE)
    .every((byte) => byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN || (byte >= 0x20 && byte < 0x7f));
}
