/**
 * Parts by product ID, as their bootloaders report it. Sources: AN2606, table "Bootloader device-dependent
 * parameters" (product IDs), and the reference manual of each family, "Flash memory organization".
 */
import { hexNumber } from '../../core/bytes.ts';
import { notListed } from '../../core/published-list.ts';
import { type StmFamily, type StmFamilyName, stmFamilies } from './families.ts';
import { type FlashLayout, growing16, growing16Twice, growing32, halves, pages, pagesTwice } from './flash-layout.ts';

export interface StmPart {
  /** From GetID, 12 bits. */
  readonly productId: number;
  readonly name: string;
  readonly family: StmFamilyName;
  readonly layout: FlashLayout;
  /** Alternative layout that an option bit selects; see `layout-option.ts`. */
  readonly otherLayout?: FlashLayout;
  /** Largest flash of such a part in bytes, assumed if the size cannot be read. */
  readonly largestFlash: number;
  /**
   * True: after power-up with empty flash, the part starts its bootloader at each reset until power is removed. This
   * also applies after a program has been written (AN2606, bootloader activation patterns 6, 11, 13 and 16; ST,
   * "Empty check mechanism on STM32").
   */
  readonly emptyCheck?: boolean;
  /** Properties that differ from the family's. */
  readonly differs?: Partial<StmFamily>;
}

interface Row extends Omit<StmPart, 'family' | 'largestFlash'> {
  readonly kib: number;
}

/** RM0091. */
const f0: readonly Row[] = [
  { productId: 0x440, name: 'STM32F05x/030x8', layout: pages(1), kib: 64 },
  { productId: 0x444, name: 'STM32F03x', layout: pages(1), kib: 32 },
  { productId: 0x445, name: 'STM32F04x/070x6', layout: pages(1), kib: 32, emptyCheck: true },
  { productId: 0x448, name: 'STM32F07x', layout: pages(2), kib: 128 },
  { productId: 0x442, name: 'STM32F09x/030xC', layout: pages(2), kib: 256, emptyCheck: true },
];

/** RM0008 and RM0041. The XL parts number the pages of bank 2 after those of bank 1. */
const f1: readonly Row[] = [
  { productId: 0x412, name: 'STM32F10x low-density', layout: pages(1), kib: 32 },
  { productId: 0x410, name: 'STM32F10x medium-density', layout: pages(1), kib: 128 },
  { productId: 0x414, name: 'STM32F10x high-density', layout: pages(2), kib: 512 },
  { productId: 0x420, name: 'STM32F100 low- and medium-density', layout: pages(1), kib: 128 },
  { productId: 0x428, name: 'STM32F100 high-density', layout: pages(2), kib: 512 },
  { productId: 0x418, name: 'STM32F105/107', layout: pages(2), kib: 256 },
  { productId: 0x430, name: 'STM32F10x XL-density', layout: pages(2), kib: 1024 },
];

/** RM0033. */
const f2: readonly Row[] = [{ productId: 0x411, name: 'STM32F2xx', layout: growing16, kib: 1024 }];

/** RM0313, RM0316, RM0364, RM0365. */
const f3: readonly Row[] = [
  { productId: 0x432, name: 'STM32F37x', layout: pages(2), kib: 256 },
  { productId: 0x422, name: 'STM32F302xB/xC, F303xB/xC, F358', layout: pages(2), kib: 256 },
  { productId: 0x439, name: 'STM32F301, F302x4-x8, F318', layout: pages(2), kib: 64 },
  { productId: 0x438, name: 'STM32F303x4-x8, F328, F334', layout: pages(2), kib: 64 },
  { productId: 0x446, name: 'STM32F302xD/xE, F303xD/xE, F398', layout: pages(2), kib: 512 },
];

/** RM0090, RM0368, RM0383, RM0386, RM0390, RM0401, RM0402, RM0430. */
const f4: readonly Row[] = [
  { productId: 0x413, name: 'STM32F405/407/415/417', layout: growing16, kib: 1024 },
  {
    productId: 0x419,
    name: 'STM32F42x/43x',
    layout: growing16,
    otherLayout: growing16Twice,
    kib: 2048,
  },
  { productId: 0x423, name: 'STM32F401xB/xC', layout: growing16, kib: 256 },
  { productId: 0x433, name: 'STM32F401xD/xE', layout: growing16, kib: 512 },
  { productId: 0x458, name: 'STM32F410', layout: growing16, kib: 128 },
  { productId: 0x431, name: 'STM32F411', layout: growing16, kib: 512 },
  { productId: 0x441, name: 'STM32F412', layout: growing16, kib: 1024 },
  { productId: 0x421, name: 'STM32F446', layout: growing16, kib: 512 },
  { productId: 0x463, name: 'STM32F413/423', layout: growing16, kib: 1536 },
  {
    productId: 0x434,
    name: 'STM32F469/479',
    layout: growing16,
    otherLayout: growing16Twice,
    kib: 2048,
  },
];

