/**
 * Decides which boards an ELF file is for: by its processor, then by the memory that its addresses lie in. A processor
 * alone does not tell: RISC-V is in chips of Espressif and in the RP2350, Arm in those of three families and in many
 * that no flasher here writes.
 */
import type { FamilyId } from '@wirebench/boards';
import { viewOf } from '../../core/bytes.ts';
import { readElf } from '../formats/elf.ts';
import { vectorTableOf } from '../formats/memory-file.ts';
import { orNull } from '../image-error.ts';

export interface ElfTarget {
  /** Families that the program may be for, the likeliest first; none if no flasher writes such chips. */
  readonly families: readonly FamilyId[];
  /** True: a program for the operating system of a computer. */
  readonly isForComputer: boolean;
}

/** Memory that a file loads: its address, its size, and the bytes as far as they are there. */
export interface LoadedStretch {
  readonly address: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** Offset of `e_machine`, and its values (System V ABI, chapter 4, and the registry of the processors). */
const MACHINE_OFFSET = 18;
const [ARM, AVR, XTENSA, RISC_V] = [40, 83, 94, 243];
/** SPARC, x86, MIPS, PowerPC, S/390, SPARC V9, IA-64, x86-64, AArch64, LoongArch. */
const computerMachines: readonly number[] = [2, 3, 8, 20, 21, 22, 43, 50, 62, 183, 258];
/** `EI_OSABI` of Linux, and the types of segments that are loaded and that name the interpreter of a computer. */
const OS_LINUX = 3;
const [SEGMENT_LOAD, SEGMENT_INTERPRETER] = [1, 3];

type Range = readonly [start: number, end: number];

interface MemoryMap {
  readonly flash: readonly Range[];
  /** Memory beside flash that a program may fill: RAM, settings. */
  readonly beside: readonly Range[];
}

/** Flash of RP2040 and RP2350 with its caches, and RAM of the RP2350 (datasheets 2.2: `XIP_BASE`, `SRAM_BASE`). */
const rpMap: MemoryMap = {
  flash: [[0x1000_0000, 0x1200_0000]],
  beside: [
    [0x13ff_c000, 0x1400_0000],
    [0x1500_0000, 0x1500_4000],
    [0x2000_0000, 0x2008_2000],
  ],
};

/**
 * Code, data and RAM of Espressif's RISC-V chips (`memory.ld` of ESP-IDF): from the RAM of an ESP32-P4 at 0x3010 0000 to the
 * RAM of low-power cores at 0x5000 0000.
 */
const espMap: MemoryMap = { flash: [[0x3000_0000, 0x5200_0000]], beside: [] };

/** Main flash of an STM32 (reference manuals, "Memory map"). RAM and external memory lie all over the address space. */
const stmMap: MemoryMap = { flash: [[0x0800_0000, 0x0840_0000]], beside: [[0, 0x1_0000_0000]] };

/** Settings of an nRF51 and nRF52 (product specifications, "UICR"). */
const nordicSettings: Range = [0x1000_1000, 0x1000_2000];

/** Nordic's chips (product specifications, "Memory map"): flash, that of the network core, MRAM of the nRF54H; RAM, flash on QSPI. */
const nrfMap: MemoryMap = {
  flash: [[0, 0x18_0000], [0xff_0000, 0x0104_0000], [0x0e00_0000, 0x0e20_0000], nordicSettings],
  beside: [
    [0x1200_0000, 0x1a00_0000],
    [0x2000_0000, 0x2010_0000],
    [0x2100_0000, 0x2101_0000],
  ],
};
/** RAM in which the stack of a Nordic chip begins, with the end. */
const nordicStacks: readonly Range[] = [
  [0x2000_0000, 0x2008_0000],
  [0x2100_0000, 0x2101_0000],
];
/** Ends of the bootloaders of SAM D21, SAM D51 and RA4M1 (Arduino's `flash_with_bootloader.ld`). No program of Nordic's begins there. */
const otherStarts: readonly number[] = [0x2000, 0x4000];

/** Marks of the Pico SDK near the start of a program: binary info, and a block for the boot ROM of an RP2350. */
const rpMarks: readonly number[] = [0x7188_ebf2, 0xffff_ded3];
/** Bytes in which they lie (RP2350 datasheet 5.1.5.1). */
const RP_MARKS_WITHIN = 4_096;

/**
 * Returns the boards of an ELF file.
 *
 * @param bytes The file, or its beginning with the program headers.
 * @returns null for other files, and for one that is cut before it names its processor.
 */
export function elfTargetOf(bytes: Uint8Array): ElfTarget | null {
  if (bytes.length < 52 || viewOf(bytes).getUint32(0) !== 0x7f45_4c46) {
    return null;
  }
  const isLittle = bytes[5] !== 2;
  const machine = viewOf(bytes).getUint16(MACHINE_OFFSET, isLittle);
  const headers = programHeaders(bytes, isLittle);
  if (
    computerMachines.includes(machine) ||
    bytes[7] === OS_LINUX ||
    headers.some(({ type }) => type === SEGMENT_INTERPRETER)
  ) {
    return { families: [], isForComputer: true };
  }
  const is32 = bytes[4] !== 2 && isLittle;
  return { families: is32 ? familiesOf(machine, () => loadedBy(bytes, headers)) : [], isForComputer: false };
}

function familiesOf(machine: number, loaded: () => readonly LoadedStretch[]): readonly FamilyId[] {
  switch (machine) {
    case AVR:
      return ['avr'];
    case XTENSA:
      return ['esp'];
    case RISC_V: {
      const stretches = loaded();
      if (stretches.length === 0) {
        return ['esp', 'rp'];
      }
      return fits(rpMap, stretches) || isBeside(rpMap, stretches) ? ['rp'] : fits(espMap, stretches) ? ['esp'] : [];
    }
    case ARM: {
      const stretches = loaded();
      if (stretches.length > 0 && !isInRam(stretches)) {
        return armFamilies(stretches);
      }
      return stretches.some(hasRpMark) ? ['rp'] : ['stm', 'nrf', 'rp'];
    }
    default:
      return [];
  }
}

/** Returns the families of a program for Arm whose addresses are known. */
export function armFamilies(stretches: readonly LoadedStretch[]): readonly FamilyId[] {
  if (stretches.every((stretch) => isIn(stretch, [nordicSettings]))) {
    return ['nrf'];
  }
  if (fits(rpMap, stretches)) {
    return ['rp'];
  }
  return fits(stmMap, stretches) ? ['stm'] : fits(nrfMap, stretches) && mayBeNordic(stretches) ? ['nrf'] : [];
}

/** Other chips have their flash at 0, too: the stack and the start of the program tell many of them apart. */
function mayBeNordic(stretches: readonly LoadedStretch[]): boolean {
  const [first] = stretches.toSorted((one, other) => one.address - other.address);
  if (first === undefined || otherStarts.includes(first.address)) {
    return false;
  }
  const vectors = vectorTableOf(first.bytes);
  return vectors === null || nordicStacks.some(([start, end]) => vectors.stack >= start && vectors.stack <= end);
}

const isIn = ({ address, size }: LoadedStretch, ranges: readonly Range[]): boolean =>
  ranges.some(([start, end]) => address >= start && address + size <= end);

/** Returns true if all of it is in memory of the map, and some of it in flash. */
const fits = ({ flash, beside }: MemoryMap, stretches: readonly LoadedStretch[]): boolean =>
  stretches.every((stretch) => isIn(stretch, [...flash, ...beside])) &&
  stretches.some((stretch) => isIn(stretch, flash));

const isBeside = ({ beside }: MemoryMap, stretches: readonly LoadedStretch[]): boolean =>
  stretches.every((stretch) => isIn(stretch, beside));

/** SRAM of Cortex-M parts (Armv7-M Architecture Reference Manual, "The system address map"). */
const isInRam = (stretches: readonly LoadedStretch[]): boolean =>
  stretches.every((stretch) => isIn(stretch, [[0x2000_0000, 0x4000_0000]]));

function hasRpMark({ bytes }: LoadedStretch): boolean {
  const view = viewOf(bytes);
  for (let at = 0; at + 4 <= Math.min(bytes.length, RP_MARKS_WITHIN); at += 4) {
    if (rpMarks.includes(view.getUint32(at, true))) {
      return true;
    }
  }
  return false;
}

interface ProgramHeader extends Omit<LoadedStretch, 'bytes'> {
  readonly type: number;
  readonly start: number;
}

function programHeaders(bytes: Uint8Array, isLittle: boolean): readonly ProgramHeader[] {
  const view = viewOf(bytes);
  const is64 = bytes[4] === 2;
  if (is64 && bytes.length < 64) {
    return [];
  }
  const table = is64 ? Number(view.getBigUint64(32, isLittle)) : view.getUint32(28, isLittle);
  const [entrySize, count] = [view.getUint16(is64 ? 54 : 42, isLittle), view.getUint16(is64 ? 56 : 44, isLittle)];
  const least = is64 ? 56 : 32;
  const headers: ProgramHeader[] = [];
  for (let index = 0, at = table; index < count && at + least <= bytes.length; index++, at += entrySize) {
    const type = view.getUint32(at, isLittle);
    headers.push(
      is64
        ? { type, start: 0, address: 0, size: 0 }
        : {
            type,
            start: view.getUint32(at + 4, isLittle),
            address: view.getUint32(at + 12, isLittle),
            size: view.getUint32(at + 16, isLittle),
          },
    );
  }
  return headers;
}

/** Reads the sections, which show where a program really begins. A file that is cut or damaged has its headers alone. */
function loadedBy(bytes: Uint8Array, headers: readonly ProgramHeader[]): readonly LoadedStretch[] {
  const segments = orNull(() => readElf(bytes).segments);
  if (segments !== null) {
    return segments.map((segment) => ({ ...segment, size: segment.bytes.length }));
  }
  return headers.flatMap(({ type, start, address, size }) =>
    type === SEGMENT_LOAD && size > 0 ? [{ address, size, bytes: bytes.subarray(start, start + size) }] : [],
  );
}
