/** Erase and Extended Erase: AN3155, sections 3.7 and 3.8. Page numbers that do not exist are refused. */
import { answer, type Dialogue, halfWord, hasSum, type ProgramContext, receive } from './dialogue.ts';

/** Page counts from here on are special codes. */
const firstSpecial = 0xfff0;
const everything = 0xffff;
const banks: ReadonlyMap<number, 1 | 2> = new Map([
  [0xfffe, 1],
  [0xfffd, 2],
]);

/** Section 3.7: page numbers of one byte. 0xff followed by 0x00 means all pages. */
export function* erase({ chip, now }: ProgramContext): Dialogue<null> {
  if (!(yield* answer('erase-command', chip.protection === 0))) {
    return null;
  }
  const first = yield* receive(1);
  const count = (first.bytes[0] ?? 0) + 1;
  if (count === 0x100) {
    const second = yield* receive(1);
    // Any other second byte is acknowledged without erasing (note at Figure 15).
    const work = () => (second.bytes[0] === 0x00 ? chip.massErase(now()) : { end: now(), ok: true });
    yield* answer('erase-pages', first.intact && second.intact, { work });
    return null;
  }
  const rest = yield* receive(count + 1);
  const pages = Array.from(rest.bytes.subarray(0, count));
  const exist = pages.every((page) => page < chip.sectors.length);
  yield* answer('erase-pages', hasSum(first, rest) && exist, { work: () => chip.eraseSectors(now(), pages) });
  return null;
}

/** Section 3.8: page numbers of two bytes. */
export function* extendedErase({ chip, now }: ProgramContext): Dialogue<null> {
  if (!(yield* answer('erase-command', chip.protection === 0))) {
    return null;
  }
  const first = yield* receive(2);
  const number = halfWord(first.bytes, 0);
  if (number >= firstSpecial) {
    const sum = yield* receive(1);
    const bank = banks.get(number) ?? null;
    const exists = number === everything ? chip.part.massErase : bank !== null && chip.part.flash.banks === 2;
    yield* answer('erase-pages', hasSum(first, sum) && exists, { work: () => chip.massErase(now(), bank) });
    return null;
  }
  const rest = yield* receive((number + 1) * 2 + 1);
  const pages = Array.from({ length: number + 1 }, (_, index) => halfWord(rest.bytes, index * 2));
  const exist = pages.length <= chip.sectors.length && pages.every((page) => page < chip.sectors.length);
  yield* answer('erase-pages', hasSum(first, rest) && exist, { work: () => chip.eraseSectors(now(), pages) });
  return null;
}
