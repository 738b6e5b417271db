/**
 * The name of an alternate setting, which says what memory it is and how that is cut (ST UM0424, "DFU mode interface descriptor":
 * `@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg`). Several stretches may follow each other, each with its address.
 */
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

const stretchPattern = /\/\s*0x([\da-f]{1,8})\s*\/([^/]*)/giy;
const groupPattern = /^\s*(\d+)\s*\*\s*(\d+)\s*([ BKM]?)\s*([a-g])\s*$/;

/** Null for a name that is no such layout. */
export function parseMemoryLayout(text: string): MemoryLayout | null {
  const slash = text.indexOf('/');
  if (!text.startsWith('@') || slash < 0) {
    return null;
  }
  const sectors: LayoutSector[] = [];
  const rest = text.slice(slash);
  let read = 0;
  for (const match of rest.matchAll(stretchPattern)) {
    const [whole, address = '', groups = ''] = match;
    if (!addStretch(sectors, Number.parseInt(address, 16), groups)) {
      return null;
    }
    read += whole.length;
  }
  return read < rest.trimEnd().length || sectors.length === 0 ? null : { name: text.slice(1, slash).trim(), sectors };
}

function addStretch(sectors: LayoutSector[], start: number, groups: string): boolean {
  let offset = start;
  for (const group of groups.trim().replace(/,$/, '').split(',')) {
    const match = groupPattern.exec(group);
    const [, count = '', size = '', multiplier = '', letter = ''] = match ?? [];
    const length = Number(size) * (multipliers[multiplier] ?? 0);
    if (match === null || length === 0 || sectors.length + Number(count) > MAXIMUM_SECTORS) {
      return false;
    }
    // UM0424: a is readable, b erasable, d writable; the letters between are their sums.
    const flags = letter.charCodeAt(0) - 0x60;
    const access = { readable: (flags & 1) !== 0, erasable: (flags & 2) !== 0, writable: (flags & 4) !== 0 };
    for (let index = 0; index < Number(count); index++, offset += length) {
      sectors.push({ offset, length, ...access });
    }
  }
  return offset <= 2 ** 32;
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
    text += first.offset === end ? ',' : `/0x${first.offset.toString(16).toUpperCase().padStart(8, '0')}/`;
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
