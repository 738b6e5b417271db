/**
 * What a client means by changes of DTR and RTS that come one after the other. RFC 2217 changes one line with each command, and pySerial
 * sleeps 50 ms before it looks for an answer (`rfc2217.py`, `TelnetSubnegotiation.wait`), 100 ms with `ign_set_control`: what a program does in one go
 * arrives with pauses that nobody asked for, and boards miss their bootloader (espressif/esptool#383). So it is measured which of these a client is,
 * where it can have no pause of its own, and its own time is taken away.
 */
import type { ControlLines, LineStep } from '@wirebench/serial/port';

/** A SET-CONTROL that changes DTR or RTS, any other one, a PURGE-DATA. */
export type CallKind = 'line' | 'control' | 'purge';

export interface LineChange {
  readonly line: 'dtr' | 'rts';
  readonly on: boolean;
  /** When it arrived, in milliseconds. */
  readonly at: number;
}

/** How long a client may take for a call, in milliseconds: one that waits for no answer, pySerial, pySerial with `ign_set_control`. */
const callTimes = [0, 50, 100] as const;
/** After a longer time the client has waited for something else. Milliseconds. */
const longestCall = 200;
/** Times that are looked at: a machine that is busy makes one shorter and the next one longer. */
const samples = 8;

/**
 * A pause that is left when the client's own time is taken away, in milliseconds; less is none. The pauses of resets are 50 ms and longer; a
 * sleep of 50 ms takes longer on a busy machine.
 */
const shortestPause = { polling: 35, prompt: 10 } as const;

/** How long a client takes to change something: from one SET-CONTROL to the next call, unless both change a line and may have a pause between them. */
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

  /** Something else has arrived: what comes next was not called right after. */
  interrupted(): void {
    this.#last = null;
  }

  /** Milliseconds, one of three; 0 while it is not known. */
  get time(): number {
    const mean = this.#times.reduce((sum, time) => sum + time, 0) / Math.max(this.#times.length, 1);
    return callTimes.reduce((best, time) => (Math.abs(time - mean) < Math.abs(best - mean) ? time : best), 0);
  }
}

/**
 * The changes as a sequence that can be played where the board is. Lines that change in opposite directions without a pause between them are one
 * step: the capacitor at EN bridges little more than that. Other changes stay in the client's order, which decides whether a board is reset.
 * @param from the lines before the first change.
 * @param callTime of the client.
 * @param isJoint false for chips with a USB port of their own, which have no such capacitor and look at each change.
 * @returns nothing when no line changes.
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
  /** The change that no pause has followed yet, and that is a step of its own. */
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
    // Nobody waits behind the last step.
    end[2] = 0;
  }
  return steps;
}