/** RM0385, RM0410, RM0431. F72x and F73x have the layout of an F4. */
const f7: readonly Row[] = [
  {
    productId: 0x452,
    name: 'STM32F72x/73x',
    layout: growing16,
    kib: 512,
    differs: { flashSizeRegister: 0x1ff0_7a22, uniqueId: [0x1ff0_7a10, 0x1ff0_7a14, 0x1ff0_7a18] },
  },
  { productId: 0x449, name: 'STM32F74x/75x', layout: growing32, kib: 1024 },
  {
    productId: 0x451,
    name: 'STM32F76x/77x',
    layout: growing32,
    otherLayout: growing16Twice,
    kib: 2048,
  },
];

/** RM0444, RM0454. G0Bx and G0Cx with more than 128 KiB have one or two banks. */
const g0: readonly Row[] = [
  { productId: 0x466, name: 'STM32G03x/04x', layout: pages(2), kib: 64, emptyCheck: true },
  { productId: 0x460, name: 'STM32G07x/08x', layout: pages(2), kib: 128, emptyCheck: true },
  {
    productId: 0x467,
    name: 'STM32G0Bx/0Cx',
    layout: { ...pagesTwice(2), oneBankUpTo: 128 * 1_024 },
    otherLayout: pages(2),
    kib: 512,
    emptyCheck: true,
  },
  { productId: 0x456, name: 'STM32G05x/06x', layout: pages(2), kib: 64, emptyCheck: true },
];

/**
 * RM0440. Bank 2 of category 3 begins at 0x08040000, regardless of the size of bank 1. With one bank, pages are twice
 * as large.
 */
const g4: readonly Row[] = [
  { productId: 0x468, name: 'STM32G431/441', layout: pages(2), kib: 128 },
  {
    productId: 0x469,
    name: 'STM32G47x/48x',
    layout: { sizes: [2], banks: 2, bankStride: 256 * 1_024, codesPerBank: 128 },
    otherLayout: pages(4),
    kib: 512,
  },
  { productId: 0x479, name: 'STM32G491/4A1', layout: pages(2), kib: 512 },
];

/** RM0433, RM0455, RM0468. H7Ax and H7Bx have sectors of 8 KiB and other registers (RM0455 section 64). */
const h7: readonly Row[] = [
  { productId: 0x450, name: 'STM32H74x/75x', layout: halves(128, 8), kib: 2048 },
  {
    productId: 0x480,
    name: 'STM32H7Ax/7Bx',
    layout: halves(8, 128),
    kib: 2048,
    differs: {
      granularity: 16,
      flashSizeRegister: 0x08ff_f80c,
      uniqueId: [0x08ff_f800, 0x08ff_f804, 0x08ff_f808],
    },
  },
  { productId: 0x483, name: 'STM32H72x/73x', layout: pages(128), kib: 1024 },
];

/** RM0367, RM0376, RM0377, RM0451: pages of 128 bytes. */
const l0: readonly Row[] = [
  { productId: 0x457, name: 'STM32L01x/02x', layout: pages(0.125), kib: 16, emptyCheck: true },
  { productId: 0x425, name: 'STM32L031/041', layout: pages(0.125), kib: 32 },
  { productId: 0x417, name: 'STM32L05x/06x', layout: pages(0.125), kib: 64 },
  { productId: 0x447, name: 'STM32L07x/08x', layout: pages(0.125), kib: 192 },
];

/** RM0038: pages of 256 bytes. Categories 1 and 2 have their signature at other addresses (section 31.1 and 31.2). */
const category1: Partial<StmFamily> = {
  flashSizeRegister: 0x1ff8_004c,
  uniqueId: [0x1ff8_0050, 0x1ff8_0054, 0x1ff8_0064],
};
const l1: readonly Row[] = [
  {
    productId: 0x416,
    name: 'STM32L1xx category 1',
    layout: pages(0.25),
    kib: 128,
    differs: category1,
  },
  {
    productId: 0x429,
    name: 'STM32L1xx category 2',
    layout: pages(0.25),
    kib: 128,
    differs: category1,
  },
  { productId: 0x427, name: 'STM32L1xx category 3', layout: pages(0.25), kib: 256 },
  { productId: 0x436, name: 'STM32L1xx category 4', layout: pages(0.25), kib: 384 },
  { productId: 0x437, name: 'STM32L1xx category 5', layout: pages(0.25), kib: 512 },
];

/**
 * RM0351, RM0392, RM0394, RM0432. L47x and L49x have one or two banks. L4+ has pages of twice the size with one bank,
 * and its option bytes at another address.
 */
