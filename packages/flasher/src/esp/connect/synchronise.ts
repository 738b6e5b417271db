/**
 * Gets a board to answer. The control lines or a person start its bootloader, and SYNC is sent until it answers. If
 * it does not, its output gives the reason.
 */
import type { Clock } from '@wirebench/clock';
import { PortError } from '../../port-failure.ts';
import { deadlines } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import type { EspLink } from '../esp-info.ts';
import type { Speaker } from '../flash-ability.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { ops, syncRequest } from '../protocol/commands.ts';
import { enterBootloader, letGo } from '../reset.ts';
import { diagnose, readBootLog } from './boot-log.ts';

/** Rate at which every ROM starts, or to which it adapts, in baud. */
export const romBaudRate = 115_200;

/** Rate at which a ROM prints if it takes its 26 MHz crystal for 40 MHz, in baud (esptool, "Troubleshooting"). */
const slowBootRate = 74_880;

/**
 * Time for the boot messages in milliseconds. A chip is ready 12 to 15 ms after its reset, and its output ends soon
 * after.
 */
const BOOT_LIMIT = 120;
/** SYNC requests after one reset. The ROM may use up the first one to measure the rate. */
const SYNC_TRIES = 5;
/** SYNC requests before the first reset of a chip on USB, which may already be in its bootloader. */
const EARLY_TRIES = 2;
/**
 * SYNC requests to a chip that came back as a new port in its bootloader. They last a second, which a busy system may
 * need.
 */
const RETURNED_TRIES = 10;
/** SYNC requests while a person still presses the buttons, about six seconds. */
const BUTTON_TRIES = 60;
/**
 * SYNC requests at a rate at which an earlier connection may have left the board. Bytes received at another rate may
 * spoil the first one.
 */
const LEFT_TRIES = 3;
/** Resets to try. The second one is for boards with a slow EN line. */
const resets = [{ patient: false }, { patient: true }, { patient: false }];
/** Time for reading the output of a board that does not answer, in milliseconds. */
const LISTEN = 400;

/** Way into a board's bootloader. */
export interface Entry {
  readonly link: EspLink;
  /** True: a person enters the bootloader, and the control lines are only released. */
  readonly buttons: boolean;
  /** True: the chip vanished at its reset and came back as this port, so it is in its bootloader. */
  readonly returned: boolean;
  /** Rates at which a board that cannot be reset may have been left, in baud, the most likely first. */
  readonly leftRates: readonly number[];
}

type OnStep = (step: 'resetting' | 'synchronising') => void;

/**
 * Gets the board to answer SYNC.
 *
 * @param clock Times the steps of the reset.
 * @param link Open at `romBaudRate`.
 * @throws EspError with the most likely reason for the silence.
 * @throws PortError, or the reason of the signal.
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
    // A chip that has just come back as a new port would vanish again at a reset, and no code waits for its second
    // return.
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
 * Tries the rates at which an earlier session may have left a board without reset lines in its bootloader or stub.
 * Such a board is silent at other rates, while a chip that was reset would have printed text. The port ends at the
 * rate of the answer, or at `romBaudRate`.
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
    // Bytes received at a wrong rate are not text.
    link.forgetText();
  }
  return null;
}

/** Reopens the port. Returns false if the driver does not support this rate. */
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

/**
 * Resets the board and reads its output at a lower rate. With a 26 MHz crystal a ROM sends at a lower rate than it
 * receives, and its boot messages give the reason.
 */
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

/** Resets a board that has answered before, and sends a few SYNC requests. Returns null if it does not answer. */
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

/** Sends SYNC up to `tries` times and reads all answers. Returns null if there is no answer. */
export async function sync(link: CommandLink, signal: AbortSignal, tries: number): Promise<Speaker | null> {
  const request = syncRequest();
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt % 4 >= 2) {
      // After a lost or extra delimiter, the stub takes the gaps between frames for frames. One more delimiter
      // corrects that. It is not sent at first, because it would confuse a stub that only missed a byte.
      link.write(Uint8Array.of(0xc0));
    }
    const reply = await link.exchange(request, { limit: deadlines.sync, signal });
    if (reply.kind === 'done' && reply.answer.op === ops.sync) {
      // The board sends eight answers to each SYNC that it understood.
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
