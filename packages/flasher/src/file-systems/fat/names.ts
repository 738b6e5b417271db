/**
 * Names in a FAT folder: the short one of eight and three characters, and the long one in UTF-16 in slots in front of it
 * (Microsoft, "FAT: General Overview of On-Disk Format", 1.03, "FAT Long Directory Entries").
 */
import { FileSystemError } from '../file-system-error.ts';
import { slotLength } from './boot-sector.ts';

/** Upper half of code page 437, the usual one of ESP-IDF. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

export const shortLength = 11;
/** UTF-16 units of a long name. */
export const longestName = 255;
const unitsPerSlot = 13;
/** Positions of the units in a slot. */
const unitsAt = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30];
const lastSlotMark = 0x40;
export const longNameAttributes = 0x0f;

const usableShort = /^[A-Z0-9$%'\-_@~`!(){}^#&]{1,8}(?:\.[A-Z0-9$%'\-_@~`!(){}^#&]{1,3})?$/;

/** @throws FileSystemError with `name-not-fat` or `name-too-long`. */
export function checkName(name: string, path: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: FAT forbids control characters.
  if (/["*/:<>?\\|\0-\x1f\x7f]/.test(name) || /[. ]$/.test(name) || /^ /.test(name)) {
    throw new FileSystemError('name-not-fat', path);
  }
  if (name.length > longestName) {
    throw new FileSystemError('name-too-long', path);
  }
}

/** Returns false for bytes that are in no short name: control characters, and those that separate paths or stand for others. */
export function isShortName(short: Uint8Array): boolean {
  return (
    short[0] !== 0x20 &&
    short.every((byte, index) => (byte >= 0x20 || (index === 0 && byte === 0x05)) && !forbidden.has(byte))
  );
}

const forbidden: ReadonlySet<number> = new Set(Array.from('"*/:<>?\\|\x7f', (character) => character.charCodeAt(0)));

/** Names that differ only in upper and lower case are the same. */
export const foldCase = (name: string): string => name.toUpperCase();

/** @param lowerCase Bits of NT: 0x08 for the name, 0x10 for the extension. */
export function decodeShort(short: Uint8Array, lowerCase: number): string {
  const part = (from: number, to: number, isLower: boolean) => {
    const text = Array.from(short.subarray(from, to), (byte, index) =>
      // A first byte of 05 stands for E5, which marks an unused slot.
      characterOf(index === 0 && from === 0 && byte === 0x05 ? 0xe5 : byte),
    )
      .join('')
      .trimEnd();
    return isLower ? text.toLowerCase() : text;
  };
  const name = part(0, 8, (lowerCase & 0x08) !== 0);
  const extension = part(8, shortLength, (lowerCase & 0x10) !== 0);
  return extension === '' ? name : `${name}.${extension}`;
}

const characterOf = (byte: number) => (byte < 0x80 ? String.fromCharCode(byte) : (upperHalf[byte - 0x80] ?? '_'));

/** Checksum of the short name, which its long slots carry. */
function shortSum(short: Uint8Array): number {
  return short.reduce((sum, byte) => (((sum & 1) << 7) + (sum >> 1) + byte) & 0xff, 0);
}

/**
 * Returns the short name of eleven bytes for a new entry.
 *
 * @param isTaken Returns true for a short name of another entry in the folder.
 */
export function makeShort(name: string, isTaken: (short: string) => boolean): Uint8Array {
  const upper = foldCase(name);
  if (usableShort.test(upper)) {
    const short = pad(upper);
    if (!isTaken(short)) {
      return bytesOf(short);
    }
  }
  const dot = upper.lastIndexOf('.');
  const clean = (text: string) => text.replaceAll(/[ .]/g, '').replaceAll(/[^A-Z0-9$%'\-_@~`!(){}^#&]/g, '_');
  const base = clean(dot > 0 ? upper.slice(0, dot) : upper) || '_';
  const extension = dot > 0 ? clean(upper.slice(dot + 1)).slice(0, 3) : '';
  for (let number = 1; ; number++) {
    const tail = `~${number}`;
    const short = pad(`${base.slice(0, 8 - tail.length)}${tail}${extension === '' ? '' : `.${extension}`}`);
    if (!isTaken(short)) {
      return bytesOf(short);
    }
  }
}

function pad(name: string): string {
  const [base = '', extension = ''] = name.split('.');
  return base.padEnd(8) + extension.padEnd(3);
}

const bytesOf = (short: string) => Uint8Array.from(short, (character) => character.charCodeAt(0));

export const shortText = (short: Uint8Array): string => String.fromCharCode(...short);

/** Returns the slots in front of the short entry, in their order; empty for a name that its short name gives exactly. */
export function makeLongSlots(name: string, short: Uint8Array): Uint8Array[] {
  if (decodeShort(short, 0) === name) {
    return [];
  }
  const count = Math.ceil(name.length / unitsPerSlot);
  const sum = shortSum(short);
  const slots = Array.from({ length: count }, (_, index) => {
    const slot = new Uint8Array(slotLength);
    const view = new DataView(slot.buffer);
    slot[0] = (index + 1) | (index === count - 1 ? lastSlotMark : 0);
    slot[11] = longNameAttributes;
    slot[13] = sum;
    unitsAt.forEach((at, unit) => {
      const position = index * unitsPerSlot + unit;
      // One zero ends the name, then FFFF fills the slot.
      view.setUint16(
        at,
        position < name.length ? name.charCodeAt(position) : position === name.length ? 0 : 0xffff,
        true,
      );
    });
    return slot;
  });
  return slots.reverse();
}

/** Joins the slots of a long name. Slots come in the order of the folder: the last part first. */
export class LongName {
  #parts: string[] = [];
  #next = 0;
  #sum = -1;

  add(slot: Uint8Array): void {
    const order = slot[0] ?? 0;
    const number = order & 0x3f;
    if ((order & lastSlotMark) !== 0) {
      this.#parts = [];
      this.#sum = slot[13] ?? 0;
    } else if (number !== this.#next || slot[13] !== this.#sum) {
      this.clear();
      return;
    }
    this.#next = number - 1;
    const view = new DataView(slot.buffer, slot.byteOffset, slotLength);
    const units = unitsAt.map((at) => view.getUint16(at, true));
    const end = units.findIndex((unit) => unit === 0 || unit === 0xffff);
    this.#parts.unshift(String.fromCharCode(...units.slice(0, end < 0 ? unitsPerSlot : end)));
  }

  /** Returns the name if its slots are complete and belong to the short name; null otherwise. */
  take(short: Uint8Array): string | null {
    const isWhole = this.#parts.length > 0 && this.#next === 0 && this.#sum === shortSum(short);
    const name = isWhole ? this.#parts.join('') : null;
    this.clear();
    return name;
  }

  clear(): void {
    this.#parts = [];
    this.#sum = -1;
    this.#next = 0;
  }
}
