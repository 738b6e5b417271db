/** Sends the same bytes again and again at a fixed interval. */
import type { Clock } from '@wirebench/clock';
import { aborted, unlessAborted } from '@wirebench/port';
import type { SendTarget } from './send-file.ts';

export const shortestRepeat = 10;
export const longestRepeat = 3_600_000;

export interface RepeatJob {
  /** Must not change until the job has ended. */
  readonly bytes: Uint8Array;
  /** Time from one message to the next in milliseconds, from `shortestRepeat` to `longestRepeat`. */
  readonly every: number;
  readonly signal?: AbortSignal | undefined;
  /** Called after every message that the port has taken. */
  readonly onSent?: ((count: number) => void) | undefined;
}

export interface RepeatReport {
  /** `closed`: the port was closed or lost, or took no more. */
  readonly outcome: 'cancelled' | 'closed';
  /** Number of messages that the port has taken. */
  readonly count: number;
}

/**
 * Sends the first message at once. The interval does not drift. If the port takes longer than one interval, the
 * intervals in between are skipped. Never rejects.
 */
export async function repeatMessage(
  clock: Clock,
  target: Pick<SendTarget, 'over' | 'send'>,
  { bytes, every, signal, onSent }: RepeatJob,
): Promise<RepeatReport> {
  const stop = AbortSignal.any([target.over, ...(signal === undefined ? [] : [signal])]);
  let count = 0;
  let beat = clock.now();
  while (!stop.aborted) {
    const sending = target.send(bytes).then(
      () => true,
      () => false,
    );
    const taken = await unlessAborted(sending, stop);
    if (taken === false) {
      break;
    }
    if (taken !== aborted) {
      count++;
      onSent?.(count);
    }
    const now = clock.now();
    beat += every * Math.max(1, Math.ceil((now - beat) / every));
    await clock.sleep(beat - now, stop).catch(() => undefined);
  }
  return { outcome: signal?.aborted ? 'cancelled' : 'closed', count };
}
