/**
 * Gets a bootloader to answer on the UART. It measures the rate from the first byte, then its answer to Get
 * identifies it. Also resynchronises with it after a fault.
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
/** Sync bytes while a person still presses the buttons, about five seconds. */
const MANUAL_TRIES = 40;
const RESETS = 2;
/** Requests after which resynchronising fails. */
const STEP_TRIES = 16;
/** Pairs of bytes per try for a bootloader that waits for the rest of a block. */
const FILLING = 48;
/** Longest answer to Get in bytes (version and codes), with a margin. */
const MAXIMUM_GET = 32;

type OnStep = (step: 'resetting' | 'synchronising') => void;

/**
 * Brings the part into its bootloader and reads its version and commands.
 *
 * @throws StmError `no-answer`, or `in-application` if other bytes arrived.
 * @throws PortError, or the reason of the signal.
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
 * Sends sync bytes until the bootloader answers Get (AN3155 section 1). The first byte is acknowledged. A bootloader
 * that is already synchronised takes two of them as an unknown command and refuses it. An acknowledgement alone
 * proves nothing, because 0x79 is the letter y.
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
 * Resynchronises with a bootloader that may be anywhere within a command, by sending Get until it answers correctly.
 * Its two bytes, 00 FF, are harmless as any part of a command. Other clients send FF 00, which erases everything if
 * Erase waits for its pages (section 3.7).
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
      // After a lost or extra byte, the bootloader reads the pairs shifted by one. Another byte corrects that.
      link.send(request.subarray(0, 1));
    }
    const reply = await link.exchange(request, deadlines.sync, signal);
    if (reply === 'ack') {
      const facts = await takeGet(link, signal);
      if (facts !== null) {
        // The bootloader may answer several times, because several Get requests were sent as filling.
        await link.quiet(signal);
        return facts;
      }
    } else if (reply === 'late') {
      link.send(filling(request));
    }
  }
  return null;
}

/** Reads the rest of the answer to Get (section 3.1): count minus one, version, codes, acknowledgement. */
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
