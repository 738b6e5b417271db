/** DTR, RTS and break of an open port, one by one and in sequences. Knows no board. */
import type { Clock } from '@wirebench/clock';

export interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
}

/** Control lines to change; what is left out stays as it is. */
export interface SignalChange extends Partial<ControlLines> {
  readonly break?: boolean;
}

/** Of a closed port. */
export const linesOff: ControlLines = { dtr: false, rts: false };
/** At connect: a terminal is there, and no board with an auto-reset circuit is held in reset. */
export const linesAtConnect: ControlLines = { dtr: true, rts: false };
/** As most drivers leave them when they open a port. */
export const linesRaised: ControlLines = { dtr: true, rts: true };

/**
 * Sets what is to change in one call: one line after the other is what resets boards with an auto-reset circuit.
 * Rejects with what the port says.
 */
export async function setControlLines(device: SerialPort, change: SignalChange): Promise<void> {
  const signals: SerialOutputSignals = {
    ...(change.dtr !== undefined && { dataTerminalReady: change.dtr }),
    ...(change.rts !== undefined && { requestToSend: change.rts }),
    ...(change.break !== undefined && { break: change.break }),
  };
  // An empty dictionary is refused by the browser.
  if (Object.keys(signals).length > 0) {
    await device.setSignals(signals);
  }
}

/** Both lines, and how long they then stay so, in milliseconds. */
export type LineStep = readonly [dtr: boolean, rts: boolean, thenWait: number];

/** A port whose board is somewhere else: it plays a sequence there, where no network stretches the pauses. */
export interface StepPlayer {
  /**
   * @param release what is played there when nobody here can say so any more; left out: both lines are lowered.
   * @throws the reason of `signal`, and then the sequence was stopped; what the port says.
   */
  playSteps(steps: readonly LineStep[], signal: AbortSignal, release?: readonly LineStep[]): Promise<void>;
}

/** Null for a port that is here. */
export function stepPlayerOf(device: SerialPort): StepPlayer | null {
  return 'playSteps' in device ? (device as SerialPort & StepPlayer) : null;
}

/**
 * Sets the lines step by step. Rejects with what `set` rejects with, and with the reason of `signal`.
 * @param release how an abort leaves the lines; left out: as they are then.
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
