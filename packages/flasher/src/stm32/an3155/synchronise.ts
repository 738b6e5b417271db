/**
 * Getting a bootloader to answer on the UART: first to the byte from which it measures the rate, then to Get, which nothing but
 * a bootloader answers as it does. Also finds the way back into step after a fault.
 */
import type { Clock } from '@wirebench/clock';
import { deadlines } from '../deadlines.ts';
import type { StmEntry } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';
import { resetPart } from './entry.ts';
import { commandFrame, commands, syncByte } from './frames.ts';
import { type BootloaderFacts, parseGet } from './replies.ts';
import type { UartLink } from './uart-link.ts';

/** Sync bytes after one reset. */
const SYNC_TRIES = 4;
/** For somebody who is still at the buttons: some five seconds. */
const MANUAL_TRIES = 40;
const RESETS = 2;
/** Requests until a bootloader counts as out of step for good. */
const STEP_TRIES = 16;
/** What is given to a bootloader that waits for the rest of a block, a try, in pairs of bytes. */
const FILLING = 48;
/** Longest Get: version and codes, with room to spare. */
const MAXIMUM_GET = 32;

type OnStep = (step: 'resetting' | 'synchronising') => void;

/**
 * @throws StmError `no-answer`, or `in-application` when something else spoke; PortError; the signal's reason.
 */
export async function synchronise(
  clock: Clock,
  link: UartLink,
  entry: StmEntry,
  onStep: OnStep,
  signal: AbortSignal,
): Promise<BootloaderFacts> {
  const before = link.disturbances;
  const isManual = entry.kind === 'manual';
  for (let round = 0; round < (isManual ? 1 : RESETS); round++) {
    if (!isManual) {
      onStep('resetting');
      await resetPart(clock, link.port, entry, 'bootloader', signal);
    }
    onStep('synchronising');
    const facts = await sync(link, isManual ? MANUAL_TRIES : SYNC_TRIES, signal);
    if (facts !== null) {
      return facts;
    }
  }
  const heard = link.disturbances - before;
  if (heard > 0) {
    throw new StmError('in-application', {
      detail: `Received ${heard} bytes or line errors that no bootloader sends.`,
    });
  }
  throw new StmError('no-answer');
}

/**
 * Section 1 of AN3155: the first byte is acknowledged; one that was synchronised already takes two of them for a command that it
 * does not know, and refuses it. An acknowledgement alone proves nothing: 0x79 is the letter y.
 */
export async function sync(link: UartLink, tries: number, signal: AbortSignal): Promise<BootloaderFacts | null> {
  await link.quiet(signal);
  for (let attempt = 0; attempt < tries; attempt++) {
    const reply = await link.exchange(Uint8Array.of(syncByte), deadlines.sync, signal);
    if (reply !== 'late') {
      const facts = await findStep(link, signal, SYNC_TRIES);
      if (facts !== null) {
        return facts;
      }
    }
  }
  return null;
}

/**
 * Gets into step with a bootloader that may be anywhere in a command, by asking with Get until it answers as it should. Its two
 * bytes, 00 FF, are harmless as anything that it may be waiting for: FF 00, which other clients use, would erase everything
 * where Erase waits for its pages (section 3.7).
 */
export async function findStep(
  link: UartLink,
  signal: AbortSignal,
  tries: number = STEP_TRIES,
): Promise<BootloaderFacts | null> {
  const request = commandFrame(commands.get);
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt > 0) {
      await link.quiet(signal);
    }
    if (attempt % 2 === 1) {
      // Where one byte was lost or added, the pairs are taken apart wrongly: one more puts that right.
      link.send(request.subarray(0, 1));
    }
    const reply = await link.exchange(request, deadlines.sync, signal);
    if (reply === 'ack') {
      const facts = await takeGet(link, signal);
      if (facts !== null) {
        // Where requests were filled up with more of them, it may say so more than once.
        await link.quiet(signal);
        return facts;
      }
    } else if (reply === 'late') {
      link.send(filling(request));
    }
  }
  return null;
}

/** What follows the first acknowledgement of Get (section 3.1): count less one, version, codes, acknowledgement. */
async function takeGet(link: UartLink, signal: AbortSignal): Promise<BootloaderFacts | null> {
  const count = (await link.take(1, deadlines.sync, signal))?.[0];
  if (count === undefined || count < 2 || count > MAXIMUM_GET) {
    return null;
  }
  const bytes = await link.take(count + 1, deadlines.sync, signal);
  if (bytes === null || (await link.reply(deadlines.sync, signal)) !== 'ack') {
    return null;
  }
  const facts = parseGet(bytes);
  return facts.commands.has(commands.get) && facts.commands.has(commands.getId) ? facts : null;
}

function filling(pair: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: 2 * FILLING }, (_, index) => pair[index % 2] ?? 0);
}
