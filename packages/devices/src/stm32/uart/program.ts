/**
 * The UART bootloader as its document describes it: AN3155 "USART protocol used in the STM32 bootloader". This file takes commands
 * and answers those that ask who is there; what works on memory and protection is in the files beside it.
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

/** Section 4, Table 3: the version that has Get Checksum. */
const checksumProtocol = 0x33;

/** What the bootloader says when it has measured the host's rate. */
export const synchronised = answerOf('sync', true);

/** Section 3, Table 2, in the order in which Get lists them. */
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

/** A part has one of both erase commands. */
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

/** Section 3.2: two bytes of 0 for compatibility. */
function* getVersion(context: ProgramContext): Dialogue<null> {
  yield* answer('get-version', true, { data: () => [versionOf(context), 0, 0, ack] });
  return null;
}

/** Section 3.3. */
function* getId({ chip: { part } }: ProgramContext): Dialogue<null> {
  yield* answer('get-id', true, { data: () => [1, part.productId >> 8, part.productId & 0xff, ack] });
  return null;
}
