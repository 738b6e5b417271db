/**
 * UF2, the format of drag-and-drop bootloaders (Microsoft, "USB Flashing Format"). A file consists of little-endian
 * blocks of 512 bytes, each with an address, a number and at most 476 bytes of data. One file may hold programs for
 * several families of chips.
 */

import { addressText, hasBytesAt, isBlank, isFilledWith, viewOf } from '../../core/bytes.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { ImageError } from '../image-error.ts';
import type { MemoryContents, MemoryFormat, OtherPart, OwnChips } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';
import { uf2FamilyName, uf2FamilyText } from './uf2-families.ts';

const BLOCK_SIZE = 512;
const HEADER_SIZE = 32;
const FIRST_MAGIC = 0x0a324655;
const SECOND_MAGIC = 0x9e5d5157;
const LAST_MAGIC = 0x0ab16f30;
const MAXIMUM_PAYLOAD = 476;
/** Bytes at the end of the data that hold a region and its hash, if the flag is set (section "MD5 checksum"). */
const HASH_SIZE = 24;
const flag = {
  notMainFlash: 0x1,
  fileContainer: 0x1000,
  familyPresent: 0x2000,
  hashPresent: 0x4000,
  tagsPresent: 0x8000,
} as const;

/**
 * A block that the drive of an RP2350 needs in front of the program (RP2350 datasheet, erratum E10): 256 bytes EF for
 * the family `absolute`, with number 0 of 2 whatever follows, and perhaps the tag that says "ignore this block"
 * (pico-sdk, `boot/uf2.h`). It is no part of the program, and not among the blocks that are counted.
 */
const filler = {
  family: 0xe48bff57,
  /** Place at which tools put it: the last page of the first flash chip. Tools that renumber a file keep it. */
  address: 0x10ff_ff00,
  size: 256,
  byte: 0xef,
  total: 2,
  ignoreTag: 0x9957e304,
} as const;

/** A file's program for one family. */
export interface Uf2Program {
  /** Null if the file names no family. */
  readonly familyId: number | null;
  /** For example `nRF52840`; null for an unknown ID. */
  readonly family: string | null;
  readonly segments: readonly MemorySegment[];
}

/** Most empty sectors in front of the first block. A drive skips sectors that are no blocks (section "File format"). */
const MAX_EMPTY = 16;

function startsLikeUf2(bytes: Uint8Array): boolean {
  let at = 0;
  while (
    at < MAX_EMPTY * BLOCK_SIZE &&
    at + BLOCK_SIZE < bytes.length &&
    isBlank(bytes.subarray(at, at + BLOCK_SIZE))
  ) {
    at += BLOCK_SIZE;
  }
  return (
    bytes.length >= at + BLOCK_SIZE &&
    viewOf(bytes).getUint32(at, true) === FIRST_MAGIC &&
    viewOf(bytes).getUint32(at + 4, true) === SECOND_MAGIC
  );
}

/**
 * Reads the programs for flash, in the order in which their families appear.
 *
 * @param own If given, missing blocks matter for these chips only. A bootloader ignores the blocks of other families
 *   and their numbers (section "Family ID").
 * @throws ImageError `not-uf2`, `uf2-damaged`, `uf2-cut-short`, `uf2-number`, `uf2-incomplete`, `uf2-block-twice`, `nothing-to-load`,
 *   `address-twice`, `address-range`.
 */
export function readUf2(bytes: Uint8Array, own?: OwnChips): Uf2Program[] {
  return programsOf(readBlocks(bytes), own);
}

/** Reads the file without its comment blocks, which are marked as not for the flash (section "Flags"). */
function readFile(bytes: Uint8Array, own?: OwnChips): MemoryContents {
  const blocks = readBlocks(bytes);
  const programs = programsOf(blocks, own);
  const taken = own === undefined ? programs.slice(0, 1) : programsFor(programs, own);
  const others = programs
    .filter((program) => !taken.includes(program))
    .map(
      ({ familyId, segments }): OtherPart => ({ kind: 'chip', name: uf2FamilyText(familyId), size: sizeOf(segments) }),
    );
  const contained = sizeOf(blocks.filter(({ use }) => use === 'file').map(pieceOf));
  const named = taken.find(({ familyId }) => familyId !== null);
  return {
    segments:
      taken.length === 1 ? (taken[0]?.segments ?? []) : mergeSegments(taken.flatMap(({ segments }) => segments)),
    entry: null,
    target: named === undefined ? null : uf2FamilyText(named.familyId),
    others: contained === 0 ? others : [...others, { kind: 'files', name: 'files of a file system', size: contained }],
  };
}

/**
 * Returns the programs for these chips: those of their family, and those without a family. Programs of unknown
 * families are returned only if nothing else is found.
 */
