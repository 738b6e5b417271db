/**
 * The name of an alternate setting, which says what memory it is and how that is cut (ST UM0424, "DFU mode interface descriptor":
 * `@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg`). Several stretches may follow each other, each with its address.
 */
import { hexText } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';

export interface LayoutSector extends FlashRange {
  readonly readable: boolean;
  readonly erasable: boolean;
  readonly writable: boolean;
}

export interface MemoryLayout {
  /** `Internal Flash`. */
  readonly name: string;
  /** In the order in which they are there. */
  readonly sectors: readonly LayoutSector[];
}

/** Of a sector's size: none or B for bytes. */
const multipliers: Readonly<Record<string, number>> = { '': 1, ' ': 1, B: 1, K: 1_024, M: 1_048_576 };
/** A memory of that many sectors is none: a name says a million as easily as four. */
const MAXIMUM_SECTORS = 65_536;

const addressPattern = /\s*\/\s*0x([\da-f]{1,8})\s*\//iy;
const groupPattern = /\s*(\d+)\s*\*\s*(\d+)\s*([ BKMkm]?)\s*([a-g])/y;
const commaPattern = /\s*,/y;

/**
 * Reads as far as the text is a layout. Bootloaders send stray characters behind it (an STM32F429 whose string descriptor is longer than
 * its text): these are ignored.
 *
 * @returns null for a name without a single whole group of sectors.
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

  /** Takes what matches at the current place; null leaves the place as it is. @param pattern sticky */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    this.#at = match === null ? this.#at : pattern.lastIndex;
    return match;
  }
}

/** Adds the groups behind an address. @returns false at one that no memory has: what follows it would be at a wrong address. */
function addStretch(sectors: LayoutSector[], start: number, scanner: Scanner): boolean {
  let offset = start;
  for (let match = scanner.take(groupPattern); match !== null; match = scanner.take(groupPattern)) {
    const [, count = '', size = '', multiplier = '', letter = ''] = match;
    const length = Number(size) * (multipliers[multiplier.toUpperCase()] ?? 0);
    const end = offset + Number(count) * length;
    if (length === 0 || sectors.length + Number(count) > MAXIMUM_SECTORS || end > 2 ** 32) {
      return false;
    }
    // UM0424: a is readable, b erasable, d writable; the letters between are their sums.
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

/** The same memory as a name, with equal neighbours counted together. */
export function formatMemoryLayout({ name, sectors }: MemoryLayout): string {
  let text = `@${name} `;
  let end = -1;
  for (let index = 0; index < sectors.length; ) {
    const first = sectors[index];
    if (first === undefined) {
      break;
    }
    let count = 1;
    while (count < 99 && follows(sectors[index + count - 1], sectors[index + count])) {
      count++;
    }
    text += first.offset === end ? ',' : `/${hexText(first.offset, 8)}/`;
    text += `${String(count).padStart(2, '0')}*${sizeText(first.length)}${letterOf(first)}`;
    end = first.offset + count * first.length;
    index += count;
  }
  return text;
}

function follows(one: LayoutSector | undefined, next: LayoutSector | undefined): boolean {
  return (
    one !== undefined &&
    next !== undefined &&
    next.offset === one.offset + one.length &&
    next.length === one.length &&
    letterOf(next) === letterOf(one)
  );
}

function sizeText(length: number): string {
  const [value, unit] =
    length % 1_048_576 === 0 ? [length / 1_048_576, 'M'] : length % 1_024 === 0 ? [length / 1_024, 'K'] : [length, ' '];
  return `${String(value).padStart(3, '0')}${unit}`;
}

function letterOf({ readable, erasable, writable }: LayoutSector): string {
  return String.fromCharCode(0x60 + (readable ? 1 : 0) + (erasable ? 2 : 0) + (writable ? 4 : 0));
}
