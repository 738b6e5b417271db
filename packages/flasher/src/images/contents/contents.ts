/**
 * Recognises files that are not firmware in a form that can be written: text, archives, pictures, computer programs,
 * other containers, other families. File names are ignored.
 */
import type { FamilyId } from '@wirebench/boards';
import { Unzlib } from 'fflate';
import { asciiBytes, hasBytesAt, isFilledWith, viewOf } from '../../core/bytes.ts';
import { hasImageHeader } from '../../esp/images/esp-image.ts';
import { formatOf } from '../formats/formats.ts';
import { vectorTableOf } from '../formats/memory-file.ts';
import { recordKindOf } from '../formats/record-text.ts';
import { elfTargetOf } from './elf-target.ts';
import { type TextContents, textContents } from './text.ts';

export type FileContents =
  | TextContents
  | 'zip'
  | 'compressed'
  | 'archive'
  | 'picture'
  | 'media'
  | 'document'
  | 'computer-program'
  | 'mac-metadata'
  | 'elf'
  | `${FamilyId}-elf`
  | 'other-elf'
  | 'uf2'
  | 'dfuse'
  | 'esp-image'
  | 'stm-program'
  | 'arm-program'
  | 'erased'
  | 'zeros';

/** Bytes of a file's beginning that are enough to recognise its contents, unless they are all alike. */
export const contentsSampleSize = 0x8000;

interface Signature {
  readonly contents: FileContents;
  readonly at: number;
  readonly bytes: Uint8Array;
}

const signature = (contents: FileContents, bytes: readonly number[] | string, at = 0): Signature => ({
  contents,
  at,
  bytes: typeof bytes === 'string' ? asciiBytes(bytes) : Uint8Array.from(bytes),
});

