/**
 * Binary info: what a program says of itself (pico-sdk, `pico/binary_info/defs.h` and `structure.h`). A marker near the
 * start of the program leads to a list of addresses of entries. Addresses are those at run time.
 */
import { viewOf } from '../../core/bytes.ts';
import { pinFunctionName } from './pin-functions.ts';
import { MappedMemory, type Mapping, type ReadableMemory, wordAt } from './program-memory.ts';
import type { RpChip } from './rp-firmware.ts';
import { flashStart } from './rp-firmware.ts';

const MARKER_START = 0x7188_ebf2;
const MARKER_END = 0xe71a_a390;
/** Bytes from the start of the program, or from the end of an RP2040's second stage, in which the marker lies. */
const searchedBytes = { rp2040: 256, others: 1_024 } as const;
const SECOND_STAGE = 256;
/** Most stretches that start-up code copies, and most entries. Programs have two or three, and up to a hundred. */
const MAX_MAPPINGS = 10;
const MAX_ENTRIES = 1_024;
/** Longest text, in bytes, as picotool reads it. */
const MAX_TEXT = 512;

/** Types of entries. */
const entryType = {
  list: 3,
  idAndInt: 5,
  idAndText: 6,
  blockDevice: 7,
  pinsWithFunction: 8,
  pinsWithName: 9,
  namedGroup: 10,
  namedInt: 11,
  namedText: 12,
  pins64WithFunction: 13,
  pins64WithName: 14,
} as const;

/** Text as bytes up to the first NUL, not yet safe for a screen. */
type RawText = Uint8Array;

export type InfoEntry =
  | { readonly kind: 'int'; readonly tag: number; readonly id: number; readonly value: number }
  | { readonly kind: 'text'; readonly tag: number; readonly id: number; readonly value: RawText }
  | {
      readonly kind: 'variable';
      readonly tag: number;
      readonly id: number;
      readonly label: RawText;
      readonly value: number | RawText;
    }
  | {
      readonly kind: 'group';
      readonly parentTag: number;
      readonly parentId: number;
      readonly tag: number;
      readonly id: number;
      readonly label: RawText;
      readonly flags: number;
    }
  | {
      readonly kind: 'drive';
      readonly name: RawText;
      readonly address: number;
      readonly size: number;
      readonly flags: number;
    }
  /** `pin`: number of the GPIO. */
  | { readonly kind: 'pin'; readonly pin: number; readonly label: string | RawText };

export interface BinaryInfo {
  readonly entries: readonly InfoEntry[];
  /** Address that an entry names although it is not in the file; null if all are there. */
  readonly outside: number | null;
}

/**
 * Reads binary info.
 *
 * @param memory Memory at the addresses after the boot ROM has loaded the program.
 * @param start Address at which the program starts.
 * @param chip Null: the file does not say which.
 * @returns null for a program without any.
 */
export function readBinaryInfo(memory: ReadableMemory, start: number, chip: RpChip | null): BinaryInfo | null {
  const header = findHeader(memory, start, chip);
  if (header === null) {
    return null;
  }
  const reader = new EntryReader(header.memory, chip);
  reader.readList(header.from, header.to);
  return { entries: reader.entries, outside: header.outside ?? reader.outside };
}

function findHeader(memory: ReadableMemory, start: number, chip: RpChip | null) {
  const isOld = chip === 'RP2040';
  const base = isOld && start === flashStart ? start + SECOND_STAGE : start;
  const view = viewOf(memory.readFilled(base, isOld ? searchedBytes.rp2040 : searchedBytes.others));
  for (let at = 0; at + 20 <= view.byteLength; at += 4) {
    const word = (index: number) => view.getUint32(at + 4 * index, true);
    const [from, to] = [word(1), word(2)];
    const isMarked = word(0) === MARKER_START && word(4) === MARKER_END;
    if (isMarked && to > from && from % 4 === 0 && to % 4 === 0 && memoryOf(from, chip) === memoryOf(to, chip)) {
      const { mappings, outside } = readMappings(memory, word(3));
      const missing = firstMissing(memory, from, to);
      return { from, to, memory: new MappedMemory(memory, mappings), outside: missing ?? outside };
    }
  }
  return null;
}

