/**
 * DfuSe files (ST UM0391, "DfuSe file format specification"): a prefix, the targets, and the suffix of all DFU files.
 * A target is an alternate setting of the USB device; it has its own prefix and elements of data with addresses.
 * Everything is little endian. The document says big endian for the prefixes, but ST's own files and tools differ.
 */
import { asciiBytes, asciiField, hasBytesAt, viewOf } from '../../core/bytes.ts';
import { ImageError } from '../image-error.ts';
import { readDfuSuffix } from './dfu-suffix.ts';
import type { MemoryContents, MemoryFormat, OtherPart } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

const prefixSignature = asciiBytes('DfuSe');
const targetSignature = asciiBytes('Target');
/** Offsets of the fields (sections 2.1, 2.3.2 and 2.3.3). */
const prefix = { version: 5, imageSize: 6, targets: 10, size: 11 } as const;
const targetPrefix = {
  alternate: 6,
  named: 7,
  name: 11,
  nameSize: 255,
  dataSize: 266,
  elements: 270,
  size: 274,
} as const;
const ELEMENT_PREFIX_SIZE = 8;
const VERSION = 1;
/** Lowest address in the memory map of an STM32, apart from code that is mirrored at zero. */
const MEMORY_MAP_START = 0x0800_0000;

export interface DfuseTarget {
  /** USB `bAlternateSetting`. */
  readonly alternate: number;
  /** For example `Internal Flash`; empty if the target has no name. */
  readonly name: string;
  readonly elements: readonly MemorySegment[];
}

function startsLikeDfuse(bytes: Uint8Array): boolean {
  return hasBytesAt(bytes, 0, prefixSignature);
}

/**
 * Reads the targets with their elements.
 *
 * @param content The file without its suffix.
 * @param whole Size of the file with its suffix, in bytes.
 * @throws ImageError `dfu-damaged`.
 */
export function readDfuseTargets(content: Uint8Array, whole: number): DfuseTarget[] {
  const view = viewOf(content);
  const must = (holds: boolean, where: string) => {
    if (!holds) {
      throw new ImageError('dfu-damaged', { where });
    }
  };
  must(content.length >= prefix.size && view.getUint8(prefix.version) === VERSION, 'Prefix');
  // ST's tools count the file without the suffix, the document counts it with the suffix.
  const size = view.getUint32(prefix.imageSize, true);
  must(size === content.length || size === whole, 'Prefix');
  const targets: DfuseTarget[] = [];
  let next = prefix.size;
  for (let index = 0; index < view.getUint8(prefix.targets); index++) {
    const start = next;
    const where = `Target ${index + 1}`;
    must(start + targetPrefix.size <= content.length && hasBytesAt(content, start, targetSignature), where);
    const end = start + targetPrefix.size + view.getUint32(start + targetPrefix.dataSize, true);
    must(end <= content.length, where);
    const isNamed = view.getUint32(start + targetPrefix.named, true) !== 0;
    const name = isNamed ? asciiField(content, start + targetPrefix.name, targetPrefix.nameSize) : null;
    const elements: MemorySegment[] = [];
    next = start + targetPrefix.size;
    for (let element = 0; element < view.getUint32(start + targetPrefix.elements, true); element++) {
      must(next + ELEMENT_PREFIX_SIZE <= end, where);
      const [address, length] = [view.getUint32(next, true), view.getUint32(next + 4, true)];
      next += ELEMENT_PREFIX_SIZE;
      must(next + length <= end, where);
      elements.push({ address, bytes: content.subarray(next, next + length) });
      next += length;
    }
    must(next === end, where);
    targets.push({ alternate: view.getUint8(start + targetPrefix.alternate), name: (name ?? '').trim(), elements });
  }
  must(next === content.length, 'Behind the last target');
  return targets;
}

/**
 * Targets at addresses of the memory map are the file's program. A target at lower addresses, such as an external
 * flash that begins at zero, is another memory with its own addresses.
 */
function readDfuse(bytes: Uint8Array): MemoryContents {
  const { content, device } = readDfuSuffix(bytes);
  const targets = readDfuseTargets(content, bytes.length).filter(({ elements }) => elements.length > 0);
  const isMapped = ({ elements }: DfuseTarget) => elements.every(({ address }) => address >= MEMORY_MAP_START);
  const mapped = targets.filter(isMapped);
  const taken = mapped.length > 0 ? mapped : targets.slice(0, 1);
  const others = targets
    .filter((target) => !taken.includes(target))
    .map((target): OtherPart => ({ kind: 'memory', name: targetText(target), size: sizeOf(target) }));
  return { segments: mergeSegments(taken.flatMap(({ elements }) => elements)), entry: null, device, others };
}

const targetText = ({ alternate, name }: DfuseTarget) =>
  `alternate setting ${alternate}${name === '' ? '' : ` (${name.replace(/^@/, '').replace(/\s*\/.*$/, '')})`}`;

const sizeOf = ({ elements }: DfuseTarget) => elements.reduce((sum, { bytes }) => sum + bytes.length, 0);

export const dfuse = {
  kind: 'dfuse',
  name: 'DfuSe',
  holds: 'memory',
  startsLike: startsLikeDfuse,
  read: readDfuse,
} as const satisfies MemoryFormat;
