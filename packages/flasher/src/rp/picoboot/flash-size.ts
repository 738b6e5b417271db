/**
 * Finds the size of the flash by reading: behind its end the chip starts again at its beginning (RP2040 datasheet 2.8.5: the
 * ROM takes every address up to 16 MiB). Nothing is written.
 */
import { isBlank, isSame } from '../../core/bytes.ts';
import { flashStart } from '../files/index.ts';
import { addressableFlash, type FlashMemory, inFlight, pageSize } from './flash-memory.ts';

/** Sizes of flash chips beside these controllers, in bytes. */
const sizes = [0x4_0000, 0x8_0000, 0x10_0000, 0x20_0000, 0x40_0000, 0x80_0000] as const;
/** Places whose pages are compared first: the start of a program, and pages behind it. */
const samples = [0, 0x100, 0x400, 0x1000, 0x2000, 0x8000, 0x1_0000, 0x2_0000, 0x3_0000] as const;
/** Distance of the pages that are read where the samples are blank. */
const STRIDE = 0x1_0000;
const AHEAD = 4;

/**
 * Returns the size in bytes; null for a flash without contents, which looks the same everywhere. Contents that repeat make it too
 * small, never too large.
 *
 * @param known Offset of a page from the start of flash that is not blank; missing without one.
 */
export async function findFlashSize(memory: FlashMemory, signal: AbortSignal, known?: number): Promise<number | null> {
  const pages = new Map<number, Uint8Array>();
  const load = (offsets: readonly number[]) =>
    inFlight(
      offsets.filter((offset) => !pages.has(offset)),
      AHEAD,
      signal,
      (offset) => memory.read({ offset: flashStart + offset, length: pageSize }),
      (bytes, offset) => {
        pages.set(offset, bytes);
      },
    );
  await load(known === undefined ? samples : [...samples, known]);
  const marks = () => [...pages].filter(([, bytes]) => !isBlank(bytes)).map(([offset]) => offset);
  if (marks().length === 0) {
    await load(Array.from({ length: addressableFlash / STRIDE }, (_, index) => index * STRIDE));
  }
  const marked = marks();
  if (marked.length === 0) {
    return null;
  }
  for (const size of sizes) {
    const inside = marked.filter((offset) => offset + size < addressableFlash);
    await load(inside.map((offset) => offset + size));
    const repeats = inside.every((offset) => {
      const [one, other] = [pages.get(offset), pages.get(offset + size)];
      return one !== undefined && other !== undefined && isSame(one, other);
    });
    if (repeats && inside.length > 0) {
      return size;
    }
  }
  return addressableFlash;
}
