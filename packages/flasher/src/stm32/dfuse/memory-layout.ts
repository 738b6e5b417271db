/**
 * Parses the name of an alternate setting, which describes a memory and its sectors (ST UM0424, "DFU mode interface
 * descriptor": `@Internal Flash /0x08000000/04*016Kg,01*064Kg,07*128Kg`). A name may list several stretches with
 * their own addresses.
 */
import type { FlashRange } from '../../core/region.ts';

export interface LayoutSector extends FlashRange {
  readonly readable: boolean;
  readonly erasable: boolean;
  readonly writable: boolean;
}

export interface MemoryLayout {
  /** For example `Internal Flash`. */
  readonly name: string;
  /** In the order of the name. */
  readonly sectors: readonly LayoutSector[];
}

/** Letter after a sector's size → its multiplier. Nothing or B means bytes. */
const multipliers: Readonly<Record<string, number>> = { '': 1, ' ': 1, B: 1, K: 1_024, M: 1_048_576 };
/** Most sectors of a memory. A damaged name may state far more. */
const MAXIMUM_SECTORS = 65_536;

const addressPattern = /\s*\/\s*0x([\da-f]{1,8})\s*\//iy;
const groupPattern = /\s*(\d+)\s*\*\s*(\d+)\s*([ BKMkm]?)\s*([a-g])/y;
const commaPattern = /\s*,/y;

/**
 * Parses the text as far as it is a layout. Trailing stray characters are ignored: the string descriptor of an
 * STM32F429 is longer than its text.
 *
 * @returns null for a name without a complete group of sectors.
 */
export function parseMemoryLayout(text: string): MemoryLayout | null {
  const start = text.search(/\/\s*0x[\da-f]/i);
  if (!text.startsWith('@') || start < 0) {
    return null;
  }
  const sectors: LayoutSector[] = [];
  const scanner = new Scanner(text, start);
  for (let match = scanner.take(addressPattern); match !== null; match = scanner.take(addressPattern)) {
    if (!addStretch(sectors, Number.parseInt(match[1] ?? '', 16), scanner)) {
      break;
    }
  }
  return sectors.length === 0 ? null : { name: text.slice(1, start).trim(), sectors };
}

class Scanner {
  readonly #text: string;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  /**
   * Matches a pattern at the current position, which advances only on success.
   *
   * @param pattern Sticky.
   */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    this.#at = match === null ? this.#at : pattern.lastIndex;
    return match;
  }
}

/**
 * Adds the groups after an address.
 *
 * @returns false for an impossible group, because everything after it would have a wrong address.
 */
function addStretch(sectors: LayoutSector[], start: number, scanner: Scanner): boolean {
  let offset = start;
  for (let match = scanner.take(groupPattern); match !== null; match = scanner.take(groupPattern)) {
    const [, count = '', size = '', multiplier = '', letter = ''] = match;
    const length = Number(size) * (multipliers[multiplier.toUpperCase()] ?? 0);
    const end = offset + Number(count) * length;
    if (length === 0 || sectors.length + Number(count) > MAXIMUM_SECTORS || end > 2 ** 32) {
      return false;
    }
    // UM0424: a is readable, b erasable, d writable; the letters between are combinations.
    const flags = letter.charCodeAt(0) - 0x60;
    const access = { readable: (flags & 1) !== 0, erasable: (flags & 2) !== 0, writable: (flags & 4) !== 0 };
    for (; offset < end; offset += length) {
      sectors.push({ offset, length, ...access });
    }
    if (scanner.take(commaPattern) === null) {
      break;
    }
  }
  return true;
}
