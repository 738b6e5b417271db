/**
 * Positions of the eFuse fields of a chip. Names, positions and protection bits are facts of the Technical Reference
 * Manuals (chapter "eFuse Controller") and of esptool's `efuse_defs`. The words are only ever read.
 */

/** A block of eFuses as its read registers show it. */
export interface EfuseBlock {
  readonly name: string;
  /** Offset of the first read register from the base. */
  readonly offset: number;
  /** Number of 32-bit words. */
  readonly words: number;
  /** Bits of RD_DIS that hide the block: one for the whole, or one for each equal part. Empty: always readable. */
  readonly readProtection: readonly number[];
}

/** Headings of a summary, in the order in which it shows them. */
export const efuseGroups = [
  'calibration',
  'config',
  'flash',
  'identity',
  'jtag',
  'MAC',
  'security',
  'spi pad',
  'usb',
  'vdd',
  'wdt',
] as const;
export type EfuseGroup = (typeof efuseGroups)[number];

/**
 * Boards that have a field. `calibrated`: those with calibration data. `custom-mac`: ESP32 with a MAC in block 3.
 * `until-1.1`: chip revisions up to 1.1.
 */
type EfusePresence = 'always' | 'calibrated' | 'custom-mac' | 'until-1.1';

interface FieldHead {
  readonly name: string;
  readonly group: EfuseGroup;
}

/** A field at a fixed position. */
export interface PlacedField extends FieldHead {
  readonly kind: 'placed';
  readonly block: number;
  /** Lowest bit, counted from bit 0 of the first word of the block. */
  readonly bit: number;
  /** In bits. */
  readonly length: number;
  readonly isBytes: boolean;
  /** Bit of WR_DIS that makes the field read-only; null: none. */
  readonly writeProtection: number | null;
  /** Bits of RD_DIS that hide the field. */
  readonly readProtection: readonly number[];
  readonly presence: EfusePresence;
}

/** A number that is spread over several fields, lowest first. */
export interface CombinedField extends FieldHead {
  readonly kind: 'combined';
  readonly parts: readonly string[];
}

export type EfuseField = PlacedField | CombinedField;

/** Registers in which the controller counts coding errors, as offsets from the base. */
export type EfuseErrors =
  /** ESP8266: its bits are not coded. */
  | { readonly kind: 'none' }
  /** ESP32: one register, whose lower twelve bits are set for errors of the 3/4 coding. */
  | { readonly kind: 'decoder'; readonly register: number }
  | {
      readonly kind: 'blocks';
      /** Copy of block 0 in which a set bit marks a bit whose backups disagree. */
      readonly repeat: number;
      readonly repeatWords: number;
      /** Four bits for each block from block 1 on: three count errors, the fourth reports a failure. */
      readonly blocks: number;
      readonly blockWords: number;
      /** True: the failure bit of a block is in the nibble of the following block (ESP32-C3). */
      readonly failsOneLater?: true;
    };

export interface EfuseLayout {
  /** Address of the controller's registers. */
  readonly base: number;
  readonly blocks: readonly EfuseBlock[];
  readonly errors: EfuseErrors;
  /** Sign that the calibration fields hold data. `from`: block version as major × 100 + minor. */
  readonly calibrated:
    | { readonly kind: 'block-version'; readonly from: number }
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'never' };
  /** Names of the purposes of key blocks. */
  readonly purposes: Readonly<Record<number, string>>;
  /** True: other purposes are free for programs, and not forbidden. */
  readonly hasCustomPurposes?: true;
  /** Names of the values of a field. */
  readonly values: Readonly<Record<string, Readonly<Record<number, string>>>>;
  readonly fields: readonly EfuseField[];
}

/** Blocks of the ESP32. With the 3/4 coding, the first six words of blocks 1 to 3 hold the data. */
export const esp32Blocks: readonly EfuseBlock[] = [
  { name: 'BLOCK0', offset: 0x00, words: 7, readProtection: [] },
  { name: 'BLOCK1', offset: 0x38, words: 8, readProtection: [0] },
  { name: 'BLOCK2', offset: 0x58, words: 8, readProtection: [1] },
  { name: 'BLOCK3', offset: 0x78, words: 8, readProtection: [2] },
];

/** Blocks of the ESP32-C2, whose only key block is hidden in two halves. */
export const esp32c2Blocks: readonly EfuseBlock[] = [
  { name: 'BLOCK0', offset: 0x2c, words: 2, readProtection: [] },
  { name: 'BLOCK1', offset: 0x34, words: 3, readProtection: [] },
  { name: 'BLOCK2', offset: 0x40, words: 8, readProtection: [] },
  { name: 'BLOCK_KEY0', offset: 0x60, words: 8, readProtection: [0, 1] },
];

/** Blocks of all other chips: six words each in blocks 0 and 1, then nine blocks of eight words. */
export const laterBlocks: readonly EfuseBlock[] = [
  { name: 'BLOCK0', offset: 0x2c, words: 6, readProtection: [] },
  { name: 'MAC_SPI_8M_0', offset: 0x44, words: 6, readProtection: [] },
  { name: 'BLOCK_SYS_DATA', offset: 0x5c, words: 8, readProtection: [] },
  { name: 'BLOCK_USR_DATA', offset: 0x7c, words: 8, readProtection: [] },
  ...[0, 1, 2, 3, 4, 5].map((key) => ({
    name: `BLOCK_KEY${key}`,
    offset: 0x9c + key * 0x20,
    words: 8,
    readProtection: [key],
  })),
  { name: 'BLOCK_SYS_DATA2', offset: 0x15c, words: 8, readProtection: [6] },
];

/**
 * Reads a table of fields. A line `[group]` begins a group. Each other line is a field: name, block, lowest bit and
 * length in bits, then `w` with the bit of WR_DIS, `r` with the bits of RD_DIS, `bytes`, and the presence. A line
 * with `=` lists the fields that a number is spread over, lowest first.
 *
 * @throws Error for a line of another form, which is a fault of the table.
 */
export function fieldsOf(table: string): EfuseField[] {
  const fields: EfuseField[] = [];
  let group: EfuseGroup = 'config';
  for (const line of table.split('\n').filter((text) => text !== '')) {
    const heading = /^\[(.+)\]$/.exec(line)?.[1];
    if (heading === undefined) {
      fields.push(fieldOf(line, group));
    } else {
      group = efuseGroups.find((one) => one === heading) ?? group;
    }
  }
  return fields;
}

const placed = /^(\w+) (\d+) (\d+) (\d+)(?: w(\d+))?(?: r([\d,]+))?( bytes)?(?: (calibrated|custom-mac|until-1\.1))?$/;

function fieldOf(line: string, group: EfuseGroup): EfuseField {
  const [left = '', right] = line.split(' = ');
  if (right !== undefined) {
    return { kind: 'combined', name: left, group, parts: right.split(' ') };
  }
  const parts = placed.exec(line);
  if (parts === null) {
    throw new Error(`This line describes no field: ${line}`);
  }
  const [, name = '', block, bit, length, write, read, bytes, presence] = parts;
  return {
    kind: 'placed',
    name,
    group,
    block: Number(block),
    bit: Number(bit),
    length: Number(length),
    isBytes: bytes !== undefined,
    writeProtection: write === undefined ? null : Number(write),
    readProtection: read === undefined ? [] : read.split(',').map(Number),
    presence: (presence as EfusePresence | undefined) ?? 'always',
  };
}