/** Returns the first address of the list that is not in the file; null if the file has the list. */
function firstMissing(memory: ReadableMemory, from: number, to: number): number | null {
  for (let at = from; at < to && at < from + 4 * MAX_ENTRIES; at += 4) {
    if (wordAt(memory, at) === null) {
      return at;
    }
  }
  return null;
}

/** Memories of the chips, ends inclusive as picotool compares them (datasheets, "Address map"). */
const memories: Readonly<Record<RpChip | 'any', readonly (readonly [string, number, number])[]>> = {
  RP2040: [
    ['banked', 0x2100_0000, 0x2104_0000],
    ['flash', flashStart, 0x1100_0000],
    ['ram', 0x2000_0000, 0x2004_2000],
    ['cache', 0x1500_0000, 0x1500_4000],
    ['rom', 0, 0x4000],
  ],
  RP2350: [
    ['flash', flashStart, 0x1200_0000],
    ['ram', 0x2000_0000, 0x2008_2000],
    ['cache', 0x13ff_c000, 0x1400_0000],
    ['rom', 0, 0x8000],
  ],
  any: [
    ['flash', flashStart, 0x1200_0000],
    ['ram', 0x2000_0000, 0x2008_2000],
    ['cache', 0x13ff_c000, 0x1500_4000],
    ['rom', 0, 0x100],
  ],
};

function memoryOf(address: number, chip: RpChip | null): string {
  return memories[chip ?? 'any'].find(([, from, to]) => address >= from && address <= to)?.[0] ?? '';
}

/** Reads the table of stretches that start-up code copies: stored address, then start and end at run time. */
function readMappings(memory: ReadableMemory, table: number) {
  const mappings: Mapping[] = [];
  for (let at = table; mappings.length < MAX_MAPPINGS && at < table + 12 * MAX_ENTRIES; at += 12) {
    const [stored, start, end] = [wordAt(memory, at), wordAt(memory, at + 4), wordAt(memory, at + 8)];
    if (stored === null || start === null || end === null) {
      return { mappings, outside: at };
    }
    if (stored === 0) {
      break;
    }
    if (end > start) {
      mappings.push({ start, end, stored });
    }
  }
  return { mappings, outside: null };
}

class EntryReader {
  readonly entries: InfoEntry[] = [];
  outside: number | null = null;
  readonly #memory: ReadableMemory;
  readonly #chip: RpChip | null;
  readonly #lists = new Set<number>();
  #left = MAX_ENTRIES;

  constructor(memory: ReadableMemory, chip: RpChip | null) {
    this.#memory = memory;
    this.#chip = chip;
  }

  readList(from: number, to: number): void {
    for (let at = from; at < to && this.#left > 0; at += 4) {
      const address = this.#word(at);
      if (address === null) {
        return;
      }
      this.#readEntry(address);
    }
  }

