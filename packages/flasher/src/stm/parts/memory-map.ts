/**
 * Names the memory of an STM32 outside of its flash: option bytes, one-time memory, EEPROM, RAM, external memory.
 * Sources: the reference manual of each family ("Memory map", "Embedded flash memory"), and AN2606 for the system
 * memory.
 */
import type { FlashRange } from '../../core/region.ts';
import { type StmFamilyName, stmFamilies } from './families.ts';
import { stmParts } from './part-table.ts';

export type StmMemory = 'option-bytes' | 'otp' | 'eeprom' | 'system-memory' | 'ram' | 'external-memory' | 'registers';

export interface StmMemoryArea {
  readonly memory: StmMemory;
  /** Families with this memory at the address; empty for all. */
  readonly families: readonly StmFamilyName[];
}

interface Row extends StmMemoryArea, FlashRange {}

const KIB = 1_024;
const row = (memory: StmMemory, offset: number, length: number, ...families: readonly StmFamilyName[]): Row => ({
  memory,
  offset,
  length,
  families,
});

/**
 * Option bytes at the addresses that the bootloader reads (`families.ts`, `part-table.ts`), and at further ones of
 * some parts and debuggers.
 */
const optionBytes: readonly Row[] = [
  ...(Object.keys(stmFamilies) as StmFamilyName[]).flatMap((family) => {
    const own = stmFamilies[family].optionBytes;
    const other = stmParts.flatMap((part) => (part.family === family ? (part.differs?.optionBytes ?? []) : []));
    return [...(own === null ? [] : [own]), ...other].map(({ offset }) => row('option-bytes', offset, 64, family));
  }),
  // Option bytes of bank 2: RM0090 table "Option byte organization", RM0351, RM0432 and RM0440.
  row('option-bytes', 0x1ffe_c000, 64, 'F4'),
  row('option-bytes', 0x1fff_f800, 64, 'L4', 'G4'),
  row('option-bytes', 0x1ff0_1000, 64, 'L4'),
  // Registers of the flash interface (RM0433 section 4.9, FLASH_OPTCR and the following), by which ST's tools address
  // them.
  row('option-bytes', 0x5200_201c, 512, 'H7'),
];

const special: readonly Row[] = [
  ...optionBytes,
  row('otp', 0x1fff_7800, 528, 'F2', 'F4'),
  row('otp', 0x1ff0_7800, 528, 'F7'),
  row('otp', 0x1ff0_f000, 1_056, 'F7'),
  row('otp', 0x1fff_7000, KIB, 'G0', 'G4', 'L4', 'WB', 'WL'),
  row('otp', 0x08ff_f000, KIB, 'H7'),
  // Addresses at which other families have option bytes.
  row('system-memory', 0x1fff_0000, 30 * KIB, 'F2', 'F4'),
  row('system-memory', 0x1fff_0000, 28 * KIB, 'G0', 'G4', 'L4', 'WB', 'WL'),
  row('eeprom', 0x0808_0000, 16 * KIB, 'L0', 'L1'),
  // Tightly coupled to the core (ITCM). Other parts have their flash mirrored at zero.
  row('ram', 0, 64 * KIB, 'F7', 'H7'),
];

/** Memory of all families without a special entry. */
const usual: readonly Row[] = [
  row('system-memory', 0x1ff0_0000, 0x10_0000),
  // CCM, or a second SRAM.
  row('ram', 0x1000_0000, 256 * KIB),
  row('ram', 0x2000_0000, 0x2000_0000),
  row('registers', 0x4000_0000, 0x2000_0000),
  // FMC, QUADSPI and OCTOSPI, SDRAM.
  row('external-memory', 0x6000_0000, 0x8000_0000),
];

/** Memories that indicate a file's family if the board has nothing special at the address. */
const tellsFamily: readonly StmMemory[] = ['option-bytes', 'otp', 'system-memory'];

/**
 * Returns the memory at an address. Several if families differ and the board's is unknown; empty if none is known.
 *
 * @param family Family of the board; null if unknown.
 */
export function stmMemoryAt(address: number, family: StmFamilyName | null): readonly StmMemoryArea[] {
  const isThere = ({ offset, length }: Row) => address >= offset && address < offset + length;
  const found = special.filter(isThere);
  const own = found.find(({ families }) => family !== null && families.includes(family));
  if (own !== undefined) {
    return [{ memory: own.memory, families: [] }];
  }
  const areas = tellsFamily.flatMap((memory): StmMemoryArea[] => {
    const families = [...new Set(found.filter((one) => one.memory === memory).flatMap((one) => one.families))];
    return families.length === 0 ? [] : [{ memory, families }];
  });
  return areas.length > 0 ? areas : usual.filter(isThere).slice(0, 1);
}