const l4plus: Partial<StmFamily> = { optionBytes: { offset: 0x1ff0_0000, length: 16 } };
const l4: readonly Row[] = [
  { productId: 0x464, name: 'STM32L41x/42x', layout: pages(2), kib: 128, emptyCheck: true },
  { productId: 0x435, name: 'STM32L43x/44x', layout: pages(2), kib: 256, emptyCheck: true },
  { productId: 0x462, name: 'STM32L45x/46x', layout: pages(2), kib: 512, emptyCheck: true },
  {
    productId: 0x415,
    name: 'STM32L47x/48x',
    layout: pagesTwice(2),
    otherLayout: pages(2),
    kib: 1024,
  },
  {
    productId: 0x461,
    name: 'STM32L496/4A6',
    layout: pagesTwice(2),
    otherLayout: pages(2),
    kib: 1024,
    emptyCheck: true,
  },
  {
    productId: 0x470,
    name: 'STM32L4Rx/4Sx',
    layout: pagesTwice(4),
    otherLayout: pages(8),
    kib: 2048,
    emptyCheck: true,
    differs: l4plus,
  },
  {
    productId: 0x471,
    name: 'STM32L4Px/4Qx',
    layout: pagesTwice(4),
    otherLayout: pages(8),
    kib: 1024,
    emptyCheck: true,
    differs: l4plus,
  },
];

/** RM0434, RM0473. The wireless stack at the end of the flash cannot be read; writes stay before it. */
const wb: readonly Row[] = [
  {
    productId: 0x495,
    name: 'STM32WB50/55/30/35',
    layout: pages(4),
    kib: 1024,
    emptyCheck: true,
  },
  {
    productId: 0x494,
    name: 'STM32WB10/15',
    layout: pages(2),
    kib: 320,
    emptyCheck: true,
    differs: { optionBytes: { offset: 0x1fff_7800, length: 16 } },
  },
];

/** RM0453. */
const wl: readonly Row[] = [{ productId: 0x497, name: 'STM32WL5x/Ex', layout: pages(2), kib: 256, emptyCheck: true }];

const rowsByFamily = {
  F0: f0,
  F1: f1,
  F2: f2,
  F3: f3,
  F4: f4,
  F7: f7,
  G0: g0,
  G4: g4,
  H7: h7,
  L0: l0,
  L1: l1,
  L4: l4,
  WB: wb,
  WL: wl,
} satisfies Record<StmFamilyName, readonly Row[]>;

export const stmParts: readonly StmPart[] = (Object.keys(stmFamilies) as StmFamilyName[]).flatMap((family) =>
  rowsByFamily[family].map(({ kib, ...row }: Row) => ({ ...row, family, largestFlash: kib * 1_024 })),
);

/**
 * Parts whose flash is not described here, by product ID (OpenOCD, `stm32l4x.h` and `stm32h7x.c`, with the state of
 * `listDate`; stlink, `stm32.h`, 2024-10-17). `npm run lists -- stm-parts` compares them with newer ones.
 */
const furtherParts: Readonly<Record<number, string>> = {
  [0x42a]: 'STM32U3Bx/3Cx',
  [0x443]: 'STM32C01x',
  [0x44c]: 'STM32C05x',
  [0x44d]: 'STM32C09x',
  [0x453]: 'STM32C03x',
  [0x454]: 'STM32U37x/38x',
  [0x455]: 'STM32U53x/54x',
  [0x459]: 'STM32U031',
  [0x472]: 'STM32L55x/56x',
  [0x476]: 'STM32U5Fx/5Gx',
  [0x481]: 'STM32U59x/5Ax',
  [0x482]: 'STM32U57x/58x',
  [0x484]: 'STM32H56x/57x',
  [0x485]: 'STM32H7Rx/7Sx',
  [0x489]: 'STM32U073/083',
  [0x492]: 'STM32WBA5x',
  [0x493]: 'STM32C071',
  [0x496]: 'STM32WB3x',
  [0x4b0]: 'STM32WBA6x',
  [0x4b2]: 'STM32WBA2x',
};
const listDate = '2026-08-22';

/** Returns the name for a product ID; null for one that is in no list. */
export const stmNameOf = (productId: number): string | null =>
  partOf(productId)?.name ?? furtherParts[productId] ?? null;

/** Says for a part without a known flash layout what is known of it: `STM32C03x (0x453)`. */
export function unknownStmText(productId: number): string {
  const name = stmNameOf(productId);
  const id = hexNumber(productId, 3);
  return name === null ? `an STM32 with the product ID ${id} (${notListed(listDate)})` : `${name} (${id})`;
}

export function partOf(productId: number): StmPart | null {
  return stmParts.find((part) => part.productId === productId) ?? null;
}

/** Returns the family's properties with the part's differences applied. */
export function factsOf({ family, differs }: Pick<StmPart, 'family' | 'differs'>): StmFamily {
  return { ...stmFamilies[family], ...differs };
}