function programsFor(programs: readonly Uf2Program[], own: OwnChips): readonly Uf2Program[] {
  const isOwn = ({ family, familyId }: Uf2Program) => familyId === null || (family !== null && own.includes(family));
  const found = programs.filter(isOwn);
  const unknown = programs.filter(({ family, familyId }) => familyId !== null && family === null);
  const taken = found.length > 0 ? found : unknown;
  const families = taken.filter(({ familyId }) => familyId !== null);
  if (taken.length === 0) {
    throw new ImageError('other-chip', { where: `For ${namesOf(programs)}` });
  }
  if (families.length > 1) {
    throw new ImageError('several-chips', { where: `For ${namesOf(families)}` });
  }
  return taken;
}

const namesOf = (programs: readonly Uf2Program[]) =>
  [...new Set(programs.map(({ familyId }) => uf2FamilyText(familyId)))].join(' and ');

const sizeOf = (pieces: readonly MemorySegment[]) => pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);

/**
 * The numbers of UF2 blocks (Microsoft, "USB Flashing Format", sections "File format" and "Family ID"). By the format
 * they count the blocks of the whole file. In concatenated files, each family has its own numbers. Both are accepted.
 */

interface NumberedBlock {
  /** Null if the block names no family. */
  readonly familyId: number | null;
  /** From 0; below `total`. */
  readonly number: number;
  readonly total: number;
  /** The whole block, 512 bytes. */
  readonly raw: Uint8Array;
}

/**
 * Removes repeated blocks, because systems may write one several times (section "Robustness").
 *
 * @throws ImageError `uf2-block-twice` if two blocks of a family have the same number and different contents.
 */
function withoutRepeats<Block extends NumberedBlock>(blocks: readonly Block[]): readonly Block[] {
  const known = new Map<string, Block>();
  for (const block of blocks) {
    const { familyId, number, total, raw } = block;
    const key = `${familyId}/${total}/${number}`;
    const other = known.get(key);
    if (other !== undefined && !hasBytesAt(other.raw, 0, raw)) {
      throw new ImageError('uf2-block-twice', { where: `Block ${number} of ${total}` });
    }
    known.set(key, other ?? block);
  }
  return [...known.values()];
}

/**
 * Finds a missing block. Blocks with the same total belong together. Each of their families must be complete, or all
 * incomplete families must be complete together.
 *
 * @param blocks Blocks without repeats.
 * @param counts Returns false for families whose missing blocks do not matter.
 * @returns the first missing block; null if the file is complete.
 */
function missingBlock(
  blocks: readonly NumberedBlock[],
  counts: (familyId: number | null) => boolean,
): { readonly number: number; readonly total: number } | null {
  for (const [total, sharing] of groupedBy(blocks, (block) => block.total)) {
    const families = groupedBy(sharing, ({ familyId }) => familyId);
    const partial = [...families.values()].filter((family) => family.length < total);
    const together = new Set(partial.flat().map(({ number }) => number));
    const isWhole = together.size === total && partial.flat().length === total;
    const wanted = partial.find(([block]) => block !== undefined && counts(block.familyId));
    if (!isWhole && wanted !== undefined) {
      // Numbers that several families share do not count through the whole file.
      const runThrough = together.size === partial.flat().length;
      return { number: firstMissing(runThrough ? together : new Set(wanted.map(({ number }) => number))), total };
    }
  }
  return null;
}

function firstMissing(numbers: ReadonlySet<number>): number {
  let number = 0;
  while (numbers.has(number)) {
    number++;
  }
  return number;
}

function programsOf(blocks: readonly Uf2Block[], own?: OwnChips): Uf2Program[] {
  const counts = (familyId: number | null) => {
    const name = familyId === null ? null : uf2FamilyName(familyId);
    return own === undefined || name === null || own.includes(name);
  };
  const missing = missingBlock(blocks, counts);
  if (missing !== null) {
    throw new ImageError('uf2-incomplete', { where: `Block ${missing.number} of ${missing.total}` });
  }
  const pieces = new Map<number | null, MemorySegment[]>();
  for (const block of blocks) {
    if (block.use === 'flash') {
      const program = pieces.get(block.familyId) ?? [];
      program.push(pieceOf(block));
      pieces.set(block.familyId, program);
    }
  }
  if (pieces.size === 0) {
    throw new ImageError('nothing-to-load');
  }
  return [...pieces].map(([familyId, all]) => ({
    familyId,
    family: familyId === null ? null : uf2FamilyName(familyId),
    segments: mergeSegments(all),
  }));
}

