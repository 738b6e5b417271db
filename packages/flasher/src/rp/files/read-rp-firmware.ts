/** Reads a file for writing. Damaged files are refused with the code of their fault. */
import { formatOf } from '../../images/formats/formats.ts';
import type { OtherPart } from '../../images/formats/image-format.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { readUf2, type Uf2Program, uf2BlocksOf } from '../../images/formats/uf2.ts';
import { uf2FamilyName, uf2FamilyText } from '../../images/formats/uf2-families.ts';
import { ImageError } from '../../images/image-error.ts';
import { mainBlockOf, readBlockLoop } from './block-loop.ts';
import { type ElfCpu, elfCpuOf, readRpMemoryFile, startOf, uf2PayloadSize } from './file-parts.ts';
import { contentsOfBlock } from './picobin-contents.ts';
import { ProgramMemory } from './program-memory.ts';
import { rpFamily, rpFamilyName, rpFamilyOf } from './rp-families.ts';
import { flashStart, type RpFirmware, type RpProgram } from './rp-firmware.ts';
import { isSecondStage } from './second-stage.ts';

/**
 * Reads the programs of a file.
 *
 * @param binAddress Address of a .bin; the start of flash by default.
 * @throws ImageError of the format's reader; `other-chip` for a file of other chips alone; `uf2-no-family`,
 *   `uf2-payload` for a UF2 file whose blocks both chips ignore.
 */
export function readRpFirmware(name: string, bytes: Uint8Array, binAddress = flashStart): RpFirmware {
  if (formatOf(bytes)?.kind === 'uf2') {
    return readUf2Firmware(bytes);
  }
  const { format, formatName, segments, others } = readRpMemoryFile(name, bytes, binAddress);
  const image = imageOf(segments, startOf(segments), elfCpuOf(bytes));
  return { format, formatName, programs: [programOf(familyOf(image), segments, image)], e10: null, others };
}

function readUf2Firmware(bytes: Uint8Array): RpFirmware {
  const programs = readUf2(bytes, { includes: (family) => listNames.has(family) });
  const own = programs.filter(({ familyId }) => rpFamilyOf(familyId) !== null);
  const blocks = uf2BlocksOf(bytes);
  if (own.length === 0) {
    throw programs.some(({ familyId }) => familyId === null)
      ? new ImageError('uf2-no-family')
      : new ImageError('other-chip', { where: `For ${programs.map(familyText).join(' and ')}` });
  }
  const odd = blocks.find(
    ({ use, size, familyId }) => use === 'flash' && rpFamilyOf(familyId) !== null && size !== uf2PayloadSize,
  );
  if (odd !== undefined) {
    throw new ImageError('uf2-payload', { where: `Block ${odd.number} of ${odd.total}` });
  }
  const contained = blocks.reduce((sum, { use, size }) => sum + (use === 'file' ? size : 0), 0);
  const others = programs
    .filter((program) => !own.includes(program))
    .map((program): OtherPart => ({ kind: 'chip', name: familyText(program), size: sizeOf(program.segments) }));
  return {
    format: 'uf2',
    formatName: 'UF2',
    programs: own.map(({ familyId, segments }) =>
      programOf(familyId, segments, imageOf(segments, startOf(segments), null)),
    ),
    e10: blocks.find(({ use }) => use === 'filler')?.address ?? null,
    others: contained === 0 ? others : [...others, { kind: 'files', name: 'contained files', size: contained }],
  };
}

/** Names of the families in the list of all UF2 families. */
const listNames: ReadonlySet<string | null> = new Set(Object.values(rpFamily).map(uf2FamilyName));

const familyText = ({ familyId }: Uf2Program) => uf2FamilyText(familyId);

const sizeOf = (segments: readonly MemorySegment[]) => segments.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** RAM of an RP2350, and the memory of the XIP caches of both chips. */
const memories = [
  [0x2000_0000, 0x2008_2000],
  [0x13ff_c000, 0x1400_0000],
  [0x1500_0000, 0x1500_4000],
] as const;

function programOf(
  familyId: number | null,
  segments: readonly MemorySegment[],
  image: ReturnType<typeof imageOf>,
): RpProgram {
  const isRam = ({ address }: MemorySegment) => memories.some(([start, end]) => address >= start && address < end);
  const ram = segments.filter(isRam);
  const row = rpFamilyOf(familyId);
  const start = startOf(segments);
  return {
    familyId,
    family: familyId === null ? null : rpFamilyName(familyId),
    chips: row?.chips ?? [],
    cpu: row?.cpu ?? image?.cpu ?? null,
    image: image === null ? null : { chip: image.chip, cpu: image.cpu },
    flash: segments.filter((segment) => !isRam(segment)),
    ram,
    entry: ram.length === 0 || start === flashStart ? null : start,
  };
}

/**
 * Returns what the image definition says of a program, or its second stage; null without either.
 *
 * @param cpu Processor of an ELF file. Only the RP2350 has one for RISC-V.
 */
function imageOf(segments: readonly MemorySegment[], start: number | null, cpu: ElfCpu | null) {
  if (start === null) {
    return null;
  }
  const memory = new ProgramMemory(segments);
  const loop = readBlockLoop(memory, start);
  if (loop !== null) {
    const { image } = contentsOfBlock(mainBlockOf(loop));
    return image?.kind === 'program' && image.chip !== 'unknown' && (image.cpu === 'arm' || image.cpu === 'riscv')
      ? { chip: image.chip, cpu: image.cpu, isNonSecure: image.security === 'non-secure' }
      : null;
  }
  if (cpu === 'riscv') {
    return { chip: 'RP2350', cpu, isNonSecure: false } as const;
  }
  // The boot ROM of an RP2040 asks a program in RAM for nothing.
  return start !== flashStart || isSecondStage(memory.readFilled(flashStart, 256))
    ? ({ chip: 'RP2040', cpu: 'arm', isNonSecure: false } as const)
    : null;
}

/** Returns the family of a file that states none, as picotool derives it from the program; null for data. */
function familyOf(image: ReturnType<typeof imageOf>): number | null {
  if (image === null) {
    return null;
  }
  const { chip, cpu, isNonSecure } = image;
  if (chip === 'RP2040') {
    return rpFamily.rp2040;
  }
  return cpu === 'riscv' ? rpFamily.riscv : isNonSecure ? rpFamily.armNonSecure : rpFamily.armSecure;
}
