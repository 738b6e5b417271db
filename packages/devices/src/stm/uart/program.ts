/**
 * The UART bootloader according to AN3155 "USART protocol used in the STM32 bootloader". This file receives commands
 * and implements the ones that identify the part. Commands for memory and protection are in the files beside it.
 */
import {
  ack,
  answer,
  answerOf,
  type Command,
  type Dialogue,
  halfWord,
  hasSum,
  type Leaving,
  type ProgramContext,
  receive,
} from './dialogue.ts';
import { getChecksum, go, readMemory, writeMemory } from './memory-commands.ts';
import { readoutProtect, readoutUnprotect, writeProtect, writeUnprotect } from './protection-commands.ts';

/** Protocol version with Get Checksum (section 4, Table 3). */
const checksumProtocol = 0x33;

/** Answer after the bootloader has measured the host's rate. */
export const synchronised = answerOf('sync', true);

/** Erase and Extended Erase: AN3155, sections 3.7 and 3.8. Page numbers that do not exist are refused. */

/** Page counts from here on are special codes. */
const firstSpecial = 0xfff0;
const everything = 0xffff;
const banks: ReadonlyMap<number, 1 | 2> = new Map([
  [0xfffe, 1],
  [0xfffd, 2],
]);

/** Section 3.7: page numbers of one byte. 0xff followed by 0x00 means all pages. */
function* erase({ chip, now }: ProgramContext): Dialogue<null> {
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
function* extendedErase({ chip, now }: ProgramContext): Dialogue<null> {
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

/** Commands in the order in which Get lists them (section 3, Table 2). */
const commands: readonly (readonly [code: number, command: Command])[] = [
  [0x00, get],
  [0x01, getVersion],
  [0x02, getId],
  [0x11, readMemory],
  [0x21, go],
  [0x31, writeMemory],
  [0x43, erase],
  [0x44, extendedErase],
  [0x63, writeProtect],
  [0x73, writeUnprotect],
  [0x82, readoutProtect],
  [0x92, readoutUnprotect],
  [0xa1, getChecksum],
];

export function* bootloaderProgram(context: ProgramContext): Dialogue<Leaving> {
  const known = new Map(commandsOf(context));
  for (;;) {
    const { bytes, intact } = yield* receive(2);
    const [code = 0, complement] = bytes;
    const command = intact && complement === (code ^ 0xff) ? known.get(code) : undefined;
    if (command === undefined) {
      yield* answer(null, false);
      continue;
    }
    context.count(code);
    const leaving = yield* command(context);
    if (leaving !== null) {
      return leaving;
    }
  }
}

/** Returns the commands of a part, which has only one of the two erase commands. */
function commandsOf({ chip: { part }, checksum }: ProgramContext) {
  const missing = [part.eraseCommand === 0x43 ? 0x44 : 0x43, ...(checksum ? [] : [0xa1])];
  return commands.filter(([code]) => !missing.includes(code));
}

function versionOf({ chip: { part }, checksum }: ProgramContext): number {
  return checksum ? checksumProtocol : part.protocol;
}

/** Section 3.1. */
function* get(context: ProgramContext): Dialogue<null> {
  const codes = commandsOf(context).map(([code]) => code);
  yield* answer('get', true, { data: () => [codes.length, versionOf(context), ...codes, ack] });
  return null;
}

/** Section 3.2. The two bytes of 0 exist for compatibility. */
function* getVersion(context: ProgramContext): Dialogue<null> {
  yield* answer('get-version', true, { data: () => [versionOf(context), 0, 0, ack] });
  return null;
}

/** Section 3.3. */
function* getId({ chip: { part } }: ProgramContext): Dialogue<null> {
  yield* answer('get-id', true, { data: () => [1, part.productId >> 8, part.productId & 0xff, ack] });
  return null;
}
