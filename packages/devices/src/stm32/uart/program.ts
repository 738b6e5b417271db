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
  type Leaving,
  type ProgramContext,
  receive,
} from './dialogue.ts';
import { erase, extendedErase } from './erase-commands.ts';
import { getChecksum, go, readMemory, writeMemory } from './memory-commands.ts';
import { readoutProtect, readoutUnprotect, writeProtect, writeUnprotect } from './protection-commands.ts';

/** Protocol version with Get Checksum (section 4, Table 3). */
const checksumProtocol = 0x33;

/** Answer after the bootloader has measured the host's rate. */
export const synchronised = answerOf('sync', true);

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
