/**
 * What a client means by changes of DTR and RTS that come one after the other. RFC 2217 changes one line with each command, and pySerial
 * waits at least 50 ms for each answer (`rfc2217.py`, `TelnetSubnegotiation.wait`), 100 ms with `ign_set_control`: what a program does in one go
 * arrives with pauses that nobody asked for, and boards miss their bootloader (espressif/esptool#383). So the time that a client takes for a call
 * is measured where it can have no pause of its own, and taken away.
 */
import type { ControlLines, LineStep } from '@wirebench/serial/port';

export interface LineChange {
  readonly line: 'dtr' | 'rts';
  readonly on: boolean;
  /** When it arrived, in milliseconds. */
  readonly at: number;
}

/** A client that takes longer for a call waits for something else. Milliseconds. */
const longestCall = 120;
/** Calls of a client that polls for its answers vary by less than a pause of 50 ms; one that does not has no such distances. */
const jitter = { polling: 45, prompt: 10 } as const;
const promptCall = 20;

/**
 * How long a client takes for a call whose answer it waits for: the shortest distance between two of them, one of which is no change of a line.
 * pySerial makes some when it opens a port.
 */
export class CallTime {
  #last: { readonly at: number; readonly isLine: boolean } | null = null;
  #shortest = Number.POSITIVE_INFINITY;

  /** A SET-CONTROL or PURGE-DATA has arrived. */
  called(at: number, isLine: boolean): void {
    if (this.#last !== null && !(isLine && this.#last.isLine)) {
      this.#shortest = Math.min(this.#shortest, at - this.#last.at);
    }
    this.#last = { at, isLine };
  }

  /** Something else has arrived: what comes next was not called right after. */
  interrupted(): void {
    this.#last = null;
  }

  /** Milliseconds; 0 while it is not known. */
  get time(): number {
    return this.#shortest <= longestCall ? this.#shortest : 0;
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
  const least = callTime >= promptCall ? jitter.polling : jitter.prompt;
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