/** Sources: the formats' own documents, as cited by `file` and its `magic` directory. */
const signatures: readonly Signature[] = [
  signature('zip', 'PK\x03\x04'),
  signature('zip', 'PK\x05\x06'),
  signature('zip', 'PK\x07\x08'),
  signature('compressed', [0x1f, 0x8b, 8]),
  signature('compressed', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
  signature('compressed', [0x28, 0xb5, 0x2f, 0xfd]),
  signature('compressed', [0x04, 0x22, 0x4d, 0x18]),
  signature('compressed', 'LZIP\x01'),
  signature('compressed', [0x89, 0x4c, 0x5a, 0x4f, 0, 0x0d, 0x0a, 0x1a, 0x0a]),
  signature('archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  signature('archive', 'Rar!\x1a\x07'),
  signature('archive', 'MSCF\0\0\0\0'),
  signature('archive', '!<arch>\n'),
  signature('archive', 'xar!'),
  signature('archive', [0xed, 0xab, 0xee, 0xdb]),
  signature('archive', 'ustar', 257),
  signature('picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  signature('picture', [0xff, 0xd8, 0xff]),
  signature('picture', 'GIF87a'),
  signature('picture', 'GIF89a'),
  signature('picture', [0x49, 0x49, 0x2a, 0]),
  signature('picture', [0x4d, 0x4d, 0, 0x2a]),
  signature('picture', '8BPS\0\x01'),
  signature('media', 'OggS\0'),
  signature('media', 'fLaC\0'),
  signature('media', 'ID3\x03\0'),
  signature('media', 'ID3\x04\0'),
  signature('media', 'ftyp', 4),
  signature('document', '%PDF-'),
  signature('document', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  signature('document', 'SQLite format 3\0'),
  signature('document', 'bplist00'),
  signature('computer-program', [0xfe, 0xed, 0xfa, 0xce]),
  signature('computer-program', [0xfe, 0xed, 0xfa, 0xcf]),
  signature('computer-program', [0xce, 0xfa, 0xed, 0xfe]),
  signature('computer-program', [0xcf, 0xfa, 0xed, 0xfe]),
  signature('computer-program', [0xca, 0xfe, 0xba, 0xbe]),
  signature('computer-program', '\0asm\x01\0\0\0'),
  signature('computer-program', [0x4c, 0, 0, 0, 1, 0x14, 2, 0]),
  signature('mac-metadata', [0, 5, 0x16, 7, 0, 2, 0, 0]),
  signature('mac-metadata', [0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31]),
  signature('dfuse', 'DfuSe\x01'),
];

/** Returns true if all bytes are alike. Such a sample says nothing about the rest of the file. */
export function isUniform(bytes: Uint8Array): boolean {
  return bytes.length > 0 && isFilledWith(bytes, bytes[0] ?? 0);
}

/**
 * Recognises a file's contents if they are certain.
 *
 * @param bytes The file. Its first `contentsSampleSize` bytes are enough unless those are uniform.
 * @returns null for data, and for firmware of an unknown family.
 */
export function contentsOf(bytes: Uint8Array): FileContents | null {
  if (bytes.length === 0) {
    return null;
  }
  if (isUniform(bytes)) {
    return bytes[0] === 0xff ? 'erased' : bytes[0] === 0 ? 'zeros' : null;
  }
  const sample = bytes.subarray(0, contentsSampleSize);
  const found = signatures.find(({ at, bytes: pattern }) => hasBytesAt(sample, at, pattern));
  return (
    found?.contents ??
    packedContents(sample) ??
    mediaContents(sample) ??
    elfContents(bytes) ??
    programContents(sample) ??
    textOrFormat(sample)
  );
}

/** Recognises formats with short signatures; their headers must be plausible too. */
function packedContents(sample: Uint8Array): FileContents | null {
  const [first = 0, second = 0, third = 0] = sample;
  // compress: flags with two reserved bits, codes of 9 to 16 bits.
  if (first === 0x1f && second === 0x9d && (third & 0x60) === 0 && (third & 0x1f) >= 9 && (third & 0x1f) <= 16) {
    return 'compressed';
  }
  return isBzip2(sample) || isLzma(sample) || isZlib(sample) ? 'compressed' : null;
}

/** Signature: "BZh", the block size, and the mark of a block or of the end. */
function isBzip2(sample: Uint8Array): boolean {
  const [block, end] = [asciiBytes('1AY&SY'), Uint8Array.of(0x17, 0x72, 0x45, 0x38, 0x50, 0x90)];
  return /^BZh[1-9]$/.test(latin1(sample, 0, 4)) && (hasBytesAt(sample, 4, block) || hasBytesAt(sample, 4, end));
}

/**
 * LZMA alone (lzma-file-format.txt): properties, a dictionary size, the unpacked size or −1, and a zero that begins
 * the data.
 */
function isLzma(sample: Uint8Array): boolean {
  if (sample.length < 18 || (sample[0] ?? 0xff) >= 225 || sample[13] !== 0) {
    return false;
  }
  const view = viewOf(sample);
  const dictionary = view.getUint32(1, true);
  const size = view.getBigUint64(5, true);
  const isUsual = dictionary >= 0x1000 && (dictionary & (dictionary - 1)) === 0;
  return isUsual && (size === 0xffff_ffff_ffff_ffffn || (size > 0n && size < 2n ** 32n));
}

/** zlib (RFC 1950): a header divisible by 31 without a dictionary, and data that can be inflated. */
function isZlib(sample: Uint8Array): boolean {
  const [method = 0, flags = 0] = sample;
  if (method !== 0x78 || (method * 256 + flags) % 31 !== 0 || (flags & 0x20) !== 0 || sample.length < 16) {
    return false;
  }
  try {
    let size = 0;
    const inflater = new Unzlib((chunk) => {
      size += chunk.length;
    });
    inflater.push(sample.subarray(0, 4_096), false);
    return size > 0 || sample.length < 64;
  } catch {
    return false;
  }
}

function mediaContents(sample: Uint8Array): FileContents | null {
  const view = viewOf(sample);
  if (latin1(sample, 0, 4) === 'RIFF') {
    const form = latin1(sample, 8, 12);
    return form === 'WEBP' ? 'picture' : form === 'WAVE' || form === 'AVI ' ? 'media' : null;
  }
  // BMP: the reserved fields are zero, and the second header has a known size.
  const isBitmap =
    sample.length >= 54 &&
    latin1(sample, 0, 2) === 'BM' &&
    view.getUint32(6, true) === 0 &&
    [12, 40, 52, 56, 108, 124].includes(view.getUint32(14, true));
  return isBitmap ? 'picture' : null;
}

/** Flash of an STM32 (reference manuals, "Memory map"). Other Cortex-M parts have their flash elsewhere. */
const stm32Flash = { start: 0x0800_0000, end: 0x0840_0000 };
/** Address ranges of a stack: SRAM of Cortex-M parts, and the core-coupled memory of some. */
const stacks = [
  [0x1000_0000, 0x1010_0000],
  [0x2000_0000, 0x2040_0000],
] as const;

/** Names the family of an ELF file if there is one alone. */
function elfContents(bytes: Uint8Array): FileContents | null {
  const target = elfTargetOf(bytes);
  if (target === null) {
    return latin1(bytes, 0, 4) === '\x7fELF' && bytes.length >= 20 ? 'elf' : null;
  }
  const [family, ...others] = target.families;
  return target.isForComputer
    ? 'computer-program'
    : family === undefined
      ? 'other-elf'
      : others.length === 0
        ? `${family}-elf`
        : 'elf';
}

function programContents(sample: Uint8Array): FileContents | null {
  const view = viewOf(sample);
  if (latin1(sample, 0, 2) === 'MZ' && sample.length >= 0x40) {
    const at = view.getUint32(0x3c, true);
    return latin1(sample, at, at + 4) === 'PE\0\0' ? 'computer-program' : null;
  }
  if (hasImageHeader(sample)) {
    return 'esp-image';
  }
  const vectors = vectorTableOf(sample);
  if (vectors === null || !stacks.some(([start, end]) => vectors.stack >= start && vectors.stack <= end)) {
    return null;
  }
  return vectors.reset >= stm32Flash.start && vectors.reset < stm32Flash.end ? 'stm-program' : 'arm-program';
}

function textOrFormat(sample: Uint8Array): FileContents | null {
  return formatOf(sample)?.kind === 'uf2' ? 'uf2' : (recordKindOf(sample) ?? textContents(sample));
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
