/**
 * Reads the build attributes of ARM programs, `.ARM.attributes` (Addenda to, and Errata in, the ABI for the Arm
 * Architecture, IHI 0045, chapters 2 and 3).
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';

const FORMAT_VERSION = 0x41;
const VENDOR = 'aeabi';
const TAG_FILE = 1;
const TAG_FP_ARCH = 10;
/**
 * Tags with a text as their value: names of the processor, and odd numbers from 32 on. `compatibility` has a number
 * and a text.
 */
const [TAG_CPU_RAW_NAME, TAG_CPU_NAME, TAG_COMPATIBILITY] = [4, 5, 32];
const hasText = (tag: number) => tag === TAG_CPU_RAW_NAME || tag === TAG_CPU_NAME || (tag > 32 && tag % 2 === 1);

/**
 * Returns whether a program may use floating-point instructions: Tag_FP_arch of the whole file.
 *
 * @returns False for a program that may not, where the tag is absent or 0. Null for attributes of another form.
 * @throws RangeError if the section ends too early.
 */
export function mayUseFloatingPoint(section: Uint8Array): boolean | null {
  const cursor = new ByteCursor(section, true);
  if (cursor.u8() !== FORMAT_VERSION) {
    return null;
  }
  while (!cursor.atEnd) {
    const start = cursor.position;
    const end = start + cursor.u32();
    const vendor = stringAt(section, cursor.position);
    cursor.advance(vendor.length + 1);
    if (vendor === VENDOR && cursor.u8() === TAG_FILE) {
      cursor.advance(4);
      return numberOf(cursor, Math.min(end, section.length), TAG_FP_ARCH) !== 0;
    }
    if (end <= start) {
      return null;
    }
    cursor.position = end;
  }
  return null;
}

function numberOf(cursor: ByteCursor, end: number, wanted: number): number {
  while (cursor.position < end) {
    const tag = cursor.uleb();
    if (tag === TAG_COMPATIBILITY) {
      cursor.uleb();
    }
    if (tag === TAG_COMPATIBILITY || hasText(tag)) {
      cursor.advance(stringAt(cursor.bytes, cursor.position).length + 1);
    } else {
      const value = cursor.uleb();
      if (tag === wanted) {
        return value;
      }
    }
  }
  return 0;
}
