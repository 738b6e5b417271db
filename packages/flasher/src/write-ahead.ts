/**
 * Exchanges requests and answers in order. For a local board, each request is sent after the answer to the previous
 * one. For a remote board, the next requests are sent ahead and wait beside the board, so that no round trip passes
 * between them.
 */
import type { BytePort } from './byte-port.ts';

export interface AheadExchange<Step> {
  /** Returns the next request, or null if no request is ready. Called again after each answer. */
  readonly next: () => Step | null;
  /**
   * Returns the number of requests that may be under way: the one that the board works on, and those that wait beside
   * it. 1 for a local board.
   */
  readonly ahead: () => number;
  /**
   * Writes a request.
   *
   * @param before Request whose answer this one waits for beside the board; null: it is written at once.
   */
  readonly send: (step: Step, before: Step | null) => void;
  /**
   * Waits for the answer to the oldest request. An error ends the exchange.
   *
   * @param isAlone True if no other request is under way.
   * @returns False if there was no answer. The request and all behind it are sent again.
   */
  readonly take: (step: Step, isAlone: boolean) => Promise<boolean>;
}

/**
 * Runs the exchange until `next` returns null and every request is answered.
 *
 * @throws errors of `take`; requests that wait beside the board are dropped.
 */
export async function exchangeAhead<Step>(
  port: Pick<BytePort, 'dropWaiting'>,
  { next, ahead, send, take }: AheadExchange<Step>,
): Promise<void> {
  const underWay: Step[] = [];
  const sendNext = () => {
    const step = underWay.length < ahead() ? next() : null;
    if (step !== null) {
      const before = underWay.at(-1) ?? null;
      underWay.push(step);
      send(step, before);
    }
    return step !== null;
  };
  try {
    for (;;) {
      while (sendNext()) {
        // The condition sends requests until enough are under way.
      }
      const [step] = underWay;
      if (step === undefined) {
        return;
      }
      if (await take(step, underWay.length === 1)) {
        underWay.shift();
        continue;
      }
      if (underWay.length > 1) {
        port.dropWaiting();
      }
      for (const [index, again] of underWay.entries()) {
        send(again, underWay[index - 1] ?? null);
      }
    }
  } finally {
    if (underWay.length > 1) {
      port.dropWaiting();
    }
  }
}
