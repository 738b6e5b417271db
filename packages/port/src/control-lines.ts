/** DTR, RTS and break of an open port: single changes and timed sequences. */
import type { Clock } from '@wirebench/clock';

export interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
}

/** Control lines to change. Omitted lines keep their state. */
export interface SignalChange extends Partial<ControlLines> {
  readonly break?: boolean;
}

/** Lines of a closed port. */
export const linesOff: ControlLines = { dtr: false, rts: false };
/**
 * Lines set at connect. DTR announces a terminal; RTS stays off so that no board with an auto-reset circuit is held
 * in reset.
 */
export const linesAtConnect: ControlLines = { dtr: true, rts: false };
/** Lines as most drivers leave them when they open a port. */
export const linesRaised: ControlLines = { dtr: true, rts: true };

/**
 * Choices of the control lines when a port opens. `dtr`: DTR on and RTS off. `off`: both off. `keep`: as the driver
 * leaves them.
 */
export type LinesAtOpen = 'dtr' | 'off' | 'keep';

/** Returns the lines to set after opening. Undefined: set none. */
export function linesToSet(choice: LinesAtOpen = 'dtr'): ControlLines | undefined {
  return { dtr: linesAtConnect, off: linesOff, keep: undefined }[choice];
}

/**
 * Sets all changes in one call: setting one line after the other resets boards with an auto-reset circuit. Rejects
 * with the port's error.
 */
export async function setControlLines(device: SerialPort, change: SignalChange): Promise<void> {
  const signals: SerialOutputSignals = {
    ...(change.dtr !== undefined && { dataTerminalReady: change.dtr }),
    ...(change.rts !== undefined && { requestToSend: change.rts }),
    ...(change.break !== undefined && { break: change.break }),
  };
  // The browser rejects an empty dictionary.
  if (Object.keys(signals).length > 0) {
    await device.setSignals(signals);
  }
}

/** State of both lines, and the time for which they keep it, in milliseconds. */
export type LineStep = readonly [dtr: boolean, rts: boolean, thenWait: number];

/** A remote port that plays a sequence beside the board, where no network stretches the pauses. */
export interface StepPlayer {
  /**
   * Plays the sequence.
   *
   * @param release Sequence to play if this side is gone for good. Omitted: both lines are lowered.
   * @throws The reason of `signal`, after the sequence was stopped; or the port's error.
   */
  playSteps(steps: readonly LineStep[], signal: AbortSignal, release?: readonly LineStep[]): Promise<void>;
}

/** Returns the device as a `StepPlayer`; null for a local port. */
export function stepPlayerOf(device: SerialPort): StepPlayer | null {
  return 'playSteps' in device ? (device as SerialPort & StepPlayer) : null;
}

/**
 * Sets the lines step by step. Rejects with the error of `set`, or with the reason of `signal`.
 *
 * @param release Lines to set after an abort. Omitted: the lines stay as they are.
 */
export async function playSteps(
  clock: Clock,
  steps: readonly LineStep[],
  set: (lines: ControlLines) => Promise<void>,
  signal: AbortSignal,
  release?: ControlLines,
): Promise<void> {
  try {
    for (const [dtr, rts, wait] of steps) {
      signal.throwIfAborted();
      await set({ dtr, rts });
      if (wait > 0) {
        await clock.sleep(wait, signal);
      }
    }
  } catch (error) {
    if (release !== undefined && signal.aborted) {
      await set(release);
    }
    throw error;
  }
}

/** Silence of a port that shows that its board is held in reset, in ms. Adapters hold bytes back for 16, busy systems longer. */
const HELD_SILENCE = 100;
/** Longest wait for that silence, in milliseconds. */
const HELD_LIMIT = 300;
/**
 * Time for which an Arduino Uno is silent after its reset, in ms. Its ATmega328P starts 65 later with the fuses of that board
 * (data sheet, start-up times of the low power crystal oscillator), and its bootloader prints nothing.
 */
const START_SILENCE = 60;

/**
 * Waits for the output of the program before, while a reset holds the board: adapters, systems and busy processes pass
 * it on late. Resolves early after an abort.
 *
 * @param received Returns the number of bytes that the port has received.
 * @returns False if the port goes on receiving, so that the lines may not hold this board.
 */
export async function fallsSilent(clock: Clock, received: () => number, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < HELD_LIMIT && !signal.aborted; waited += HELD_SILENCE) {
    const before = received();
    await clock.sleep(HELD_SILENCE, signal).catch(() => 'aborted');
    if (received() === before) {
      return true;
    }
  }
  return false;
}

/**
 * Waits for late output of the program before, right after the step that restarts a board which nothing held. Resolves
 * early after an abort.
 */
export async function passesLateOutput(clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(START_SILENCE, signal).catch(() => 'aborted');
}
