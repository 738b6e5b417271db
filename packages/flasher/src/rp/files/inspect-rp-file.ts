/**
 * Facts about a file for RP2040 or RP2350, whether it can be written or not. A damaged file gets as many facts as can be
 * read safely.
 */

import type { FailureText } from '../../core/flash-failure.ts';
import type { MemoryFormatKind } from '../../images/formats/formats.ts';
import { type ImageError, imageFaultText } from '../../images/image-error.ts';
import { readBinaryInfo } from './binary-info.ts';
import { type BlockLoop, mainBlockOf, readBlockLoop } from './block-loop.ts';
import { proveBlock } from './block-proof.ts';
import { type FilePart, partsOfFile } from './file-parts.ts';
import { infoSections, type ShownBlock } from './info-sections.ts';
import { itemType, type PicobinBlock } from './picobin-block.ts';
import { contentsOfBlock, type ImageType } from './picobin-contents.ts';
import { MappedMemory, type ProgramMemory } from './program-memory.ts';
import { hexText, rpFamilyName } from './rp-families.ts';
import { flashStart, type RpChip, type RpInfoSection, type RpPartitionTable } from './rp-firmware.ts';
import { isSecondStage } from './second-stage.ts';

/** Facts about the program for one family, or about a whole file without families. */
interface RpProgramInfo {
  /** Null without a family. */
  readonly familyId: number | null;
  /** In picotool's words, such as `rp2350-arm-s`; null without a family. */
  readonly family: string | null;
  /** Chip that the program itself names, or that its second stage belongs to; null if nothing says it. */
  readonly chip: RpChip | null;
  readonly sections: readonly RpInfoSection[];
  /** Faults in sentences; empty for a sound program. */
  readonly notes: readonly string[];
}

export interface RpFileInfo {
  readonly format: MemoryFormatKind | 'bin';
  readonly formatName: string;
  /** In the order of the file; empty for a file that cannot be read. */
  readonly programs: readonly RpProgramInfo[];
  /** Null for a file that can be read. */
  readonly fault: FailureText | null;
}

/** @param binAddress Address of a .bin; the start of flash by default. */
export async function inspectRpFile(name: string, bytes: Uint8Array, binAddress = flashStart): Promise<RpFileInfo> {
  const { format, formatName, parts, fault } = partsOfFile(name, bytes, binAddress);
  return { format, formatName, programs: await Promise.all(parts.map(inspectPart)), fault: faultOf(fault) };
}

function faultOf(fault: ImageError | null): FailureText | null {
  return fault === null ? null : { what: fault.message, remedy: imageFaultText[fault.code].remedy };
}

async function inspectPart({ familyId, memory, start, cpu, notes }: FilePart): Promise<RpProgramInfo> {
  const named = { familyId, family: familyId === null ? null : rpFamilyName(familyId) };
  if (memory === null || start === null) {
    return { ...named, chip: null, sections: [], notes };
  }
  const loop = readBlockLoop(memory, start);
  const mainBlock = loop === null ? null : mainBlockOf(loop);
  const image = mainBlock === null ? null : leadingImageOf(mainBlock);
  const unknown = image === null ? null : unknownImage(image);
  if (unknown !== null) {
    return { ...named, chip: null, sections: [], notes: [...notes, unknown] };
  }
  const chip = loop === null && cpu === 'riscv' ? 'RP2350' : chipOf(memory, start, loop, image);
  const blocks = await Promise.all((loop?.blocks ?? []).map((block) => shownBlock(block, memory, start)));
  const main = blocks.find(({ block }) => block === mainBlock) ?? null;
  const info = readBinaryInfo(loadedMemory(memory, main), start, chip);
  const outside = info?.outside ?? null;
  const isLost = outside !== null && info?.entries.length === 0;
  return {
    ...named,
    chip,
    sections: infoSections({ start, chip, info: isLost ? null : info, blocks, main }),
    notes: [
      ...notes,
      ...loopNotes(loop),
      ...blocks.flatMap(({ contents }) => tableNotes(contents.partitionTable)),
      ...(outside === null ? [] : [`Its binary info points to ${hexText(outside)}, which is not in the file.`]),
    ],
  };
}

/** The image definition is the first item of its block. */
function leadingImageOf(block: PicobinBlock): ImageType | null {
  return block.items[0]?.type === itemType.imageType ? contentsOfBlock(block).image : null;
}

async function shownBlock(block: PicobinBlock, memory: ProgramMemory, start: number): Promise<ShownBlock> {
  const contents = contentsOfBlock(block);
  const proof = await proveBlock(block, contents, memory);
  // picotool shows an empty stretch for a block whose hash covers the block alone.
  const loadMap = contents.hashedWords === null ? null : [{ stored: start, runtime: start, size: 0 }];
  return { block, contents: { ...contents, loadMap: contents.loadMap ?? loadMap }, proof };
}

/** Returns memory as it is when the boot ROM has copied what the load map says. */
function loadedMemory(memory: ProgramMemory, main: ShownBlock | null): MappedMemory {
  const entries = main?.contents.loadMap ?? [];
  return new MappedMemory(
    memory,
    entries.flatMap(({ stored, runtime, size }) =>
      stored === 0 || size === 0 ? [] : [{ start: runtime, end: runtime + size, stored }],
    ),
  );
}

/** Returns a sentence about an image definition that no chip of this family can start. */
function unknownImage({ kind, chip, cpu, security }: ImageType): string | null {
  if (kind === 'invalid') {
    return 'Its image definition is of a type that does not exist.';
  }
  if (kind === 'program' && chip === 'unknown') {
    return 'Its image definition names a chip that does not exist.';
  }
  const isKnown = cpu === 'riscv' || (cpu === 'arm' && (security === 'secure' || security === 'non-secure'));
  return kind === 'program' && chip === 'RP2350' && !isKnown
    ? 'Its image definition names a processor or a security level that no RP2350 has.'
    : null;
}

/** The image definition decides. Without blocks, an RP2040 is known by its second stage, or by a program in RAM. */
function chipOf(memory: ProgramMemory, start: number, loop: BlockLoop | null, image: ImageType | null): RpChip | null {
  if (loop !== null) {
    return image?.kind === 'program' && image.chip !== 'unknown' ? image.chip : null;
  }
  return start !== flashStart || isSecondStage(memory.readFilled(flashStart, 256)) ? 'RP2040' : null;
}

function tableNotes(table: RpPartitionTable | null): string[] {
  return table === null || table.partitions.length === table.stated
    ? []
    : [
        `Its partition table does not hold as many partitions as it states: ${table.partitions.length}, not ${table.stated}.`,
      ];
}

function loopNotes(loop: BlockLoop | null): string[] {
  switch (loop?.state) {
    case 'broken':
      return [`Its metadata leads to ${hexText(loop.at ?? 0)}, where there is no block. An RP2350 does not start it.`];
    case 'open':
      return ['Its metadata blocks do not lead back to the first one. An RP2350 does not start it.'];
    default:
      return [];
  }
}
