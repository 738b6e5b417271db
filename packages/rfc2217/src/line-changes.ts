/**
 * Recovers the sequence that a client meant by successive changes of DTR and RTS. RFC 2217 changes one line with each
 * command. pySerial sleeps 50 ms before it looks for an answer (`rfc2217.py`, `TelnetSubnegotiation.wait`), or 100 ms
 * with `ign_set_control`. Changes that a program makes at once therefore arrive with unwanted pauses, and boards miss
 * their bootloader (espressif/esptool#383). The code here measures the client's time for a call where the client
 * cannot have paused on purpose, and subtracts it.
 */
import type { ControlLines, LineStep } from '@wirebench/port';

/** Kind of command: a SET-CONTROL that changes DTR or RTS, any other SET-CONTROL, or a PURGE-DATA. */
export type CallKind = 'line' | 'control' | 'purge';

export interface LineChange {
  readonly line: 'dtr' | 'rts';
  readonly on: boolean;
  /** Time of arrival in milliseconds. */
  readonly at: number;
}

/**
 * Times that a client takes for a call, in milliseconds: one that waits for no answer, pySerial, and pySerial with
 * `ign_set_control`.
 */
const callTimes = [0, 50, 100] as const;
/**
 * Longest time that counts as a call, in milliseconds. After a longer time the client has waited for something else.
 */
const longestCall = 200;
/** Number of latest times in the mean. A busy machine makes one time shorter and the next one longer. */
const samples = 8;

/**
 * Shortest time that counts as a pause after the client's own time is subtracted, in milliseconds. Pauses of resets
 * are at least 50 ms. `polling` is for clients that poll for answers: their sleep of 50 ms takes longer on a busy
 * machine.
 */
const shortestPause = { polling: 35, prompt: 10 } as const;

/**
 * Measures the time that a client takes for one call: from a SET-CONTROL to the next call. Two line changes in a row
 * are not measured, because the program may have paused between them.
 */
export class CallTime {
  #last: { readonly at: number; readonly kind: CallKind } | null = null;
  readonly #times: number[] = [];

  called(at: number, kind: CallKind): void {
    const last = this.#last;
    const time = last === null ? longestCall : at - last.at;
    if (last !== null && last.kind !== 'purge' && !(last.kind === 'line' && kind === 'line') && time < longestCall) {
      this.#times.push(time);
      this.#times.splice(0, this.#times.length - samples);
    }
    this.#last = { at, kind };
  }

  /** Records that something else has arrived, so that the next call is not measured. */
  interrupted(): void {
    this.#last = null;
  }

  /** The nearest of the three known times, in milliseconds; 0 while it is unknown. */
  get time(): number {
    const mean = this.#times.reduce((sum, time) => sum + time, 0) / Math.max(this.#times.length, 1);
    return callTimes.reduce((best, time) => (Math.abs(time - mean) < Math.abs(best - mean) ? time : best), 0);
  }
}

/**
 * Converts the changes to a sequence that can be played at the board. Changes of both lines in opposite directions
 * without a pause between them become one step: the capacitor at EN bridges little more than that. Other changes stay
 * in the client's order, which decides whether a board is reset.
 *
 * @param from Lines before the first change.
 * @param callTime Time that the client takes for a call, in milliseconds.
 * @param isJoint True: opposite changes become one step. False for chips with a USB port of their own, which have no
 *   such capacitor and react to each change.
 * @returns An empty sequence if no line changes.
 */
export function stepsOf(
  from: ControlLines,
  changes: readonly LineChange[],
  callTime: number,
  isJoint: boolean,
): readonly LineStep[] {
  const least = callTime > 0 ? shortestPause.polling : shortestPause.prompt;
  const steps: [dtr: boolean, rts: boolean, wait: number][] = [];
  let lines = from;
  /** The latest change, while it is a step of its own and no pause has followed it. */
  let single: LineChange | null = null;
  for (const [index, change] of changes.entries()) {
    const { line, on, at } = change;
    const next = changes[index + 1];
    const left = next === undefined ? 0 : next.at - at - callTime;
    const wait = left < least ? 0 : Math.round(left);
    const last = steps.at(-1);
    if (lines[line] !== on) {
      lines = { ...lines, [line]: on };
      const isCrossing = isJoint && single !== null && single.line !== line && single.on !== on;
      if (last !== undefined && isCrossing) {
        [last[0], last[1], last[2]] = [lines.dtr, lines.rts, wait];
        single = null;
      } else {
        steps.push([lines.dtr, lines.rts, wait]);
        single = change;
      }
    } else if (last !== undefined) {
      last[2] += wait;
    }
    if (wait > 0) {
      single = null;
    }
  }
  const end = steps.at(-1);
  if (end !== undefined) {
    // No change follows the last step, so it needs no wait.
    end[2] = 0;
  }
  return steps;
}
