/**
 * Getting a board to answer: its bootloader is started by the control lines, or by a person, and asked with SYNC until it
 * answers. When it does not, what it printed says why. Knows no chip.
 */
import type { Clock } from '@wirebench/clock';
import { PortError } from '../../port-failure.ts';
import { deadlines } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import type { EspLink } from '../esp-info.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { ops, syncRequest } from '../protocol/commands.ts';
import { enterBootloader, letGo } from '../reset.ts';
import { diagnose, readBootLog } from './boot-log.ts';

/** Rate at which every ROM starts, or sets itself to. */
export const romBaudRate = 115_200;

/** Rate at which a ROM prints when it takes a crystal of 26 MHz for one of 40 (esptool, "Troubleshooting"). */
const slowBootRate = 74_880;

/** A chip is ready 12 to 15 ms after its reset; what it prints until then is over soon after, in milliseconds. */
const BOOT_LIMIT = 120;
/** SYNC requests after one reset; the first may be eaten by the measuring of the rate. */
const SYNC_TRIES = 5;
/** Before the first reset of a chip on USB, which may be in its bootloader already. */
const EARLY_TRIES = 2;
/** For one that is: a second, as a busy system may need it. */
const RETURNED_TRIES = 10;
/** For somebody who is still at the buttons: some six seconds. */
const BUTTON_TRIES = 60;
/** Requests at a rate at which an earlier connection may have left the board: what was heard at another rate may spoil the first. */
const LEFT_TRIES = 3;
/** The second one for boards with a slow EN. */
const resets = [{ patient: false }, { patient: true }, { patient: false }];
/** How long a board that does not answer is listened to once more, for its reason, in milliseconds. */
const LISTEN = 400;

/** What answers: a ROM echoes the start of SYNC as the value, a stub says 0. */
export type Speaker = 'rom' | 'stub';

/** The way to a board's bootloader. */
export interface Entry {
  readonly link: EspLink;
  /** A person does it: the control lines are let go of, and nothing else. */
  readonly buttons: boolean;
  /** The chip vanished at its reset and has come back as this port: it is in its bootloader. */
  readonly returned: boolean;
  /** Where a board that cannot be reset may have been left, in baud, the likeliest first. */
  readonly leftRates: readonly number[];
}

type OnStep = (step: 'resetting' | 'synchronising') => void;

/**
 * @param clock for the reset's steps.
 * @param link at `romBaudRate`.
 * @throws EspError with the best guess at why nothing answers; PortError; the signal's reason.
 */
export async function synchronise(
  clock: Clock,
  link: CommandLink,
  entry: Entry,
  onStep: OnStep,
  signal: AbortSignal,
): Promise<Speaker> {
  link.discard();
  link.forgetText();
  if (entry.buttons) {
    await letGo(link.port);
    onStep('synchronising');
    return (
      (await sync(link, signal, SYNC_TRIES)) ??
      (await syncWhereLeft(link, entry, signal)) ??
      (await sync(link, signal, BUTTON_TRIES)) ??
      fail(link)
    );
  }
  if (entry.link !== 'uart') {
    // A chip that has just come back as a new port would vanish again at a reset, and nobody would wait for it a second time.
    const speaker = await sync(link, signal, entry.returned ? RETURNED_TRIES : EARLY_TRIES);
    if (speaker !== null) {
      return speaker;
    }
  }
  for (const [round, { patient }] of resets.entries()) {
    onStep('resetting');
    await enterBootloader(clock, link.port, entry.link, patient, signal);
    onStep('synchronising');
    await link.listen(BOOT_LIMIT, signal, () => readBootLog(link.text).download);
    const speaker =
      (await sync(link, signal, SYNC_TRIES)) ?? (round === 0 ? await syncWhereLeft(link, entry, signal) : null);
    if (speaker !== null) {
      return speaker;
    }
  }
  await link.listen(LISTEN, signal);
  if (entry.link === 'uart' && diagnose(link.text) === 'garbage') {
    await listenSlowly(clock, link, entry, signal);
  }
  return fail(link);
}

/**
 * A board without reset lines that was let go of in its bootloader, or with its stub, still is there, at the rate that it had. It
 * says nothing at any other rate, and a chip that was reset would have printed something. Leaves the port at the rate at which the
 * board answered, else at `romBaudRate`.
 */
async function syncWhereLeft(
  link: CommandLink,
  { link: kind, buttons, leftRates }: Entry,
  signal: AbortSignal,
): Promise<Speaker | null> {
  if (kind !== 'uart' || link.text.trim() !== '') {
    return null;
  }
  for (const baudRate of [...leftRates, romBaudRate]) {
    if (!(await reopens(link, baudRate))) {
      continue;
    }
    link.discard();
    if (buttons) {
      await letGo(link.port);
    }
    const speaker = baudRate === romBaudRate ? null : await sync(link, signal, LEFT_TRIES);
    if (speaker !== null) {
      return speaker;
    }
    // What another rate made of nothing is no text.
    link.forgetText();
  }
  return null;
}

/** False when the driver does not know this rate. */
export async function reopens({ port }: CommandLink, baudRate: number): Promise<boolean> {
  try {
    await port.reopen({ baudRate });
    return true;
  } catch (error) {
    if (!(error instanceof PortError) || error.code !== 'open-failed' || baudRate === romBaudRate) {
      throw error;
    }
    return false;
  }
}

/** With a crystal of 26 MHz a ROM talks more slowly than it listens: what it says at a reset is worth to be understood. */
async function listenSlowly(clock: Clock, link: CommandLink, entry: Entry, signal: AbortSignal): Promise<void> {
  const garbage = link.text;
  await link.port.reopen({ baudRate: slowBootRate });
  link.discard();
  link.forgetText();
  await enterBootloader(clock, link.port, entry.link, false, signal);
  await link.listen(LISTEN, signal);
  if (readBootLog(link.text).mode === null) {
    link.forgetText(garbage);
  }
}

/** One reset and a few requests, for a board that has answered before; null when it does not. */
export async function resynchronise(
  clock: Clock,
  link: CommandLink,
  entry: Entry,
  signal: AbortSignal,
): Promise<Speaker | null> {
  if (!entry.buttons) {
    await enterBootloader(clock, link.port, entry.link, false, signal);
    await link.listen(BOOT_LIMIT, signal, () => readBootLog(link.text).download);
  }
  return sync(link, signal, SYNC_TRIES);
}

/** Asks up to `tries` times; null when nothing answered. All that was answered is taken. */
export async function sync(link: CommandLink, signal: AbortSignal, tries: number): Promise<Speaker | null> {
  const request = syncRequest();
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt % 4 >= 2) {
      // A delimiter that was lost or added leaves the stub taking the gaps for the frames: one more turns it round. Not at
      // once, as it would turn a stub round that only missed a byte.
      link.write(Uint8Array.of(0xc0));
    }
    const reply = await link.exchange(request, { limit: deadlines.sync, signal });
    if (reply.kind === 'done' && reply.answer.op === ops.sync) {
      // It says so eight times, in answer to each request that it understood.
      await link.quiet(signal);
      return reply.answer.value === 0 ? 'stub' : 'rom';
    }
  }
  return null;
}

function fail(link: CommandLink): never {
  const detail = link.text.slice(-400).trim();
  throw new EspError(diagnose(link.text), detail === '' ? {} : { detail: `The board printed: ${detail}` });
}
