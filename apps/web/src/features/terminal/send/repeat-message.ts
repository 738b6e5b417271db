/** One message again and again until somebody stops it. Knows no port and no screen: both are given to it. */

/** Shortest and longest time from one sending to the next, in milliseconds. */
export const repeatBounds = { least: 10, most: 3_600_000 } as const;

export interface Repetition {
  /** In milliseconds, from one sending to the next. */
  readonly every: number;
  readonly now: () => number;
  /** Ends early when `signal` aborts. */
  readonly pause: (duration: number, signal: AbortSignal) => Promise<void>;
  /** Resolves when the port has taken the message. */
  readonly send: () => Promise<void>;
  readonly onSent: (count: number) => void;
}

/**
 * Sends at once, then every `every` milliseconds after that, until `signal` aborts. A sending that takes longer than that
 * is not made up for. Rejects with what `send` rejects with.
 */
export async function repeatMessage(repetition: Repetition, signal: AbortSignal): Promise<void> {
  const { every, now, pause, send, onSent } = repetition;
  let next = now();
  for (let count = 1; !signal.aborted; count++) {
    await send();
    onSent(count);
    next = Math.max(next + every, now());
    await pause(next - now(), signal);
  }
}

/** Null when `text` is no time that a message can be repeated at. */
export function readRepeatTime(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= repeatBounds.least && value <= repeatBounds.most ? value : null;
}