/** A block with its fields. Only the magic numbers are checked. */
export interface Uf2Block extends NumberedBlock {
  /** Position in the file, in bytes. */
  readonly at: number;
  /** `filler`: the block for erratum RP2350-E10. */
  readonly use: 'flash' | 'comment' | 'file' | 'filler';
  readonly address: number;
  /** Size of the payload as stated; possibly more than the block holds. */
  readonly size: number;
  /** 476 bytes: the payload, then padding, a hash or tags. */
  readonly data: Uint8Array;
}

const pieceOf = ({ address, size, data }: Uf2Block): MemorySegment => ({ address, bytes: data.subarray(0, size) });

/**
 * Returns the blocks with the right magic numbers, in the order of the file. Skips everything else, as a drive does
 * (section "File format").
 */
export function uf2BlocksOf(bytes: Uint8Array): Uf2Block[] {
  const blocks: Uf2Block[] = [];
  for (let at = 0; at + BLOCK_SIZE <= bytes.length; at += BLOCK_SIZE) {
    const raw = bytes.subarray(at, at + BLOCK_SIZE);
    if (marksOf(raw).every(Boolean)) {
      blocks.push(readBlock(raw, at));
    }
  }
  return blocks;
}

/** Compares the three magic numbers. Those beyond the end of the file are wrong. */
function marksOf(raw: Uint8Array): readonly boolean[] {
  const view = viewOf(raw);
  const isAt = (at: number, magic: number) => at + 4 <= raw.length && view.getUint32(at, true) === magic;
  return [isAt(0, FIRST_MAGIC), isAt(4, SECOND_MAGIC), isAt(508, LAST_MAGIC)];
}

/**
 * Reads all blocks in the order of the file, without repeats and without the filler. Skips sectors that do not begin
 * like a block.
 *
 * @throws ImageError `not-uf2`, `uf2-damaged`, `uf2-cut-short`, `uf2-number`, `uf2-block-twice`.
 */
function readBlocks(bytes: Uint8Array): readonly Uf2Block[] {
  if (!startsLikeUf2(bytes)) {
    throw new ImageError('not-uf2');
  }
  const blocks: Uf2Block[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_SIZE) {
    const raw = bytes.subarray(at, at + BLOCK_SIZE);
    const [first = false, second = false, last = false] = marksOf(raw);
    const block = first && second && last ? readBlock(raw, at) : null;
    if (block === null ? first || second : !holdsPayload(block)) {
      throw new ImageError(raw.length < BLOCK_SIZE ? 'uf2-cut-short' : 'uf2-damaged', {
        where: `Block at ${addressText(at)}`,
      });
    }
    if (block !== null && block.number >= block.total) {
      throw new ImageError('uf2-number', {
        where: `Block at ${addressText(at)}, number ${block.number} of ${block.total}`,
      });
    }
    // Tools that number the filler like the program's own blocks count it, too.
    if (block !== null && (block.use !== 'filler' || block.number > 0 || block.total !== filler.total)) {
      blocks.push(block);
    }
  }
  return withoutRepeats(blocks);
}

function holdsPayload({ size, raw }: Uf2Block): boolean {
  const hasHash = (viewOf(raw).getUint32(8, true) & flag.hashPresent) !== 0;
  return size <= MAXIMUM_PAYLOAD - (hasHash ? HASH_SIZE : 0);
}

function readBlock(raw: Uint8Array, at: number): Uf2Block {
  const view = viewOf(raw);
  const word = (offset: number) => view.getUint32(offset, true);
  const flags = word(8);
  const isFile = (flags & flag.fileContainer) !== 0;
  // In a block of a contained file, the comment flag is ignored and the last word is the file's size (section "File
  // containers").
  const familyId = isFile || (flags & flag.familyPresent) === 0 ? null : word(28);
  const data = raw.subarray(HEADER_SIZE, HEADER_SIZE + MAXIMUM_PAYLOAD);
  const block = { at, familyId, address: word(12), size: word(16), number: word(20), total: word(24), raw, data };
  const isComment = (flags & flag.notMainFlash) !== 0;
  const use = isFile ? 'file' : isComment ? 'comment' : isFiller(block, flags) ? 'filler' : 'flash';
  return { ...block, use };
}

function isFiller({ familyId, address, size, number, data }: Omit<Uf2Block, 'use'>, flags: number): boolean {
  const hasTags = (flags & flag.tagsPresent) !== 0;
  return (
    ((familyId === filler.family && number === 0) || address === filler.address) &&
    size === filler.size &&
    isFilledWith(data.subarray(0, filler.size), filler.byte) &&
    (!hasTags || viewOf(data).getUint32(filler.size, true) === filler.ignoreTag)
  );
}

export const uf2 = {
  kind: 'uf2',
  name: 'UF2',
  holds: 'memory',
  startsLike: startsLikeUf2,
  read: readFile,
} as const satisfies MemoryFormat;