  /** Reads a list that a zero ends. Each list is read once: one that holds itself has no end. */
  #readInnerList(start: number): void {
    if (this.#lists.has(start)) {
      return;
    }
    this.#lists.add(start);
    for (let at = start; this.#left > 0; at += 4) {
      const address = this.#word(at);
      if (address === null || address === 0) {
        return;
      }
      this.#readEntry(address);
    }
  }

  #word(at: number): number | null {
    const word = wordAt(this.#memory, at);
    this.outside ??= word === null ? at : null;
    return word;
  }

  #readEntry(address: number): void {
    this.#left--;
    const type = this.#memory.read(address, 4);
    const view = type === null ? null : viewOf(type);
    const size = view === null ? null : (sizes[view.getUint16(0, true)] ?? 0);
    const bytes = size === null ? null : this.#memory.read(address, Math.max(size, 4));
    if (bytes === null) {
      this.outside ??= address;
      return;
    }
    this.#take(viewOf(bytes));
  }

  #take(view: DataView): void {
    const [type, tag] = [view.getUint16(0, true), view.getUint16(2, true)];
    const word = (at: number) => view.getUint32(at, true);
    switch (type) {
      case entryType.list:
        this.#readInnerList(word(4));
        break;
      case entryType.idAndInt:
        this.entries.push({ kind: 'int', tag, id: word(4), value: word(8) });
        break;
      case entryType.idAndText:
        this.entries.push({ kind: 'text', tag, id: word(4), value: this.#text(word(8)) });
        break;
      case entryType.namedInt:
        this.#takeNamedInt(tag, word(4), word(8), word(12));
        break;
      case entryType.namedText:
        this.entries.push({
          kind: 'variable',
          tag,
          id: word(4),
          label: this.#text(word(12)),
          value: this.#text(word(8)),
        });
        break;
      case entryType.blockDevice:
        this.entries.push({
          kind: 'drive',
          name: this.#text(word(4)),
          address: word(8),
          size: word(12),
          flags: view.getUint16(20, true),
        });
        break;
      case entryType.namedGroup:
        this.entries.push({
          kind: 'group',
          parentTag: tag,
          parentId: word(4),
          flags: view.getUint16(8, true),
          tag: view.getUint16(10, true),
          id: word(12),
          label: this.#text(word(16)),
        });
        break;
      case entryType.pinsWithFunction:
        this.#takeFunction(BigInt(word(4)), { first: 7, width: 5, most: 5 });
        break;
      case entryType.pins64WithFunction:
        this.#takeFunction(view.getBigUint64(4, true), { first: 8, width: 8, most: 7 });
        break;
      case entryType.pinsWithName:
        this.#takeNames(BigInt(word(4)), this.#text(word(8)));
        break;
      case entryType.pins64WithName:
        this.#takeNames(view.getBigUint64(4, true), this.#text(word(12)));
        break;
      default:
    }
  }

  #takeNamedInt(tag: number, id: number, address: number, label: number): void {
    const value = this.#word(address);
    if (value !== null) {
      this.entries.push({ kind: 'variable', tag, id, label: this.#text(label), value: value | 0 });
    }
  }

  /** Pins as a range, or as up to `most` numbers of `width` bits: the last one is repeated if there are fewer. */
  #takeFunction(encoding: bigint, { first, width, most }: { first: number; width: number; most: number }): void {
    const number = Number((encoding >> 3n) & 0xfn);
    const field = (index: number) => Number((encoding >> BigInt(first + index * width)) & ((1n << BigInt(width)) - 1n));
    const pins = new Set<number>();
    switch (Number(encoding & 7n)) {
      case 1:
        for (let pin = field(0); pin <= field(1); pin++) {
          pins.add(pin % 64);
        }
        break;
      case 2:
        for (let index = 0, last = -1; index < most && field(index) !== last; index++) {
          last = field(index);
          pins.add(last % 64);
        }
        break;
      default:
    }
    for (const pin of [...pins].sort((one, other) => one - other)) {
      const label = pinFunctionName(this.#chip, pin, number);
      if (label !== null) {
        this.entries.push({ kind: 'pin', pin, label });
      }
    }
  }

  /** One name for all pins, or a name for each pin with `|` between them. */
  #takeNames(mask: bigint, names: RawText): void {
    let rest = names;
    for (let pin = 0; pin < 64; pin++) {
      const end = rest.indexOf(0x7c);
      const label = end < 0 ? rest : rest.subarray(0, end);
      if (((mask >> BigInt(pin)) & 1n) === 1n && label.length > 0) {
        this.entries.push({ kind: 'pin', pin, label });
        rest = end < 0 ? rest : rest.subarray(end + 1);
      }
    }
  }

  #text(address: number): RawText {
    const bytes = this.#memory.readFilled(address, MAX_TEXT);
    const end = bytes.indexOf(0);
    return end < 0 ? bytes : bytes.subarray(0, end);
  }
}

/** Bytes of an entry by its type; 0 for a type without a fixed size. */
const sizes: Readonly<Record<number, number>> = {
  [entryType.list]: 8,
  [entryType.idAndInt]: 12,
  [entryType.idAndText]: 12,
  [entryType.blockDevice]: 22,
  [entryType.pinsWithFunction]: 8,
  [entryType.pinsWithName]: 12,
  [entryType.namedGroup]: 20,
  [entryType.namedInt]: 16,
  [entryType.namedText]: 20,
  [entryType.pins64WithFunction]: 12,
  [entryType.pins64WithName]: 16,
};
